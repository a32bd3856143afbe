import { createHash } from "node:crypto";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KernelCaller } from "../../test/support/kernel-caller.ts";
import { enginesFor } from "./database-plugins.ts";

const example = join(import.meta.dirname, "../../examples/example-database-plugin.mjs");
let folder: string;
let hash: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "strongroom-plugins-"));
  await copyFile(example, join(folder, "example.mjs"));
  hash = createHash("sha256")
    .update(await readFile(example))
    .digest("hex");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const load = (...pins: string[]) => enginesFor({ plugin_directory: folder, database_plugins: pins });

async function written(name: string, source: string): Promise<string> {
  await writeFile(join(folder, name), source);
  return `${name}=${createHash("sha256").update(source).digest("hex")}`;
}

it("runs the example of the guide, and lists it in the catalog", async () => {
  const server = await new KernelCaller(await load(`example.mjs=${hash}`)).initialize();
  await server.call("write", "sys/mounts/database", { type: "database" });
  const file = join(folder, "users.json");
  const connection = { plugin_name: "example-database-plugin", file, allowed_roles: "*" };
  await server.call("write", "database/config/example", connection);
  await server.call("write", "database/roles/app", {
    db_name: "example",
    credential_type: "rsa_private_key",
    creation_statements: "reader",
  });
  const { data, registered } = (await server.call("read", "database/creds/app")).data;
  expect(data.rsa_private_key).toContain("BEGIN PRIVATE KEY");
  expect(JSON.parse(await readFile(file, "utf8"))[data.username]).toMatchObject({ role: "reader" });
  await server.call("write", "sys/leases/revoke", { lease_id: registered.id });
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({});
  const { data: entry } = await server.call("read", "sys/plugins/catalog/database/example-database-plugin");
  expect(entry).toMatchObject({ builtin: false, sha256: hash, version: "v1.0.0" });
  const { data: catalog } = await server.call("read", "sys/plugins/catalog");
  expect(catalog.database).toContain("searchengine-database-plugin");
  await server.kernel.stop();
});

it("adds nothing where nothing is configured", async () => {
  expect((await enginesFor({ plugin_directory: undefined, database_plugins: [] })).length).toBeGreaterThan(3);
});

describe("refuses", () => {
  it.each([
    ["a pin without a hash", "example.mjs", "is not <file>=<SHA-256"],
    ["a path in place of a name", `../example.mjs=${"0".repeat(64)}`, "is not <file>=<SHA-256"],
    ["a file that is not there", `none.mjs=${"0".repeat(64)}`, "cannot be read"],
    ["another hash", `example.mjs=${"0".repeat(64)}`, "and not the one that is configured"],
  ])("%s", async (_, pin, problem) => {
    await expect(load(pin)).rejects.toThrow(problem);
  });

  it("what is no plugin, and names that are taken", async () => {
    await expect(load(await written("empty.mjs", "export const x = 1;"))).rejects.toThrow(
      "exports no function `plugin`",
    );
    await expect(load(await written("bad.mjs", 'export const plugin = () => ({ name: "x" });'))).rejects.toThrow(
      "its name must have the form",
    );
    await expect(load(`example.mjs=${hash}`, `example.mjs=${hash}`)).rejects.toThrow("there is a plugin named example");
    await expect(enginesFor({ plugin_directory: undefined, database_plugins: ["x"] })).rejects.toThrow(
      "needs plugin_directory",
    );
  });
});
