import { afterAll, beforeAll, expect, test } from "vitest";
import { acmeServer, certified, client, dns, tickOf } from "../../../../test/support/acme-server.ts";
import { AcmeSolver } from "../../../../test/support/acme-solver.ts";
import { tidyAcme } from "./tidy.ts";

let solver: AcmeSolver;

beforeAll(async () => {
  solver = await new AcmeSolver().start();
});
afterAll(() => solver.stop());

const day = 86_400;
const wishes = { orderBufferMs: 3 * day * 1000, accountBufferMs: 30 * day * 1000 };

test("what ended long ago goes, step by step, and nothing else", async () => {
  const server = await acmeServer({ solver });
  const acme = await client(server);
  await certified(acme, solver, ["kept.test"]);
  await acme.post("new-order", dns("void.test"));
  await client(server);
  const { data } = await server.call("write", "pki/acme/new-eab");
  const tidied = () => tidyAcme(tickOf(server), wishes);
  const accounts = async () => (await server.call("list", "pki/acme/mgmt/account/keyid")).data.keys;

  expect(await tidied()).toMatchObject({ total_acme_account_count: 2, acme_orders_deleted_count: 0 });
  server.passSeconds(5 * day);
  expect(await tidied()).toMatchObject({ acme_orders_deleted_count: 1, acme_account_revoked_count: 0 });
  expect((await server.call("list", "pki/eab")).data.keys).toEqual([data.id]);
  server.passSeconds(26 * day);
  // The account that never ordered is revoked first.
  expect(await tidied()).toMatchObject({ acme_account_revoked_count: 1, acme_eab_deleted_count: 1 });
  expect(await accounts()).toHaveLength(2);
  server.passSeconds(65 * day);
  expect(await tidied()).toMatchObject({ acme_orders_deleted_count: 1, acme_account_deleted_count: 1 });
  expect(await accounts()).toHaveLength(1);
  expect((await server.call("list", "pki/acme/mgmt/orders")).data.keys).toEqual([]);
});
