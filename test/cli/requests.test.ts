/** Which requests each command sends: the ones that servers know from similar tools. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Outcome, runCommand } from "../../src/cli/terminal-fixture.suite.ts";
import { RecordingServer } from "./recording-server.ts";
import { everydayCases } from "./requests/everyday.ts";
import { identityCases } from "./requests/identity.ts";
import { kvCases } from "./requests/kv.ts";
import { loginCases } from "./requests/login.ts";
import { mountsCases } from "./requests/mounts.ts";
import { operatorCases } from "./requests/operator.ts";
import { otherCases } from "./requests/other.ts";
import { pkiCases } from "./requests/pki.ts";
import { tokensCases } from "./requests/tokens.ts";

let server: RecordingServer;
const home = mkdtempSync(join(tmpdir(), "strongroom-requests-"));

beforeAll(async () => {
  server = await RecordingServer.start();
  writeFileSync(join(home, "value.txt"), "from a file");
  writeFileSync(join(home, "data.json"), '{"big": 9007199254740993, "ratio": 1.0}');
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(home, { recursive: true });
});

const run = (line: string | string[], input = "", typed: string[] = []): Promise<Outcome> =>
  runCommand(line, { HOME: home, STRONGROOM_ADDR: server.address, STRONGROOM_TOKEN: "s.mine" }, input, typed);

const cases = {
  "reading and writing": everydayCases,
  kv: kvCases,
  "secrets and auth": mountsCases,
  "policies, tokens and leases": tokensCases,
  login: loginCases,
  identity: identityCases,
  operator: operatorCases,
  "audit and namespaces": otherCases,
  pki: pkiCases,
};

for (const [area, table] of Object.entries(cases)) {
  describe(area, () => {
    test.each(table)("$command", async ({ command, sends, replies = {}, input, typed }) => {
      server.reset(replies);
      await run(command, input, typed);
      expect(server.lines).toEqual(sends.map((sent) => (typeof sent === "string" ? sent : sent[0])));
      for (const [index, sent] of sends.entries()) {
        if (typeof sent !== "string") expect(server.requests[index]!.body).toEqual(sent[1]);
      }
    });
  });
}

describe("headers", () => {
  const headersOf = async (command: string): Promise<Record<string, unknown>> => {
    server.reset();
    await run(command);
    return server.requests.at(-1)!.headers;
  };

  test("every request has the token and the mark of a request", async () => {
    const headers = await headersOf("read a");
    expect(headers).toMatchObject({ "x-service-token": "s.mine", "x-service-request": "true" });
    expect(headers).not.toHaveProperty("x-service-namespace");
    expect(headers).not.toHaveProperty("x-service-wrap-ttl");
    expect(headers).not.toHaveProperty("content-type");
  });

  test.each([
    ["read -namespace=team a", { "x-service-namespace": "team/" }],
    ["read -ns=/team/sub/ a", { "x-service-namespace": "team/sub/" }],
    ["read -wrap-ttl=60s a", { "x-service-wrap-ttl": "1m0s" }],
    ["read -wrap-ttl=90 a", { "x-service-wrap-ttl": "1m30s" }],
    ["write sys/wrapping/wrap a=b", { "x-service-wrap-ttl": "5m0s" }],
    ["read -header=x-one=1 -header=x-two=a=b a", { "x-one": "1", "x-two": "a=b" }],
    ["write a b=c", { "content-type": "application/json" }],
    ["patch a b=c", { "content-type": "application/merge-patch+json" }],
  ])("%s", async (command, expected) => {
    expect(await headersOf(command)).toMatchObject(expected);
  });

  test("the root namespace is not named", async () => {
    expect(await headersOf("read -namespace=root a")).not.toHaveProperty("x-service-namespace");
  });

  test.each(["login -method=approle role_id=r", "login -method=userpass username=u password=p"])(
    "a login sends no token of before: %s",
    async (command) => expect(await headersOf(command)).not.toHaveProperty("x-service-token"),
  );

  test("a login with a token sends that one", async () => {
    expect(await headersOf("login s.other")).toMatchObject({ "x-service-token": "s.other" });
  });

  test("unwrapping without a token sends the wrapping one", async () => {
    server.reset();
    await runCommand("unwrap s.wrapped", { HOME: join(home, "elsewhere"), STRONGROOM_ADDR: server.address });
    expect(server.requests[0]).toMatchObject({ body: undefined, headers: { "x-service-token": "s.wrapped" } });
  });
});

test("a value can come from a file", async () => {
  server.reset();
  await run(`write a/b k=@${home}/value.txt`);
  expect(server.requests[0]!.body).toEqual({ k: "from a file" });
});

test("numbers in JSON files keep every digit", async () => {
  server.reset();
  await run(`write a/b @${home}/data.json`);
  expect(server.requests[0]!.text).toBe('{"big":9007199254740993,"ratio":1.0}');
});
