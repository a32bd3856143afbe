import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerOptions, ServerProcess } from "../support/server-process.ts";

/** What keeps a server from starting is said in a sentence, with the place to mend, and exit code 1. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "strongroom-start-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const listener = 'listener "tcp" {\n  address = "127.0.0.1:0"\n  tls_disable = true\n}\n';
const memory = 'storage "inmem" {}\n';
const lmdb = (path: string) => `storage "lmdb" {\n  path = "${path}"\n}\n`;

async function expectRefusal(options: ServerOptions, ...reasons: (string | RegExp)[]): Promise<void> {
  const { code, output } = await ServerProcess.run(options);
  expect(code, output).toBe(1);
  for (const reason of reasons) expect(output).toMatch(reason);
  expect(output).not.toMatch(/^ +at /m);
  expect(output).not.toContain("server started!");
}

interface Mistake {
  readonly what: string;
  readonly config: string | object;
  readonly reasons: readonly (string | RegExp)[];
}

const mistakes: Mistake[] = [
  {
    what: "two mistakes in one file are told at once",
    config: `${memory}${listener}ui = "perhaps"\nmax_lease_ttl = "often"`,
    reasons: [/server\.hcl:6:\d+.*ui/, /server\.hcl:7:\d+.*max_lease_ttl/],
  },
  {
    what: "a word that is not closed",
    config: `${memory}${listener}cluster_name = "a`,
    reasons: [/server\.hcl:6:\d+/],
  },
  {
    what: "a wrong value in JSON",
    config: { storage: { inmem: {} }, listener: { tcp: { tls_disable: "perhaps" } } },
    reasons: [/server\.json:1:\d+.*tls_disable/],
  },
  {
    what: "TLS without a certificate",
    config: `${memory}listener "tcp" {\n  address = "127.0.0.1:0"\n}`,
    reasons: ["tls_cert_file"],
  },
  {
    what: "a seal key that is not set",
    config: `${memory}${listener}seal "static" {\n  current_key_id = "a"\n  current_key = "env://STRONGROOM_NOT_SET"\n}`,
    reasons: ["STRONGROOM_NOT_SET"],
  },
];

test.for(mistakes)("$what", ({ config, reasons }) => expectRefusal({ config }, ...reasons));

test("a seal key is never repeated, however wrong it is", async () => {
  const secret = "must-not-be-repeated";
  const config = `${memory}${listener}seal "static" {\n  current_key_id = "a"\n  current_key = "${secret}"\n}`;
  const { code, output } = await ServerProcess.run({ config });
  expect(code).toBe(1);
  expect(output).not.toContain(secret);
});

test("an unknown key is told, and nothing more", async () => {
  await using server = await ServerProcess.start({ config: `${memory}${listener}colour = "red"` });
  expect(server.output).toMatch(/Warning: .*server\.hcl:6:\d+.*colour/);
  expect((await server.caller().call("GET", "sys/health")).status).toBe(501);
});

describe("files and folders", () => {
  test("no configuration at all", () => expectRefusal({}, "-config", "-dev"));

  test("a configuration that is not there", () =>
    expectRefusal({ flags: [`-config=${join(folder, "missing.hcl")}`] }, "missing.hcl", "no such file"));

  test("a configuration that is no text", async () => {
    await writeFile(join(folder, "binary.hcl"), Buffer.from([0xff, 0xfe, 0x00]));
    await expectRefusal({ flags: [`-config=${join(folder, "binary.hcl")}`] }, "binary.hcl", "UTF-8");
  });

  test("a data folder that is a file", async () => {
    await writeFile(join(folder, "file"), "");
    await expectRefusal({ config: lmdb(join(folder, "file")) + listener }, join(folder, "file"), "it is a file");
  });

  test("a data folder with somebody else's data", async () => {
    const path = await mkdtemp(join(folder, "strange-"));
    await writeFile(join(path, "data.mdb"), "this is not a database".repeat(1000));
    await expectRefusal({ config: lmdb(path) + listener }, path);
  });

  test("a data folder that may not be written", async ({ skip }) => {
    skip(process.getuid?.() === 0, "root may write everywhere");
    const path = await mkdtemp(join(folder, "closed-"));
    await chmod(path, 0o500);
    await expectRefusal({ config: lmdb(join(path, "data")) + listener }, path, "not allowed");
  });
});

test("a port that is taken", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(holder.address() as AddressInfo).port}`;
  const config = `${memory}listener "tcp" {\n  address = "${address}"\n  tls_disable = true\n}`;
  await expectRefusal({ config }, address, /in use/);
  await new Promise((resolve) => holder.close(resolve));
});

test("a PostgreSQL that is away", () => {
  const url = "postgres://somebody:hunter2@127.0.0.1:1/nowhere";
  const config = `storage "postgresql" {\n  connection_url = "${url}"\n}\n${listener}`;
  return expectRefusal({ config }, "nothing answers", /^(?![\s\S]*hunter2)/);
});
