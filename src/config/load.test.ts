import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadServerConfig } from "./load.ts";

const whole = 'listener "tcp" { tls_disable = true }\nstorage "inmem" {}\n';
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "strongroom-config-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe("loadServerConfig", () => {
  it("reads one file, whatever it is called", async () => {
    const { config } = await loadServerConfig([await file("server.conf", `${whole}ui = true`)]);
    expect(config.ui).toBe(true);
  });

  it("reads the files of a folder in alphabetical order, and leaves others alone", async () => {
    await file("20-more.json", '{"cluster_name": "twenty"}');
    await file("10-base.hcl", `${whole}cluster_name = "ten"\nlog_level = "debug"`);
    await file("30-last.hcl~", "broken");
    await file(".hidden.hcl", "broken");
    await file("#draft.hcl", "broken");
    await file("readme.txt", "broken");
    const { config, warnings } = await loadServerConfig([folder]);
    expect(config).toMatchObject({ cluster_name: "twenty", log_level: "debug" });
    expect(warnings).toEqual([]);
  });

  it("reads several paths in the order that they are given", async () => {
    const first = await file("z.hcl", `${whole}cluster_name = "first"`);
    const second = await file("a.hcl", 'cluster_name = "second"');
    expect((await loadServerConfig([first, second])).config.cluster_name).toBe("second");
    expect((await loadServerConfig([second, first])).config.cluster_name).toBe("first");
  });

  it("puts the base before the files, and asks the environment", async () => {
    const base = [{ file: "-dev", text: `${whole}ui = true\ncluster_name = "base"` }];
    const path = await file("a.hcl", 'cluster_name = "file"');
    const { config } = await loadServerConfig([path], { base, environment: { BAO_LOG_LEVEL: "trace" } });
    expect(config).toMatchObject({ ui: true, cluster_name: "file", log_level: "trace" });
  });

  it("lets flags win over everything", async () => {
    const path = await file("a.hcl", `${whole}log_level = "debug"\ncluster_name = "file"`);
    const environment = { BAO_LOG_LEVEL: "trace" };
    const flags = { log_level: "error", log_format: undefined };
    const { config, warnings } = await loadServerConfig([path], { environment, flags });
    expect(config).toMatchObject({ log_level: "error", log_format: "standard", cluster_name: "file" });
    expect(warnings).toEqual([]);
    await expect(loadServerConfig([path], { environment, flags: { log_level: "loud" } })).rejects.toThrow(
      'flag -log-level: log_level: "loud" is not allowed: use one of "trace", "debug", "info", "warn", "error"',
    );
  });

  it("reads a file that begins with a byte order mark", async () => {
    expect((await loadServerConfig([await file("a.hcl", `\ufeff${whole}`)])).warnings).toEqual([]);
  });

  it("names the file, line and column of what is wrong", async () => {
    const path = await file("a.hcl", `${whole}  ui = 7`);
    await expect(loadServerConfig([path])).rejects.toThrow(`${path}:3:8: ui: must be true or false`);
  });

  it("tells of all files that cannot be read", async () => {
    const empty = join(folder, "empty");
    await mkdir(empty);
    const binary = await file("binary.hcl", Buffer.of(0xff, 0xfe, 0));
    const missing = join(folder, "missing.hcl");
    await expect(loadServerConfig([missing, empty, binary])).rejects.toThrow(
      [
        "the configuration has 3 errors:",
        `  ${missing}: there is no such file or folder`,
        `  ${empty}: the folder has no .hcl or .json file`,
        `  ${binary}: this is not a text file in UTF-8`,
      ].join("\n"),
    );
  });

  it("tells when a file may not be read", async ({ skip }) => {
    if (process.getuid?.() === 0) skip("root may read everything");
    const path = await file("secret.hcl", whole);
    await chmod(path, 0);
    await expect(loadServerConfig([path])).rejects.toThrow(`${path}: the file may not be read by this user`);
  });

  it("takes a .json file as JSON only", async () => {
    const path = await file("a.json", whole);
    await expect(loadServerConfig([path])).rejects.toThrow(`${path}:1:1: expected a value, found "l"`);
  });
});
