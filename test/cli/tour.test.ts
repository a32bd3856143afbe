/** The tour of the README, with nothing but the command line: what it shows, and then every line of it as it stands there. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { developmentServer, type ServerProcess } from "../support/server-process.ts";
import { Person } from "./person.ts";

const root = join(import.meta.dirname, "../..");

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
  expect(await person.succeed("status")).toMatch(/^Sealed +false$/m);

  expect(await person.succeed("login -", "root\n")).toMatch(/^token +root$/m);
  expect(statSync(join(person.home, ".strongroom-token")).mode & 0o777).toBe(0o600);

  await person.succeed("kv put -mount=secret app/database user=app password=-", "s3cr3t");
  expect(await person.succeed("kv get -mount=secret app/database")).toMatch(/^password +s3cr3t$/m);
  expect(await person.succeed("kv get -mount=secret -field=password app/database")).toBe("s3cr3t");

  writeFileSync(join(person.home, "reader.hcl"), 'path "secret/data/app/*" {\n  capabilities = ["read"]\n}\n');
  await person.succeed(["policy", "write", "reader", join(person.home, "reader.hcl")]);
  expect(await person.succeed("policy list")).toContain("reader\n");

  const token = await person.succeed("token create -policy=reader -ttl=1h -field=token");
  expect(token).toMatch(/^s\.[A-Za-z0-9]{24}$/);

  const reader = new Person({ STRONGROOM_ADDR: server.url, STRONGROOM_TOKEN: token });
  expect(await reader.succeed("kv get -mount=secret -field=user app/database")).toBe("app");
  const refused = await reader.run("kv put -mount=secret app/database user=mallory");
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
  expect(await reader.succeed("token capabilities secret/data/app/database")).toBe("read\n");
  reader[Symbol.dispose]();
});

const guide = readFileSync(join(root, "README.md"), "utf8");
const tour = guide.slice(guide.indexOf("## Five minutes"), guide.indexOf("### A server with its own seal"));

/** What people type when they are asked. */
const typed = new Map([
  ["strongroom login ", "root"],
  ["strongroom login -method=userpass ", "battery-staple"],
]);

function asScript(line: string): string {
  const answer = [...typed].findLast(([start]) => line.startsWith(start) && !line.includes("-method=jwt"))?.[1];
  if (answer !== undefined) return line.replace(/ *(?=#|$)/, ` <<< ${answer} `);
  return line.includes("# denied") ? `! ${line}` : line;
}

test("the README, line by line", { timeout: 180_000 }, async () => {
  const blocks = [...tour.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines]) => lines!);
  const script = blocks.join("").replaceAll("http://127.0.0.1:8200", server.url).split("\n").map(asScript).join("\n");
  const folder = join(person.home, "bin");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "strongroom"),
    `#!/bin/sh\nexec '${process.execPath}' '${join(root, "src/cli/main.ts")}' "$@"\n`,
    { mode: 0o755 },
  );
  const { stdout, stderr } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
    cwd: person.home,
    env: {
      PATH: `${folder}:${process.env["PATH"]}`,
      HOME: person.home,
      TMPDIR: person.home,
      NODE_NO_WARNINGS: "1",
      ...person.environment,
    },
  });

  expect(stdout).toMatch(/^password +correct-horse$/m);
  expect(stderr).toContain('Rule:    path "secret/data/shop/*" of the policy shop');
  expect(stdout).toMatch(/^token_meta_username +alice$/m);
  expect(stdout).toMatch(/^token_policies +\["default" "shop"\]$/m);
  expect(stdout).toContain("www.example.com-chain.pem");
  expect(stdout).toMatch(/^token_meta_role +deploy$/m);
  expect(stdout).toMatch(/^team\{"request_id":/m);
  expect(stdout).toContain('"data":{"user":"shop","password":"correct-horse"}');
});
