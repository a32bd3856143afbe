import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DnsServer } from "../../test/support/dns-server.ts";
import { hostAddresses, network } from "./network.ts";

const names = new DnsServer((name) => (name === "_x.a.test" ? ["one", "two"] : []), "10.1.2.3");
let server = "";
const signal = () => AbortSignal.timeout(3000);

beforeAll(async () => {
  server = await names.start();
});
afterAll(() => names.stop());

test("a named resolver is asked for addresses and records", async () => {
  const resolver = network.resolver(server);
  expect(await resolver.addresses("a.test", signal())).toEqual(["10.1.2.3"]);
  expect(await resolver.texts("_x.a.test", signal())).toEqual(["one", "two"]);
  expect(await resolver.texts("_y.a.test", signal())).toEqual([]);
  expect(await resolver.authorities("a.test", signal())).toEqual([]);
});

test("a resolver that says nothing is given up", async () => {
  names.isSilent = true;
  const asked = network.resolver(server).texts("a.test", AbortSignal.timeout(50));
  await expect(asked).rejects.toMatchObject({ name: "LookupError", message: expect.stringContaining("in time") });
  names.isSilent = false;
});

test("the machine knows itself without any DNS", async () => {
  expect(await network.resolver().addresses("localhost", signal())).toContain("127.0.0.1");
});

test.each([
  ["a.test", ["10.0.0.1", "fd00::1"]],
  ["A.TEST", ["10.0.0.1", "fd00::1"]],
  ["b.test", ["10.0.0.1"]],
  ["c.test", []],
  ["10.0.0.1", []],
])("a file of hosts knows %s as %j", (name, addresses) => {
  const file = "# c.test\n10.0.0.1\ta.test  b.test # c.test\nfd00::1 a.test\nnonsense c.test\n\n";
  expect(hostAddresses(name, file)).toEqual(addresses);
});

test("connects to the address that it is told, and says when nobody is there", async () => {
  const listening = createServer((socket) => socket.end("hello"));
  await new Promise<void>((ready) => listening.listen(0, "127.0.0.1", ready));
  const { port } = listening.address() as AddressInfo;
  const socket = await network.connect({ address: "127.0.0.1", port, signal: signal() });
  expect(String((await socket.take(1).toArray())[0])).toBe("hello");
  listening.close();
  await expect(network.connect({ address: "127.0.0.1", port: 1, signal: signal() })).rejects.toMatchObject({
    code: "ECONNREFUSED",
  });
});
