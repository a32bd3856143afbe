/** Namespaces from the command line, against a real server. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { developmentServer, type ServerProcess } from "../support/server-process.ts";
import { Person } from "./person.ts";

let server: ServerProcess;
let person: Person;

beforeAll(async () => {
  server = await developmentServer();
  person = new Person({ STRONGROOM_ADDR: server.url });
  await person.succeed("login root");
});

afterAll(async () => {
  person?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

test("make, look up, change, list", async () => {
  expect(await person.succeed("namespace create -custom-metadata=owner=ada team/")).toMatch(/^path +team\/$/m);
  await person.succeed("namespace create -namespace=team web");
  expect(await person.succeed("namespace list")).toBe("Keys\n----\nteam/\n");
  expect(await person.succeed("namespace list -ns=team")).toBe("Keys\n----\nweb/\n");
  expect(await person.succeed("namespace scan")).toBe("Keys\n----\nteam/\nteam/web/\n");
  await person.succeed("namespace patch -custom-metadata=cost=12 -remove-custom-metadata=owner team");
  const found = JSON.parse(await person.succeed("namespace lookup -format=json team"));
  expect(found.data).toMatchObject({ path: "team/", custom_metadata: { cost: "12" }, locked: false });
  expect((await person.run("namespace lookup nobody")).code).toBe(2);
  expect((await person.run("namespace delete team")).complaints).toContain("containing child namespaces");
});

test("work in one, by flag and by variable, with a token of its own", async () => {
  await person.succeed("secrets enable -namespace=team -path=kv kv-v2");
  await person.succeed("kv put -namespace=team kv/db password=s3cr3t");
  expect(await person.succeed("read -field=data team/kv/data/db")).toContain("s3cr3t");
  expect((await person.run("kv get kv/db")).code).not.toBe(0);
  await person.succeed(
    ["policy", "write", "-namespace=team", "reader", "-"],
    'path "kv/*" { capabilities = ["read"] }',
  );
  const token = (await person.succeed("token create -namespace=team -policy=reader -field=token")).trim();
  const colleague = new Person({ STRONGROOM_ADDR: server.url, STRONGROOM_NAMESPACE: "team", STRONGROOM_TOKEN: token });
  expect(await colleague.succeed("kv get -field=password kv/db")).toBe("s3cr3t");
  expect(await colleague.succeed("token lookup -field=namespace_path")).toBe("team/");
  expect((await colleague.run("kv get -namespace=root secret/x")).complaints).toContain("permission denied");
  colleague[Symbol.dispose]();
});

test("lock, unlock and delete", async () => {
  await person.succeed("namespace create short");
  const key = (await person.succeed("namespace lock -field=unlock_key short")).trim();
  expect((await person.run("secrets list -namespace=short")).complaints).toContain("is locked");
  await person.succeed(`namespace unlock -unlock-key=${key} short`);
  const own = (await person.succeed("namespace lock -namespace=short -field=unlock_key")).trim();
  await person.succeed(`namespace unlock -namespace=short -unlock-key=${own}`);
  expect(await person.succeed("namespace delete short")).toContain("in-progress");
  for (let isThere = true; isThere; ) isThere = (await person.succeed("namespace list")).includes("short/");
  const again = await person.run("namespace delete short");
  expect([again.code, again.complaints]).toEqual([0, expect.stringContaining("requested namespace does not exist")]);
});
