import { type AddressInfo, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { AcmeSolver } from "../../../../../test/support/acme-solver.ts";
import { usualSettings } from "../settings.ts";
import { validateHttp } from "./http-01.ts";
import type { Proof } from "./proof.ts";

let solver: AcmeSolver;

beforeAll(async () => {
  solver = await new AcmeSolver().start();
});
afterAll(() => solver.stop());
afterEach(() => {
  solver.files.clear();
  solver.addresses.clear();
  solver.unanswered.clear();
  solver.connected.length = 0;
});

const path = "/.well-known/acme-challenge/token";
const right = "token.print";

const proof = (changes: Partial<Proof> = {}): Proof => ({
  identifier: { type: "dns", value: "a.test" },
  token: "token",
  thumbprint: "print",
  settings: usualSettings,
  network: solver.network,
  signal: AbortSignal.timeout(2000),
  ...changes,
});

const problem = (type: string, words: string) => ({ type, message: expect.stringContaining(words) });

describe("http-01 is content with", () => {
  test.each([
    ["the key authorization", { [path]: right }],
    ["white space at its end", { [path]: `${right} \r\n` }],
    ["a redirect on the same host", { [path]: { status: 302, location: "/else" }, "/else": right }],
    ["a redirect to another host", { [path]: { status: 301, location: "http://b.test/x" }, "b.test/x": right }],
    ["ten redirects", hops(10)],
  ])("%s", async (_, files) => {
    solver.addresses.set("a.test", ["10.0.0.1"]).set("b.test", ["10.0.0.2"]);
    for (const [name, file] of Object.entries(files)) solver.files.set(name, file);
    await validateHttp(proof());
  });

  test("an address, of either family", async () => {
    solver.files.set(path, right);
    await validateHttp(proof({ identifier: { type: "ip", value: "10.0.0.9" } }));
    await validateHttp(proof({ identifier: { type: "ip", value: "2001:db8::1" } }));
    expect(solver.connected).toEqual(["10.0.0.9:80", "2001:db8::1:80"]);
  });
});

function hops(count: number): Record<string, string | { status: number; location: string }> {
  const files: Record<string, string | { status: number; location: string }> = {};
  for (let hop = 0; hop < count; hop++) {
    files[hop === 0 ? path : `/${hop}`] = { status: 307, location: `/${hop + 1}` };
  }
  return { ...files, [`/${count}`]: right };
}

describe("http-01 refuses", () => {
  test.each([
    ["nothing there", {}, "incorrectResponse", "status 404"],
    ["something else", { [path]: "secret text" }, "incorrectResponse", "something else"],
    ["a part of it", { [path]: "token." }, "incorrectResponse", "something else"],
    ["too much", { [path]: right + " ".repeat(2000) }, "incorrectResponse", "larger than"],
    ["the right words with a wrong status", { [path]: { status: 500 } }, "incorrectResponse", "status 500"],
    ["eleven redirects", hops(11), "incorrectResponse", "too often"],
    [
      "a redirect to another port",
      { [path]: { status: 302, location: "http://b.test:8080/" } },
      "incorrectResponse",
      "port",
    ],
    [
      "a redirect to a file",
      { [path]: { status: 302, location: "file:///etc/passwd" } },
      "incorrectResponse",
      "no http",
    ],
    [
      "a redirect with a password",
      { [path]: { status: 302, location: "http://u:p@b.test/" } },
      "incorrectResponse",
      "password",
    ],
    [
      "a redirect to a name without address",
      { [path]: { status: 302, location: "http://c.test/" } },
      "dns",
      "no address",
    ],
    [
      "a redirect to TLS that nobody speaks",
      { [path]: { status: 302, location: "https://b.test/" } },
      "connection",
      "443",
    ],
  ])("%s", async (_, files, type, words) => {
    solver.addresses.set("a.test", ["10.0.0.1"]).set("b.test", ["10.0.0.2"]);
    for (const [name, file] of Object.entries(files)) solver.files.set(name, file);
    const failure = await validateHttp(proof()).catch((error: unknown) => error);
    expect(failure).toMatchObject(problem(type, words));
    // What a server said is no business of the client's.
    expect(String(failure)).not.toContain("secret text");
  });

  test("names without address or answer", async () => {
    await expect(validateHttp(proof())).rejects.toMatchObject(problem("dns", "no address"));
    solver.unanswered.add("a.test");
    await expect(validateHttp(proof())).rejects.toMatchObject(problem("dns", "ESERVFAIL"));
  });
});

describe("addresses", () => {
  const cases: [found: string[], settings: object, connected: string[]][] = [
    [["10.0.0.1"], {}, ["10.0.0.1:80"]],
    [["127.0.0.1"], {}, ["127.0.0.1:80"]],
    [["169.254.169.254"], {}, []],
    [["::ffff:169.254.169.254"], {}, []],
    [["fe80::1"], {}, []],
    [["169.254.1.1", "10.0.0.2"], {}, ["10.0.0.2:80"]],
    [["10.0.0.1"], { validation_denied_cidrs: ["10.0.0.0/8"] }, []],
    [["10.0.0.1"], { validation_allowed_cidrs: ["192.168.0.0/16"] }, []],
    [["192.168.0.1"], { validation_allowed_cidrs: ["192.168.0.0/16"] }, ["192.168.0.1:80"]],
  ];
  test.each(cases)("of %j under %j", async (found, settings, connected) => {
    solver.addresses.set("a.test", found);
    solver.files.set(path, right);
    const outcome = validateHttp(proof({ settings: { ...usualSettings, ...settings } }));
    if (connected.length > 0) await outcome;
    else await expect(outcome).rejects.toMatchObject(problem("connection", "may connect to"));
    expect(solver.connected).toEqual(connected);
  });

  test("are judged again after a redirect", async () => {
    solver.addresses.set("a.test", ["10.0.0.1"]).set("b.test", ["169.254.169.254"]);
    solver.files.set(path, { status: 302, location: "http://b.test/latest/meta-data" });
    await expect(validateHttp(proof())).rejects.toMatchObject(problem("connection", "may connect to"));
  });

  test("are looked up by the resolver that is set", async () => {
    solver.addresses.set("a.test", ["10.0.0.1"]);
    solver.files.set(path, right);
    await validateHttp(proof({ settings: { ...usualSettings, dns_resolver: "10.0.0.53:53" } }));
    expect(solver.resolvers).toContain("10.0.0.53:53");
  });
});

test("a server that says nothing is given up", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
  const before = solver.ports.get(80)!;
  solver.ports.set(80, (silent.address() as AddressInfo).port);
  solver.addresses.set("a.test", ["10.0.0.1"]);
  const outcome = validateHttp(proof({ signal: AbortSignal.timeout(50) }));
  await expect(outcome).rejects.toMatchObject(problem("connection", "no answer in time"));
  solver.ports.set(80, before);
  silent.close();
});
