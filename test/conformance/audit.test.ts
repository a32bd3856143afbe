import { mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

let server: KernelCaller;
let folder: string;
let file: string;

beforeEach(async () => {
  server = await new KernelCaller(engines).initialize();
  folder = await mkdtemp(join(tmpdir(), "strongroom-audit-"));
  file = join(folder, "audit.log");
});
afterEach(() => rm(folder, { recursive: true }));

const enable = (options: object = {}, path = "log") =>
  server.call("write", `sys/audit/${path}`, { type: "file", options: { file_path: file, ...options } });

const entries = async () => {
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  return lines.slice(1).map((line) => JSON.parse(line));
};

describe("entries", () => {
  test("a request has two, with who, what and with what right", async () => {
    await enable();
    await server.call("write", "cubbyhole/a", { password: "hunter2", count: 3, list: ["x", ""] });
    const [request, response] = (await entries()).slice(-2);
    expect(request).toMatchObject({
      type: "request",
      time: "2030-01-01T00:00:00.000Z",
      auth: {
        display_name: "root",
        policies: ["root"],
        policy_results: { allowed: true, granting_policies: [{ name: "root", type: "acl" }] },
        token_type: "service",
      },
      request: {
        id: "request",
        operation: "create",
        mount_point: "cubbyhole/",
        mount_type: "cubbyhole",
        path: "cubbyhole/a",
        remote_address: "127.0.0.1",
        data: { count: 3 },
      },
    });
    expect(request.request.data.password).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect(request.request.data.list).toHaveLength(2);
    expect(response).toMatchObject({ type: "response", request: { id: "request" } });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("tells the namespace of the request, and that of the policies that allowed it", async () => {
    await enable();
    await server.call("write", "sys/namespaces/a");
    await server.callIn("a", "write", "sys/namespaces/b");
    await server.callIn("a", "write", "sys/policies/acl/p", {
      policy: 'path "b/sys/mounts" { capabilities = ["read"] }',
    });
    const { auth } = await server.callIn("a", "write", "auth/token/create", { policies: ["p"] });
    const ids = [
      (await server.call("read", "sys/namespaces/a")).data.id,
      (await server.callIn("a", "read", "sys/namespaces/b")).data.id,
    ];
    for (const [namespace, path] of [
      ["a/b", "sys/mounts"],
      ["", "a/b/sys/mounts"],
    ] as const) {
      await server.callIn(namespace, "read", path, {}, auth.client_token);
      const [request, response] = (await entries()).slice(-2);
      for (const entry of [request, response]) {
        expect(entry.request).toMatchObject({ path: "sys/mounts", namespace: { id: ids[1], path: "a/b/" } });
        expect(entry.auth.policy_results.granting_policies).toEqual([
          { name: "p", namespace_id: ids[0], namespace_path: "a/", type: "acl" },
        ]);
      }
    }
    await server.callIn("nowhere", "read", "sys/mounts").catch(() => undefined);
    expect((await entries()).at(-1)).toMatchObject({ error: "namespace not found", request: { path: "sys/mounts" } });
  });

  test("no secret is readable anywhere in the log", async () => {
    await enable();
    const { auth } = await server.call("write", "auth/token/create", {
      policies: ["root"],
      meta: { a: "planted-meta" },
    });
    await server.call(
      "write",
      "cubbyhole/a",
      { deep: { list: ["planted-secret"] }, "planted-key": 1 },
      auth.client_token,
    );
    await server.call("read", "cubbyhole/a", {}, auth.client_token);
    await server.call("read", "auth/token/lookup-self", {}, "planted-wrong-token").catch(() => undefined);
    const text = await readFile(file, "utf8");
    for (const secret of [
      server.rootToken,
      auth.client_token,
      auth.accessor,
      "planted-secret",
      "planted-wrong-token",
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test("a refused request has both entries, and says why", async () => {
    await enable();
    await server.call("read", "cubbyhole/a", {}, "s.nobody").catch(() => undefined);
    const [request, response] = (await entries()).slice(-2);
    expect(request).toMatchObject({ type: "request", error: "permission denied" });
    expect(response).toMatchObject({ type: "response", error: "permission denied" });
  });

  test("hashes can be asked for, and differ between devices", async () => {
    await enable();
    await enable({ file_path: join(folder, "other.log") }, "other");
    const hash = async (path: string) =>
      (await server.call("write", `sys/audit-hash/${path}`, { input: "hunter2" })).data.hash;
    await server.call("write", "cubbyhole/a", { password: "hunter2" });
    expect(await readFile(file, "utf8")).toContain(await hash("log"));
    expect(await hash("log")).not.toBe(await hash("other"));
  });

  test.each([
    ["log_raw", { log_raw: "true" }, "hunter2"],
    ["prefix", { prefix: "audit: " }, "audit: {"],
    ["hmac_accessor", { hmac_accessor: "false" }, '"client_token_accessor":"'],
  ])("the option %s", async (_name, options, expected) => {
    await enable(options);
    await server.call("write", "cubbyhole/a", { password: "hunter2" });
    expect(await readFile(file, "utf8")).toContain(expected);
  });

  test("lists can be elided, and a mount can show keys in clear", async () => {
    await enable({ elide_list_responses: "true" });
    await server.call("write", "cubbyhole/visible", { v: 1 });
    await server.call("list", "cubbyhole");
    expect((await entries()).at(-1).response.data).toEqual({ keys: 1 });
    await server.call("write", "sys/mounts/open", { type: "kv", config: { audit_non_hmac_request_keys: ["shown"] } });
    await server.call("write", "open/x", { shown: "in clear", hidden: "not" });
    expect((await entries()).at(-1).request.data).toMatchObject({
      shown: "in clear",
      hidden: expect.stringMatching(/^hmac/),
    });
  });

  test("a file that was moved away is made again on reopening", async () => {
    await enable();
    await rename(file, `${file}.1`);
    await server.kernel.auditDevices.reopen();
    await server.call("read", "auth/token/lookup-self");
    expect((await readFile(file, "utf8")).trim().split("\n")).toHaveLength(2);
  });
});

describe("devices", () => {
  test.each([
    [{ type: "file" }, "file_path is required"],
    [{ type: "file", options: { file_path: "relative.log" } }, "must be an absolute path"],
    [{ type: "file", options: { file_path: "/etc/strongroom-audit.log" } }, "inside one of the folders"],
    [{ type: "file", options: { file_path: `${tmpdir()}/nowhere/a.log` } }, "does not exist"],
    [{ type: "file", options: { file_path: `${tmpdir()}/a.log`, mode: "rw" } }, "octal digits"],
    [{ type: "socket", options: { address: "nonsense" } }, "a host and a port"],
    [{ type: "socket", options: { address: "127.0.0.1:1" } }, "failed test message"],
    [{ type: "http", options: { uri: "ftp://x" } }, "http:// or https://"],
    [{ type: "syslog", options: { facility: "moon" } }, "facility must be one of"],
    [{ type: "file", options: { file_path: `${tmpdir()}/a.log`, write_timeout: "2h" } }, "at most a minute"],
    [{ type: "carrier-pigeon" }, "the type must be one of file, socket, syslog, http"],
  ])("%j is refused", async (body, message) => {
    await expect(server.call("write", "sys/audit/x", body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  });

  test("are listed without their salt, and removed", async () => {
    await enable();
    const { data } = await server.call("read", "sys/audit");
    expect(data).toMatchObject({ "log/": { type: "file", path: "log/", options: { file_path: file } } });
    expect(JSON.stringify(data)).not.toContain("salt");
    await expect(enable()).rejects.toThrow("path already in use");
    await server.call("delete", "sys/audit/log");
    expect((await server.call("read", "sys/audit")).data).toEqual({});
  });
});

describe("when no device can record", () => {
  let sink: Server;
  let isBroken = false;

  beforeEach(async () => {
    isBroken = false;
    sink = createServer((request, response) => {
      request.resume();
      request.on("end", () => response.writeHead(isBroken ? 500 : 204).end());
    });
    await new Promise<void>((done) => sink.listen(0, "127.0.0.1", done));
    const uri = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`;
    await server.call("write", "sys/audit/remote", { type: "http", options: { uri } });
  });
  afterEach(() => void sink.close());

  test("nothing goes through but health, and work resumes by itself", async () => {
    isBroken = true;
    await expect(server.call("write", "cubbyhole/a", { v: 1 })).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining("audit unavailable"),
    });
    await server.call("read", "sys/health");
    isBroken = false;
    await expect(server.call("read", "cubbyhole/a")).rejects.toMatchObject({ status: 404 });
    await server.call("write", "cubbyhole/a", { v: 1 });
  });

  test("one device that works is enough", async () => {
    await enable();
    isBroken = true;
    await server.call("write", "cubbyhole/a", { v: 1 });
    expect((await server.call("read", "cubbyhole/a")).data).toEqual({ v: 1 });
  });
});
