import { afterAll, beforeAll, expect, test } from "vitest";
import { acmeServer, certified, client, dns, tickOf } from "../../../../test/support/acme-server.ts";
import { AcmeSolver } from "../../../../test/support/acme-solver.ts";
import type { KernelCaller } from "../../../../test/support/kernel-caller.ts";
import { type AcmeCount, tidyAcmeStep } from "./tidy.ts";

let solver: AcmeSolver;

beforeAll(async () => {
  solver = await new AcmeSolver().start();
});
afterAll(() => solver.stop());

/** What ACME still has in the store. */
const left = (server: KernelCaller) =>
  server.kernel.records.transaction(async (storage) => {
    const mounts = await storage.list("logical/");
    return (await Promise.all(mounts.map((mount) => storage.list(`logical/${mount}acme/`)))).flat();
  });

const day = 86_400;
const wishes = { orderBufferMs: 3 * day * 1000, accountBufferMs: 30 * day * 1000 };

test("what ended long ago goes, step by step, and nothing else", async () => {
  const server = await acmeServer({ solver });
  const acme = await client(server);
  await certified(acme, solver, ["kept.test"]);
  await acme.post("new-order", dns("void.test"));
  await client(server);
  const { data } = await server.call("write", "pki/acme/new-eab");
  const tidied = async () => {
    const counts: Partial<Record<AcmeCount, number>> = {};
    const count = (name: AcmeCount) => {
      counts[name] = (counts[name] ?? 0) + 1;
    };
    const { transaction, now } = tickOf(server);
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page: { after: string; limit: number } = { after, limit: 1 };
      after = await transaction(({ acme: services }) => tidyAcmeStep(services, wishes, page, now, count));
    }
    return counts;
  };
  const accounts = async () => (await server.call("list", "pki/acme/mgmt/account/keyid")).data.keys;

  expect(await tidied()).toEqual({ total_acme_account_count: 2 });
  server.passSeconds(5 * day);
  expect(await tidied()).toMatchObject({ acme_orders_deleted_count: 1 });
  expect((await server.call("list", "pki/eab")).data.keys).toEqual([data.id]);
  server.passSeconds(26 * day);
  // The account that never ordered is revoked first.
  expect(await tidied()).toMatchObject({ acme_account_revoked_count: 1 });
  expect((await server.call("list", "pki/eab")).data).toMatchObject({ keys: [] });
  expect(await accounts()).toHaveLength(2);
  server.passSeconds(65 * day);
  expect(await tidied()).toMatchObject({ acme_orders_deleted_count: 1, acme_account_deleted_count: 1 });
  expect(await accounts()).toHaveLength(1);
  expect((await server.call("list", "pki/acme/mgmt/orders")).data.keys).toEqual([]);
  // Marks have a job of their own.
  const rest = (await left(server)).filter((name) => name !== "nonces/" && name !== "recent/");
  expect(rest).toEqual(["accounts/", "config", "keys/", "nonce-key"]);
});
