/** The search engine plugin on real Elasticsearch, and the proof that the stand-in of the other tests answers as it does. */
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ToolUnavailable } from "../../scripts/interop/cached-tool.ts";
import { type Elasticsearch, type Major, startElasticsearch } from "../../scripts/interop/elasticsearch.ts";
import { database } from "../../src/engines/database/engine.ts";
import { KernelCaller } from "../support/kernel-caller.ts";
import { type SearchEngineServer, startSearchEngine } from "../support/search-engine-server.ts";

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

async function ask(url: string, method: string, path: string, body: unknown, user: string, password: string) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: basic(user, password),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const json = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined;
  return { status: response.status, json };
}

describe.each<Major>(["8", "6"])("Elasticsearch %s", (major) => {
  let real: Elasticsearch;
  let standIn: SearchEngineServer;
  let server: KernelCaller;
  let unavailable = "";

  beforeAll(async () => {
    try {
      real = await startElasticsearch(major);
    } catch (error) {
      if (!(error instanceof ToolUnavailable)) throw error;
      unavailable = error.message;
      return;
    }
    standIn = await startSearchEngine(real.password);
    server = await new KernelCaller([database]).initialize();
    await server.call("write", "sys/mounts/database", { type: "database" });
    for (const url of [real.url, standIn.url]) {
      const managed = { cluster: ["manage_security"], indices: [] };
      await ask(url, "PUT", "/_security/role/manager", managed, "elastic", real.password);
      await ask(
        url,
        "PUT",
        "/_security/user/manager",
        { password: "manager-secret", roles: ["manager"] },
        "elastic",
        real.password,
      );
    }
  });

  beforeEach(({ skip }) => skip(unavailable !== "", unavailable));

  afterAll(async () => {
    await server?.kernel.stop();
    await standIn?.stop();
    await real?.stop();
  });

  const logsIn = async (user: string, password: string) =>
    (await ask(real.url, "GET", "/_security/_authenticate", undefined, user, password)).status === 200;

  it("gives users their whole life", async () => {
    const connection = {
      plugin_name: "searchengine-database-plugin",
      url: real.url,
      username: "manager",
      password: "manager-secret",
    };
    await server.call("write", "database/config/search", { ...connection, allowed_roles: "*" });
    await expect(
      server.call("write", "database/config/wrong", { ...connection, password: "wrong-secret" }),
    ).rejects.toMatchObject({ status: 400 });
    const statement = {
      searchengine_roles: ["kibana_user"],
      full_name: "A reader",
      email: "a@example.com",
      metadata: { team: "x" },
    };
    await server.call("write", "database/roles/reader", { db_name: "search", creation_statements: [statement] });
    const { data, registered } = (await server.call("read", "database/creds/reader")).data;
    expect(await logsIn(data.username, data.password)).toBe(true);
    await server.call("write", "sys/leases/renew", { lease_id: registered.id });
    await server.call("write", "sys/leases/revoke", { lease_id: registered.id });
    expect(await logsIn(data.username, data.password)).toBe(false);

    await ask(real.url, "PUT", "/_security/user/app", { password: "app-secret", roles: [] }, "elastic", real.password);
    await server.call("write", "database/static-roles/app", {
      db_name: "search",
      username: "app",
      rotation_period: 60,
    });
    const { password } = (await server.call("read", "database/static-creds/app")).data;
    expect([await logsIn("app", "app-secret"), await logsIn("app", password)]).toEqual([false, true]);

    await server.call("write", "database/rotate-root/search");
    expect(await logsIn("manager", "manager-secret")).toBe(false);
    await server.call("write", "database/reset/search");
    await ask(
      real.url,
      "POST",
      "/_security/user/manager/_password",
      { password: "manager-secret" },
      "elastic",
      real.password,
    );
  });

  it("is spoken to under its old paths", async ({ skip }) => {
    skip(major !== "6", "only the old version has them");
    const { port } = new URL(real.url);
    const proxy = createServer((request, response) => {
      const path = request.url!.replace("/_ext/security", "/_xpack/security");
      const options = { host: "127.0.0.1", port, path, method: request.method, headers: request.headers };
      request.pipe(
        forward(options, (answer) => {
          response.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(response);
        }),
      );
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const connection = {
      plugin_name: "searchengine-database-plugin",
      url,
      username: "manager",
      password: "manager-secret",
    };
    await server.call("write", "database/config/old", { ...connection, use_old_ext: true, allowed_roles: "*" });
    await server.call("write", "database/roles/old", {
      db_name: "old",
      creation_statements: ['{"searchengine_roles":["x"]}'],
    });
    const { data } = (await server.call("read", "database/creds/old")).data;
    expect(await logsIn(data.username, data.password)).toBe(true);
    await server.call("write", "sys/leases/revoke-prefix/database/creds/old");
    proxy.closeAllConnections();
    proxy.close();
  });

  const user = { password: "long-enough", roles: ["viewer"] };
  it.each<[string, string, unknown]>([
    ["GET", "/_security/_authenticate", undefined],
    ["PUT", "/_security/user/u1", user],
    ["PUT", "/_security/user/u1", user],
    ["PUT", "/_security/user/a%2Fb", user],
    ["GET", "/_security/user/u1", undefined],
    ["GET", "/_security/user/nosuch", undefined],
    ["PUT", "/_security/user/u2", { roles: ["viewer"] }],
    ["PUT", "/_security/user/u2", { password: "short", roles: [] }],
    ["PUT", "/_security/user/u2", { password: "long-enough" }],
    ["PUT", "/_security/user/u2", { ...user, bogus: 1 }],
    ["PUT", "/_security/user/u2", { ...user, metadata: { _x: 1 } }],
    ["PUT", "/_security/user/elastic", user],
    ["POST", "/_security/user/u1/_password", { password: "another-one" }],
    ["POST", "/_security/user/nosuch/_password", { password: "another-one" }],
    ["POST", "/_security/user/u1/_password", { password: "short" }],
    ["POST", "/_security/user/u1/_password", {}],
    ["DELETE", "/_security/user/u1", undefined],
    ["DELETE", "/_security/user/u1", undefined],
    ["DELETE", "/_security/user/elastic", undefined],
    ["GET", "/_nosuch/security/user/u1", undefined],
  ])("answers %s %s %j as the stand-in does", async (method, path, body) => {
    const [one, other] = await Promise.all(
      [real.url, standIn.url].map((url) => ask(url, method, path, body, "elastic", real.password)),
    );
    expect(other!.status).toBe(one!.status);
    for (const key of ["created", "found"]) expect(other!.json?.[key], key).toEqual(one!.json?.[key]);
  });

  it("refuses strangers as the stand-in does", async () => {
    for (const [name, password] of [
      ["elastic", "wrong-one"],
      ["nobody", "at-all"],
    ] as const) {
      const [one, other] = await Promise.all(
        [real.url, standIn.url].map((url) => ask(url, "GET", "/_security/_authenticate", undefined, name, password)),
      );
      expect([one!.status, other!.status]).toEqual([401, 401]);
    }
  });
});
