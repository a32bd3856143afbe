/** `login -method=oidc` and `-method=jwt` against a real server and a real provider; the browser is played by a person. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pemOf, rsaPair, signToken } from "../../src/auth/jwt/issuer-fixture.suite.ts";
import { clientId, clientSecret, Person, TestProvider } from "../../src/auth/jwt/oidc/provider-fixture.suite.ts";
import { dispatch } from "../../src/cli/dispatch.ts";
import { RecordedTerminal } from "../../src/cli/terminal-fixture.suite.ts";
import { HttpCaller } from "../support/http-caller.ts";
import { ServerProcess } from "../support/server-process.ts";

let server: ServerProcess;
let provider: TestProvider;
let caller: HttpCaller;
const port = 20_000 + (process.pid % 20_000);
const callback = `http://localhost:${port}/oidc/callback`;

beforeAll(async () => {
  server = await ServerProcess.start({ flags: ["-dev", "-dev-root-token-id=root", "-dev-listen-address=127.0.0.1:0"] });
  const direct = `${server.url}/v1/auth/oidc/oidc/callback`;
  provider = await new TestProvider({ redirectUris: [callback, direct] }).start();
  caller = new HttpCaller(server.url, "root");
  await caller.demand("POST", "sys/auth/oidc", { type: "oidc" });
  await caller.demand("POST", "auth/oidc/config", {
    oidc_discovery_url: provider.issuer,
    oidc_client_id: clientId,
    oidc_client_secret: clientSecret,
  });
  const role = {
    user_claim: "sub",
    allowed_redirect_uris: [callback, direct],
    token_policies: "staff",
    poll_interval: 1,
  };
  for (const callback_mode of ["client", "direct", "device"]) {
    await caller.demand("POST", `auth/oidc/role/${callback_mode}`, { ...role, callback_mode });
  }
});

afterAll(async () => {
  caller?.close();
  await provider?.stop();
  await server?.[Symbol.asyncDispose]();
});

/** Runs the command; what it says so far can be read while it runs. */
function run(words: string) {
  const terminal = new RecordedTerminal({ STRONGROOM_ADDR: server.url, HOME: "/nonexistent" });
  const code = dispatch(words.split(" "), terminal);
  return { terminal, code };
}

async function addressIn(terminal: RecordedTerminal): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const found = /^ {4}(http\S+)$/m.exec(terminal.complaints)?.[1];
    if (found !== undefined) return found;
    await sleep(50);
  }
  throw new Error(`no address was shown: ${terminal.complaints}`);
}

test("in client mode, the browser comes back to the command", async () => {
  const { terminal, code } = run(
    `login -no-store -format=json -method=oidc role=client skip_browser=true port=${port}`,
  );
  const back = await new Person("ann").logIn(await addressIn(terminal));
  const page = await fetch(`${callback}?${new URLSearchParams(back)}`);
  expect(await page.text()).toContain("Go back to the terminal");
  expect([await code, terminal.complaints]).toEqual([0, expect.stringContaining("Waiting")]);
  expect(JSON.parse(terminal.output).auth.policies).toEqual(["default", "staff"]);
});

test("in direct mode, the browser comes back to the server", async () => {
  const { terminal, code } = run("login -token-only -method=oidc role=direct callbackmode=direct skip_browser=true");
  const back = await new Person("ann").logIn(await addressIn(terminal));
  const answer = await caller.call(
    "GET",
    `auth/oidc/oidc/callback?${new URLSearchParams({ ...back, confirmation: "1" })}`,
  );
  expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(answer.text).toContain("You are logged in");
  expect([await code, terminal.output]).toEqual([0, expect.stringMatching(/^s\./)]);
});

test("in device mode, nobody comes back", async () => {
  const { terminal, code } = run("login -token-only -method=oidc role=device callbackmode=device");
  const address = await addressIn(terminal);
  expect(terminal.complaints).toMatch(/The code is \w{4}-\w{4}/);
  await new Person("ann").approveDevice(address);
  expect([await code, terminal.output]).toEqual([0, expect.stringMatching(/^s\./)]);
});

test("with a token", async () => {
  await caller.demand("POST", "sys/auth/jwt", { type: "jwt" });
  await caller.demand("POST", "auth/jwt/config", { jwt_validation_pubkeys: pemOf(rsaPair) });
  await caller.demand("POST", "auth/jwt/role/ci", { role_type: "jwt", user_claim: "sub", bound_audiences: "us" });
  const now = Math.floor(Date.now() / 1000);
  const token = signToken({ sub: "ann", aud: "us", iat: now, exp: now + 60 });
  const { terminal, code } = run(`login -token-only -method=jwt role=ci jwt=${token}`);
  expect([await code, terminal.output]).toEqual([0, expect.stringMatching(/^s\./)]);
});

test.each([
  ["role=client callbackmode=pigeon", 1, "callbackmode is client, direct or device"],
  ["role=client colour=red", 1, "unknown setting colour"],
  ["role=client port=0", 1, "a port is a number"],
  [`role=nobody port=${port}`, 2, 'role "nobody" could not be found'],
])("refuses %s", async (words, expected, said) => {
  const { terminal, code } = run(`login -method=oidc ${words}`);
  expect([await code, terminal.complaints]).toEqual([expected, expect.stringContaining(said)]);
});
