/**
 * Plants secrets in every place of a request, and looks for them in all that a server writes: there must be none. Paths,
 * names of fields, policies and the metadata of tokens are told in clear by design, and hold none.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HttpCaller } from "../support/http-caller.ts";
import { plainListener, ServerProcess } from "../support/server-process.ts";

let folder: string;
let auditFile: string;
let server: ServerProcess;
let caller: HttpCaller;
/** Everything that nobody may read anywhere, with the place that it was planted in. */
const secrets = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "strongroom-planted-"));
  auditFile = join(folder, "audit.log");
  server = await ServerProcess.start({
    config: {
      storage: { lmdb: { path: join(folder, "data") } },
      listener: plainListener,
      log_level: "trace",
      audit: [{ file: { main: { options: { file_path: auditFile } } } }],
    },
  });
  caller = server.caller();
});

afterAll(async () => {
  caller?.close();
  await server?.kill();
  await rm(folder, { recursive: true, force: true });
});

let planted = 0;
/** A value that is like no other, and is looked for later. */
function plant(place: string): string {
  planted += 1;
  const secret = `planted-${planted}-${Math.random().toString(36).slice(2)}zq`;
  secrets.set(secret, place);
  return secret;
}

const note = (place: string, secret: string): string => {
  secrets.set(secret, place);
  return secret;
};

/** Refusals are texts that a client may log. */
const refusals: string[] = [];
async function send(...call: Parameters<HttpCaller["call"]>) {
  const answer = await caller.call(...call);
  if (answer.status >= 400) refusals.push(answer.text);
  return answer;
}

test("no secret is in the audit log, the server's log, the metrics or an error", async () => {
  const init = (await caller.demand("POST", "sys/init", { secret_shares: 1, secret_threshold: 1 })).json;
  note("unseal key", init.keys[0]);
  note("unseal key in base64", init.keys_base64[0]);
  caller.token = note("root token", init.root_token);
  await send("POST", "sys/unseal", { key: "00".repeat(33) });
  await caller.demand("POST", "sys/unseal", { key: init.keys[0] });

  await secretsOfTokens();
  await secretsOfEngines();
  await secretsOfLogins();
  await secretsInWrongPlaces();

  const audit = await readFile(auditFile, "utf8");
  expect(audit.split("\n").length).toBeGreaterThan(60);
  const metrics = [
    (await caller.demand("GET", "sys/metrics?format=prometheus")).text,
    (await caller.demand("GET", "sys/metrics")).text,
    (await caller.demand("GET", "sys/in-flight-req")).text,
  ].join("\n");
  await server.stop();
  const written = { "audit log": audit, log: server.output, metrics, errors: refusals.join("\n") };
  expect(written.log).toContain("server started");
  const found = Object.entries(written).flatMap(([where, text]) =>
    [...secrets].filter(([secret]) => text.includes(secret)).map(([, place]) => `${place} in the ${where}`),
  );
  expect(found).toEqual([]);
});

async function secretsOfTokens(): Promise<void> {
  const { auth } = (await caller.demand("POST", "auth/token/create", { policies: ["root"], ttl: "1h" })).json;
  note("client token", auth.client_token);
  note("accessor", auth.accessor);
  const chosen = plant("token id that was chosen");
  await send("POST", "auth/token/create", { id: chosen });
  for (const path of ["lookup", "renew", "revoke"]) await send("POST", `auth/token/${path}`, { token: chosen });
  await send("POST", "auth/token/lookup-accessor", { accessor: auth.accessor });
  await send("GET", "auth/token/lookup-self", undefined, { token: plant("token that is wrong") });
  await send("GET", "secret/data/a", undefined, { headers: { authorization: `Bearer ${plant("bearer token")}` } });
  await send("POST", "sys/capabilities", { token: auth.client_token, path: "a" });
  await send("POST", "sys/capabilities-explain", { token: auth.client_token, path: "a" });
  const batch = (await caller.demand("POST", "auth/token/create", { type: "batch", policies: ["default"] })).json;
  note("batch token", batch.auth.client_token);
}

async function secretsOfEngines(): Promise<void> {
  await caller.demand("POST", "sys/mounts/secret", { type: "kv", options: { version: "2" } });
  await caller.demand("POST", "sys/mounts/old", { type: "kv" });
  const data = {
    password: plant("KV data"),
    deep: { list: [plant("a list in KV data"), { a: plant("deep KV data") }] },
  };
  await caller.demand("POST", "secret/data/app", { data });
  await caller.demand("GET", "secret/data/app");
  const mergePatch = { headers: { "content-type": "application/merge-patch+json" } };
  await send("PATCH", "secret/data/app", { data: { more: plant("KV patch") } }, mergePatch);
  await send("POST", "secret/metadata/app", { custom_metadata: { a: plant("KV metadata") } });
  await caller.demand("POST", "old/app", { value: plant("KV of the first version") });
  await caller.demand("GET", "old/app");
  await caller.demand("POST", "cubbyhole/mine", { value: plant("cubbyhole") });
  await caller.demand("GET", "cubbyhole/mine");

  const wrap = { headers: { "x-vault-wrap-ttl": "60s" } };
  const wrapped = (await caller.demand("GET", "secret/data/app", undefined, wrap)).json;
  const wrapping = note("wrapping token", wrapped.wrap_info.token);
  await send("POST", "sys/wrapping/lookup", { token: wrapping });
  await caller.demand("POST", "sys/wrapping/unwrap", { token: wrapping });
  await send("POST", "sys/wrapping/unwrap", { token: wrapping });
  const own = (await caller.demand("POST", "sys/wrapping/wrap", { value: plant("wrapped data") }, wrap)).json;
  const again = (await caller.demand("POST", "sys/wrapping/rewrap", { token: note("wrap", own.wrap_info.token) })).json;
  await caller.demand("POST", "sys/wrapping/unwrap", {}, { token: note("rewrapped", again.wrap_info.token) });
  await caller.demand("POST", "sys/audit-hash/main", { input: plant("text to hash") });
  await caller.demand("POST", "sys/tools/hash", { input: Buffer.from(plant("text for a tool")).toString("base64") });
  const random = (await caller.demand("POST", "sys/tools/random/32", {})).json;
  note("random bytes", random.data.random_bytes);
}

async function secretsOfLogins(): Promise<void> {
  await caller.demand("POST", "sys/auth/userpass", { type: "userpass" });
  await caller.demand("POST", "sys/auth/approle", { type: "approle" });
  const password = plant("password");
  await caller.demand("POST", "auth/userpass/users/ada", { password, token_policies: "default" });
  const login = (await caller.demand("POST", "auth/userpass/login/ada", { password }, { token: "" })).json;
  note("token of a login", login.auth.client_token);
  await send("POST", "auth/userpass/login/ada", { password: plant("wrong password") }, { token: "" });
  await send("POST", "auth/userpass/login/nobody", { password: plant("password of nobody") }, { token: "" });
  await send("POST", "auth/userpass/users/ada/password", { password: plant("new password") });

  await caller.demand("POST", "auth/approle/role/web", { token_policies: "default" });
  const made = (await caller.demand("POST", "auth/approle/role/web/secret-id", { metadata: "{}" })).json.data;
  const role = (await caller.demand("GET", "auth/approle/role/web/role-id")).json.data;
  const credentials = { role_id: role.role_id, secret_id: note("secret id", made.secret_id) };
  note("token of a role", (await caller.demand("POST", "auth/approle/login", credentials)).json.auth.client_token);
  await send("POST", "auth/approle/login", { ...credentials, secret_id: plant("wrong secret id") });
  await send("POST", "auth/approle/role/web/custom-secret-id", { secret_id: plant("chosen secret id") });
  await send("POST", "auth/approle/role/web/secret-id/lookup", { secret_id: made.secret_id });
  await send("POST", "auth/approle/role/web/secret-id/destroy", { secret_id: made.secret_id });
}

/** People make mistakes: secrets where none belong, in bodies that are none, with types that are wrong. */
async function secretsInWrongPlaces(): Promise<void> {
  await send("POST", "secret/data/app", `{"data": "${plant("broken JSON")}`);
  await send("POST", "secret/data/app", { data: plant("text in place of an object") });
  await send("POST", "secret/data/app", { data: { a: 1 }, options: { cas: plant("text in place of a number") } });
  await send("POST", "secret/data/app", { unknown: plant("unknown field") });
  await send("POST", "auth/token/create", { ttl: plant("text in place of a duration") });
  await send("POST", "auth/token/create", { num_uses: plant("text in place of a count"), policies: { a: 1 } });
  await send("POST", "auth/userpass/users/eve", { password: [plant("list in place of a password")] });
  await send("POST", "auth/userpass/users/eve", { password_hash: plant("hash that is none") });
  await send("POST", "auth/approle/login", {
    role_id: plant("role id that is wrong"),
    secret_id: { a: plant("object") },
  });
  await send("GET", `auth/token/lookup-self?token=${plant("token in a query")}`);
  await send("GET", `secret/data/app?version=${plant("text in a query")}`);
  await send("DELETE", `secret/data/app?password=${plant("query of a deletion")}`);
  await send("POST", "sys/unseal", { key: plant("key that is none") });
  await send("GET", "cubbyhole/mine", undefined, { headers: { "x-vault-wrap-ttl": plant("wrap time") } });
  await send("GET", "cubbyhole/mine", undefined, {
    headers: { cookie: plant("cookie"), "x-api-key": plant("header") },
  });
  await send("GET", "cubbyhole/mine", undefined, { headers: { "x-vault-mfa": `totp:${plant("second factor")}` } });
  await send("POST", "sys/rekey/update", { key: plant("share"), nonce: "x" });
  await send("POST", "sys/generate-root/update", { key: plant("share of a root token"), nonce: "x" });
  await send("POST", "sys/decode-token", { encoded_token: plant("encoded token"), otp: plant("one-time password") });
}
