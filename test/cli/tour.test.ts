/** The tour of the README, with nothing but the command line: each line is a process of its own. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { developmentServer, type ServerProcess } from "../support/server-process.ts";
import { Person } from "./person.ts";

let server: ServerProcess;
let person: Person;

beforeAll(async () => {
  server = await developmentServer();
  person = new Person({ STRONGROOM_ADDR: server.url });
});

afterAll(async () => {
  person?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

test("start, log in, write and read a secret, write a policy, make a limited token, see it refused", async () => {
  expect(await person.launch("status")).toMatch(/^Sealed +false$/m);

  expect(await person.launch("login -", "root\n")).toMatch(/^token +root$/m);
  expect(statSync(join(person.home, ".strongroom-token")).mode & 0o777).toBe(0o600);

  await person.launch("kv put -mount=secret app/database user=app password=-", "s3cr3t");
  expect(await person.launch("kv get -mount=secret app/database")).toMatch(/^password +s3cr3t$/m);
  expect(await person.launch("kv get -mount=secret -field=password app/database")).toBe("s3cr3t");

  writeFileSync(join(person.home, "reader.hcl"), 'path "secret/data/app/*" {\n  capabilities = ["read"]\n}\n');
  await person.launch("policy write reader reader.hcl");
  expect(await person.launch("policy list")).toContain("reader\n");

  const token = await person.launch("token create -policy=reader -ttl=1h -field=token");
  expect(token).toMatch(/^s\.[A-Za-z0-9]{24}$/);

  const reader = new Person({ STRONGROOM_ADDR: server.url, STRONGROOM_TOKEN: token });
  expect(await reader.launch("kv get -mount=secret -field=user app/database")).toBe("app");
  const refused = await reader.spawn("kv put -mount=secret app/database user=mallory");
  expect(refused).toMatchObject({ code: 2, output: "" });
  expect(refused.complaints).toBe(
    [
      "Error writing data to secret/data/app/database: Error making API request.",
      "",
      `URL: PUT ${server.url}/v1/secret/data/app/database`,
      "Code: 403. Errors:",
      "",
      "* 1 error occurred:",
      "\t* permission denied",
      "",
      "Denied: update secret/data/app/database",
      'Reason:  the rule for "secret/data/app/*" does not grant update',
      'Rule:    path "secret/data/app/*" of the policy reader',
      "",
      "A rule that would allow it:",
      "",
      '    path "secret/data/app/database" { capabilities = ["update"] }',
      "",
    ].join("\n"),
  );
  expect(await reader.launch("token capabilities secret/data/app/database")).toBe("read\n");
  reader[Symbol.dispose]();
});
