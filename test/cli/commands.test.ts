/** Commands against a real server: what people and programs get to see. */
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

test("secrets with versions: change, compare, delete, bring back, roll back", async () => {
  await person.succeed("kv put secret/web a=1 b=2");
  expect(await person.succeed("kv patch secret/web b=3")).toMatch(/^version +2$/m);
  const late = await person.run("kv put -cas=1 secret/web a=9");
  expect(late.code).toBe(2);
  expect(late.complaints).toContain("check-and-set parameter did not match the current version");
  await person.succeed("kv delete secret/web");
  const deleted = await person.run("kv get secret/web");
  expect(deleted.code).toBe(2);
  expect(deleted.output).toMatch(/^deletion_time +20/m);
  await person.succeed("kv undelete -versions=2 secret/web");
  expect(await person.succeed("kv get -field=b secret/web")).toBe("3");
  expect(await person.succeed("kv rollback -version=1 secret/web")).toMatch(/^version +3$/m);
  expect(JSON.parse(await person.succeed("kv get -format=json secret/web"))).toMatchObject({
    data: { data: { a: "1", b: "2" }, metadata: { version: 3 } },
  });
  expect(await person.succeed("kv metadata get secret/web")).toContain("= Version 3 =");
  expect(await person.succeed("kv list secret")).toMatch(/^Keys\n----\n(.*\n)*web\n$/);
});

test("engines: enable, tune, list, move, disable", async () => {
  await person.succeed("secrets enable -path=one -description=trial kv");
  await person.succeed("kv put one/a x=1");
  expect(await person.succeed("kv get one/a")).toBe("=== Data ===\nKey    Value\n---    -----\nx      1\n");
  await person.succeed("secrets tune -max-lease-ttl=2h one");
  expect(await person.succeed("secrets list -detailed")).toMatch(/^one\/ +kv +kv_\w+ +system +2h /m);
  await person.succeed("secrets move one two");
  expect(await person.succeed("kv get -field=x two/a")).toBe("1");
  await person.succeed("secrets disable two");
  expect(await person.succeed("secrets list")).not.toContain("two/");
});

test("output for programs", async () => {
  expect(await person.succeed("secrets list -format=yaml")).toMatch(/^secret\/:\n {2}accessor: kv_\w+\n/m);
  expect(JSON.parse(await person.succeed("policy list -format=json"))).toContain("default");
  expect(JSON.parse(await person.succeed("token lookup -format=json")).data.id).toBe("root");
  expect(await person.succeed("secrets enable -format=json -path=quiet kv")).toBe("");
  expect(await person.succeed("read -format=raw sys/seal-status")).toMatch(/^\{"type":"shamir".*\}\n$/);
});

test("what a request needs, and how to send it without this program", async () => {
  expect(await person.succeed("operator seal -output-policy")).toBe(
    'path "sys/seal" {\n  capabilities = ["create", "update", "sudo"]\n}\n',
  );
  expect(await person.succeed("list -output-policy secret/metadata")).toContain('path "secret/metadata/"');
  const curl = await person.succeed(["kv", "put", "-output-curl-string", "secret/x", "a=it's"]);
  expect(curl).toBe(
    `curl -X PUT -H 'X-Service-Request: true' -H "X-Service-Token: $(strongroom print token)"` +
      ` -H 'Content-Type: application/json' -d '{"data":{"a":"it'\\''s"},"options":{}}'` +
      ` '${server.url}/v1/secret/data/x'\n`,
  );
  expect(await person.succeed("print token")).toBe("root\n");
  expect((await person.run("kv get secret/x")).code).toBe(2);
});

test("answers in an envelope for one reader", async () => {
  await person.succeed("kv put secret/gift a=1");
  const token = await person.succeed("kv get -wrap-ttl=5m -field=wrapping_token secret/gift");
  const stranger = new Person({ STRONGROOM_ADDR: server.url });
  expect(await stranger.succeed("unwrap -format=json -", token)).toContain('"a": "1"');
  const again = await stranger.run(["unwrap", token]);
  expect(again.code).toBe(2);
  expect(again.complaints).not.toContain(token);
  stranger[Symbol.dispose]();
});
