/** Servers from what is built, on one LMDB folder that was filled through their own API. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerOptions, ServerProcess, selfUnsealing } from "../test/support/server-process.ts";
import type { HelperProcess } from "./helper-process.ts";

export interface Prepared {
  readonly options: ServerOptions;
  readonly token: string;
  destroy(): Promise<void>;
}

/** `big` and `small` hold these numbers of secrets. */
export async function prepareStore(generator: HelperProcess, big: number, small: number): Promise<Prepared> {
  const folder = await mkdtemp(join(tmpdir(), "strongroom-bench-"));
  const options = { ...selfUnsealing({ lmdb: { path: folder } }), program: "dist/cli/main.js" };
  const server = await ServerProcess.start(options);
  const caller = server.caller();
  caller.token = (await caller.demand("POST", "sys/init", {})).json.root_token;
  await caller.demand("POST", "sys/mounts/secret", { type: "kv", options: { version: "2" } });
  await caller.demand("POST", "sys/policies/acl/bench", { policy: policy });
  const { auth } = (await caller.demand("POST", "auth/token/create", { policies: ["bench"], ttl: "24h" })).json;
  caller.close();
  for (const [name, requests] of Object.entries({ big, small })) {
    await generator.measure({
      ports: [Number(new URL(server.url).port)],
      connections: 128,
      method: "POST",
      path: `/v1/secret/data/${name}/{unique}`,
      body: secret,
      token: auth.client_token,
      requests,
      from: 0,
    });
  }
  await server.stop();
  return { options, token: auth.client_token, destroy: () => rm(folder, { recursive: true, force: true }) };
}

const policy = `
path "secret/data/*" {
  capabilities = ["create", "update", "read"]
}
path "secret/metadata/*" {
  capabilities = ["list"]
}`;

/** About what a database user with its password takes. */
export const secret = JSON.stringify({
  data: { username: "application-{unique}", password: "correct horse battery staple", host: "db.example.com:5432" },
});
