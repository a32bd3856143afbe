/** Requests exactly as stock clients send them, and what these clients read from the answers. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpAnswer } from "../support/http-caller.ts";
import { developmentServer, type ServerProcess } from "../support/server-process.ts";

interface Shape {
  /** What the user did. */
  readonly what: string;
  /** Method and path below `/v1/`. */
  readonly sends: string;
  /** An object is sent as JSON, a string as it is; neither with a content type. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** A part of the answer. */
  readonly reads?: object;
}

const any = expect.anything();
const text = expect.any(String);
const whole = expect.any(Number);
const mergePatch = { "content-type": "application/merge-patch+json" };
const dead = { "x-vault-token": "s.gone" };
const semantic = expect.stringMatching(/^\d+\.\d+\.\d+/);

let server: ServerProcess;
const kept: Record<string, string> = {};

beforeAll(async () => {
  server = await developmentServer();
});
afterAll(() => server.kill());

/** What an earlier answer said stands in braces. */
const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => kept[name] ?? "");

async function send({ sends, body, headers = {} }: Shape, own: Readonly<Record<string, string>>): Promise<HttpAnswer> {
  const [method = "", path = ""] = sends.split(" ");
  const sent = body && filled(typeof body === "string" ? body : JSON.stringify(body));
  return server.caller("root").call(method, filled(path), sent, {
    headers: Object.fromEntries(Object.entries({ ...own, ...headers }).map(([name, value]) => [name, filled(value)])),
  });
}

/** Keeps the parts of an answer that clients send back. */
function keep({ data, auth }: { data?: Record<string, string>; auth?: Record<string, string> }): void {
  for (const name of ["migration_id", "role_id", "secret_id"]) kept[name] = data?.[name] ?? kept[name] ?? "";
  kept["client_token"] = auth?.["client_token"] ?? kept["client_token"] ?? "";
}

/** The steps of one client build on each other. */
function scenario(client: string, headers: Readonly<Record<string, string>>, shapes: readonly Shape[]): void {
  describe(client, () => {
    test.for(shapes)("$what", async (shape) => {
      const answer = await send(shape, headers);
      expect({ status: answer.status, ...(shape.reads && { reads: answer.json }) }).toMatchObject({
        status: shape.status,
        ...(shape.reads && { reads: shape.reads }),
      });
      if (answer.status === 204) expect(answer.text).toBe("");
      keep(answer.json ?? {});
    });
  });
}

const mount = { options: null, default_lease_ttl: "", max_lease_ttl: "", force_no_cache: false };

scenario("the Go command line", { "user-agent": "Go-http-client/1.1", "x-vault-request": "true" }, [
  {
    what: "status",
    sends: "GET sys/seal-status",
    status: 200,
    reads: { type: "shamir", initialized: true, sealed: false, t: 1, n: 1, version: semantic, storage_type: "inmem" },
  },
  { what: "status, who leads", sends: "GET sys/leader", status: 200, reads: { ha_enabled: false } },
  {
    what: "login",
    sends: "GET auth/token/lookup-self",
    status: 200,
    reads: { data: { id: "root", policies: ["root"], ttl: 0, renewable: false, type: "service" }, auth: null },
  },
  { what: "login with a dead token", sends: "GET auth/token/lookup-self", headers: dead, status: 403 },
  {
    what: "token create, with every field",
    sends: "POST auth/token/create",
    body: {
      policies: ["default"],
      ttl: "0s",
      explicit_max_ttl: "0s",
      period: "0s",
      display_name: "",
      num_uses: 0,
      renewable: true,
      no_parent: false,
      no_default_policy: false,
      type: "service",
      entity_alias: "",
      meta: null,
    },
    status: 200,
    reads: { auth: { client_token: text, policies: ["default"], renewable: true, lease_duration: 2_764_800 } },
  },
  { what: "token renew, as null", sends: "PUT auth/token/renew-self", body: "null", status: 400 },
  {
    what: "token capabilities",
    sends: "POST sys/capabilities-self",
    body: { path: "secret/a", token: "root" },
    status: 200,
    reads: { capabilities: ["root"], data: { capabilities: ["root"], "secret/a": ["root"] } },
  },
  {
    what: "kv, where the path is mounted",
    sends: "GET sys/internal/ui/mounts/secret/a/b",
    status: 200,
    reads: { data: { path: "secret/", type: "kv", options: { version: "2" } } },
  },
  {
    what: "kv, on a path that nothing is mounted at",
    sends: "GET sys/internal/ui/mounts/nowhere/a",
    status: 403,
    reads: { errors: [expect.stringContaining("preflight capability check returned 403")] },
  },
  {
    what: "kv put",
    sends: "PUT secret/data/a/b",
    body: { data: { x: "1" }, options: {} },
    status: 200,
    reads: { data: { version: 1, created_time: text, deletion_time: "", destroyed: false, custom_metadata: null } },
  },
  {
    what: "kv put -cas=1, as a string",
    sends: "PUT secret/data/a/b",
    body: { data: { x: "2" }, options: { cas: "1" } },
    status: 200,
    reads: { data: { version: 2 } },
  },
  {
    what: "kv patch",
    sends: "PATCH secret/data/a/b",
    body: { data: { y: "3" }, options: {} },
    headers: mergePatch,
    status: 200,
    reads: { data: { version: 3 } },
  },
  { what: "kv get", sends: "GET secret/data/a/b", status: 200, reads: { data: { data: { x: "2", y: "3" } } } },
  {
    what: "kv get -version=1",
    sends: "GET secret/data/a/b?version=1",
    status: 200,
    reads: { data: { data: { x: "1" }, metadata: { version: 1 } } },
  },
  { what: "kv get of nothing", sends: "GET secret/data/none", status: 404, reads: { errors: [] } },
  { what: "kv list", sends: "GET secret/metadata?list=true", status: 200, reads: { data: { keys: ["a/"] } } },
  {
    what: "kv list of a folder",
    sends: "GET secret/metadata/a/?list=true",
    status: 200,
    reads: { data: { keys: ["b"] } },
  },
  { what: "kv list of nothing", sends: "GET secret/metadata/z?list=true", status: 404, reads: { errors: [] } },
  { what: "kv delete", sends: "DELETE secret/data/a/b", status: 204 },
  {
    what: "kv get of a deleted version",
    sends: "GET secret/data/a/b",
    status: 404,
    reads: { data: { data: null, metadata: { version: 3, deletion_time: any, destroyed: false } } },
  },
  { what: "kv undelete, with strings", sends: "PUT secret/undelete/a/b", body: { versions: ["3"] }, status: 204 },
  { what: "kv destroy, with strings", sends: "PUT secret/destroy/a/b", body: { versions: ["1", "2"] }, status: 204 },
  {
    what: "kv metadata put, with strings",
    sends: "POST secret/metadata/a/b",
    body: { max_versions: "5", cas_required: "false", delete_version_after: "1h0m0s", custom_metadata: { a: "b" } },
    status: 204,
  },
  {
    what: "kv metadata get",
    sends: "GET secret/metadata/a/b",
    status: 200,
    reads: {
      data: {
        current_version: 3,
        max_versions: 5,
        cas_required: false,
        delete_version_after: "1h0m0s",
        custom_metadata: { a: "b" },
        versions: { "1": { destroyed: true }, "2": { destroyed: true }, "3": { deletion_time: "", destroyed: false } },
      },
    },
  },
  { what: "kv metadata delete", sends: "DELETE secret/metadata/a/b", status: 204 },
  {
    what: "secrets enable, with every field",
    sends: "POST sys/mounts/one",
    body: {
      type: "kv",
      description: "",
      config: mount,
      local: false,
      seal_wrap: false,
      external_entropy_access: false,
      options: null,
    },
    status: 204,
  },
  {
    what: "secrets list",
    sends: "GET sys/mounts",
    status: 200,
    reads: {
      "one/": { type: "kv", accessor: text, config: { default_lease_ttl: 0, max_lease_ttl: 0 } },
      data: { "secret/": { options: { version: "2" } }, "sys/": any, "identity/": any, "cubbyhole/": any },
    },
  },
  {
    what: "secrets tune, an empty lifetime stays",
    sends: "POST sys/mounts/one/tune",
    body: { ...mount, default_lease_ttl: "1h0m0s", description: "tuned" },
    status: 204,
  },
  {
    what: "secrets tune, read back",
    sends: "GET sys/mounts/one/tune",
    status: 200,
    reads: { data: { default_lease_ttl: 3600, max_lease_ttl: 2_764_800, description: "tuned" } },
  },
  { what: "write", sends: "PUT one/x", body: { number: "1", flag: "true" }, status: 204 },
  { what: "read", sends: "GET one/x", status: 200, reads: { data: { number: "1", flag: "true" }, lease_id: "" } },
  { what: "list", sends: "GET one?list=true", status: 200, reads: { data: { keys: ["x"] } } },
  { what: "scan", sends: "GET one?scan=true", status: 200, reads: { data: { keys: ["x"] } } },
  { what: "delete", sends: "DELETE one/x", status: 204 },
  { what: "read of nothing", sends: "GET one/x", status: 404, reads: { errors: [] } },
  {
    what: "read where nothing is mounted",
    sends: "GET nowhere/x",
    status: 404,
    reads: { errors: [expect.stringContaining("no handler for route")] },
  },
  {
    what: "secrets move",
    sends: "POST sys/remount",
    body: { from: "one", to: "two" },
    status: 200,
    reads: { data: { migration_id: text } },
  },
  {
    what: "secrets move, how far it is",
    sends: "GET sys/remount/status/{migration_id}",
    status: 200,
    reads: { data: { migration_info: { source_mount: "one/", target_mount: "two/", status: text } } },
  },
  { what: "secrets disable", sends: "DELETE sys/mounts/two", status: 204 },
  { what: "secrets disable of nothing", sends: "DELETE sys/mounts/none", status: 204 },
  { what: "auth list", sends: "GET sys/auth", status: 200, reads: { "token/": { type: "token", accessor: text } } },
  {
    what: "auth tune",
    sends: "POST sys/mounts/auth/token/tune",
    body: { ...mount, default_lease_ttl: "768h0m0s", token_type: "default-service" },
    status: 204,
  },
  {
    what: "auth tune, read back",
    sends: "GET sys/mounts/auth/token/tune",
    status: 200,
    reads: { data: { token_type: text } },
  },
  {
    what: "policy write",
    sends: "PUT sys/policies/acl/mine",
    body: { policy: 'path "secret/*" { capabilities = ["read"] }' },
    status: 204,
  },
  {
    what: "policy read",
    sends: "GET sys/policies/acl/mine",
    status: 200,
    reads: { data: { name: "mine", policy: 'path "secret/*" { capabilities = ["read"] }' } },
  },
  {
    what: "policy list",
    sends: "GET sys/policies/acl?list=true",
    status: 200,
    reads: { data: { keys: ["default", "mine", "root"] } },
  },
  { what: "policy delete", sends: "DELETE sys/policies/acl/mine", status: 204 },
  { what: "policy read of nothing", sends: "GET sys/policies/acl/mine", status: 404, reads: { errors: [] } },
  {
    what: "lease lookup of nothing",
    sends: "PUT sys/leases/lookup",
    body: { lease_id: "secret/none" },
    status: 400,
    reads: { errors: ["invalid lease"] },
  },
  {
    what: "lease revoke -prefix",
    sends: "PUT sys/leases/revoke-prefix/one",
    body: { sync: false },
    status: 202,
  },
  {
    what: "lease revoke -prefix -sync",
    sends: "PUT sys/leases/revoke-prefix/one",
    body: { sync: true },
    status: 204,
  },
  { what: "operator init -status", sends: "GET sys/init", status: 200, reads: { initialized: true } },
  {
    what: "operator init, again",
    sends: "PUT sys/init",
    body: { secret_shares: 5, secret_threshold: 3, stored_shares: 0, pgp_keys: null, recovery_shares: 0 },
    status: 400,
    reads: { errors: ["Vault is already initialized"] },
  },
  {
    what: "operator unseal of an unsealed server",
    sends: "PUT sys/unseal",
    body: { key: "00".repeat(32), reset: false, migrate: false },
    status: 200,
    reads: { sealed: false },
  },
  { what: "operator rotate, with null", sends: "PUT sys/rotate", body: "null", status: 204 },
  { what: "operator rotate", sends: "POST sys/rotate/keyring", status: 204 },
  {
    what: "operator key-status",
    sends: "GET sys/key-status",
    status: 200,
    reads: { term: 3, install_time: text, encryptions: whole, data: { term: 3 } },
  },
  {
    what: "operator rotate-keys -init",
    sends: "POST sys/rotate/root/init",
    body: { secret_shares: 1, secret_threshold: 1, pgp_keys: null, backup: false, require_verification: false },
    status: 200,
    reads: { data: { started: true, nonce: text, t: 1, n: 1, progress: 0, required: 1 } },
  },
  { what: "operator rotate-keys -cancel", sends: "DELETE sys/rotate/root/init", status: 204 },
  {
    what: "operator generate-root -init",
    sends: "PUT sys/generate-root-token/attempt",
    body: { otp: "", pgp_key: "" },
    status: 200,
    reads: { data: { started: true, otp: expect.stringMatching(/^.{26}$/), otp_length: 26, complete: false } },
  },
  {
    what: "operator generate-root -status",
    sends: "GET sys/generate-root-token/attempt",
    status: 200,
    reads: { data: { started: true, progress: 0, required: 1, otp: "" } },
  },
  { what: "operator generate-root -cancel", sends: "DELETE sys/generate-root-token/attempt", status: 204 },
  { what: "path-help", sends: "GET sys/mounts?help=1", status: 200, reads: { help: expect.stringContaining("mount") } },
  {
    what: "write -wrap-ttl=60s",
    sends: "PUT sys/wrapping/wrap",
    body: { a: "b" },
    headers: { "x-vault-wrap-ttl": "1m0s" },
    status: 200,
    reads: { data: null, wrap_info: { token: text, accessor: text, ttl: 60, creation_path: "sys/wrapping/wrap" } },
  },
]);

scenario("Terraform's provider", { "user-agent": "Terraform/1.9", "x-vault-request": "true" }, [
  { what: "version of the server", sends: "GET sys/seal-status", status: 200, reads: { version: semantic } },
  {
    what: "token of its own",
    sends: "POST auth/token/create",
    body: {
      explicit_max_ttl: "1200s",
      ttl: "1200s",
      renewable: false,
      display_name: "terraform",
      num_uses: 0,
      policies: null,
      meta: null,
    },
    status: 200,
    reads: { auth: { client_token: text, lease_duration: 1200, renewable: false, policies: ["root"] } },
  },
  {
    what: "a mount, with what it leaves unset",
    sends: "POST sys/mounts/tf",
    body: {
      type: "kv",
      description: "",
      config: { ...mount, default_lease_ttl: "0s", max_lease_ttl: "0s", audit_non_hmac_request_keys: [] },
      local: false,
      options: { version: "2" },
      seal_wrap: false,
      external_entropy_access: false,
    },
    status: 204,
  },
  {
    what: "a mount, read back",
    sends: "GET sys/mounts/tf",
    status: 200,
    reads: { data: { type: "kv", options: { version: "2" }, accessor: text, config: { default_lease_ttl: 0 } } },
  },
  {
    what: "a secret",
    sends: "PUT tf/data/app",
    body: { data: { name: "x", number: 1, nested: { list: [1, "2"] } }, options: { cas: 0 } },
    status: 200,
    reads: { data: { version: 1 } },
  },
  {
    what: "a secret, read back",
    sends: "GET tf/data/app",
    status: 200,
    reads: { data: { data: { name: "x", number: 1, nested: { list: [1, "2"] } }, metadata: { version: 1 } } },
  },
  {
    what: "settings of the secrets engine",
    sends: "PUT tf/config",
    body: { max_versions: 5, cas_required: false, delete_version_after: "0s" },
    status: 204,
  },
  {
    what: "a token role, with lists and numbers",
    sends: "PUT auth/token/roles/tf",
    body: {
      allowed_policies: ["a"],
      disallowed_policies: [],
      orphan: true,
      renewable: true,
      path_suffix: "",
      token_period: 86_400,
      token_explicit_max_ttl: 0,
      token_bound_cidrs: [],
      token_type: "default-service",
    },
    status: 204,
  },
  {
    what: "a token role, read back",
    sends: "GET auth/token/roles/tf",
    status: 200,
    reads: { data: { name: "tf", allowed_policies: ["a"], orphan: true, token_period: 86_400, renewable: true } },
  },
  { what: "a mount that is gone", sends: "DELETE sys/mounts/tf", status: 204 },
]);

/** What an operator prepares for controllers that log in. */
scenario("an operator", {}, [
  { what: "enables roles", sends: "POST sys/auth/approle", body: { type: "approle" }, status: 204 },
  {
    what: "makes a role",
    sends: "POST auth/approle/role/controller",
    body: { token_policies: "default", token_ttl: "20m", token_max_ttl: "1h", bind_secret_id: true },
    status: 204,
  },
  { what: "reads the role's id", sends: "GET auth/approle/role/controller/role-id", status: 200, reads: { data: any } },
  {
    what: "makes a secret id, without a body",
    sends: "PUT auth/approle/role/controller/secret-id",
    status: 200,
    reads: { data: { secret_id: text, secret_id_accessor: text } },
  },
  { what: "enables users", sends: "POST sys/auth/userpass", body: { type: "userpass" }, status: 204 },
  { what: "makes a user", sends: "POST auth/userpass/users/eve", body: { password: "long enough" }, status: 204 },
]);

const login = { client_token: text, accessor: text, policies: ["default"], renewable: true, lease_duration: 1200 };
const roleLogin = { role_id: "{role_id}", secret_id: "{secret_id}" };
const noToken = { "x-vault-token": "" };
const ownToken = { "x-vault-token": "{client_token}" };

scenario("cert-manager", { "user-agent": "Go-http-client/1.1" }, [
  {
    what: "logs in with a role",
    sends: "POST auth/approle/login",
    body: roleLogin,
    headers: noToken,
    status: 200,
    reads: { auth: login, data: null },
  },
  {
    what: "logs in with a wrong secret",
    sends: "POST auth/approle/login",
    body: { ...roleLogin, secret_id: "wrong" },
    headers: noToken,
    status: 400,
    reads: { errors: [expect.stringContaining("invalid role or secret ID")] },
  },
  {
    what: "health of the server",
    sends: "GET sys/health",
    status: 200,
    reads: { initialized: true, sealed: false, standby: false },
  },
  {
    what: "health with the codes that its library asks for",
    sends:
      "GET sys/health?uninitcode=299&sealedcode=299&standbycode=299&drsecondarycode=299&performancestandbycode=299",
    status: 200,
    reads: { version: text, server_time_utc: whole },
  },
  {
    what: "strings for everything",
    sends: "POST auth/token/create",
    body: { policies: ["default"], ttl: "2160h0m0s", renewable: "true", num_uses: "3", no_default_policy: "false" },
    status: 200,
    reads: { auth: { lease_duration: 2_764_800, num_uses: 3, renewable: true } },
  },
]);

scenario("external-secrets", { "user-agent": "Go-http-client/1.1", "x-vault-request": "true" }, [
  {
    what: "its token",
    sends: "GET auth/token/lookup-self",
    status: 200,
    reads: { data: { type: "service", ttl: 0, expire_time: null } },
  },
  { what: "pushes to a secret that is not there", sends: "GET secret/data/pushed", status: 404, reads: { errors: [] } },
  {
    what: "marks what it pushes",
    sends: "POST secret/metadata/pushed",
    body: { custom_metadata: { "managed-by": "external-secrets" } },
    status: 204,
  },
  {
    what: "reads the mark",
    sends: "GET secret/metadata/pushed",
    status: 200,
    reads: { data: { current_version: 0, custom_metadata: { "managed-by": "external-secrets" } } },
  },
  {
    what: "pushes with check-and-set",
    sends: "POST secret/data/pushed",
    body: { data: { key: "value" }, options: { cas: 0 } },
    status: 200,
    reads: { data: { version: 1 } },
  },
  { what: "reads", sends: "GET secret/data/pushed", status: 200, reads: { data: { data: { key: "value" } } } },
  { what: "lists", sends: "GET secret/metadata/?list=true", status: 200, reads: { data: { keys: ["pushed"] } } },
  { what: "deletes all of it", sends: "DELETE secret/metadata/pushed", status: 204 },
  {
    what: "logs in with a password",
    sends: "PUT auth/userpass/login/eve",
    body: { password: "long enough" },
    headers: noToken,
    status: 200,
    reads: { auth: { client_token: text, metadata: { username: "eve" } } },
  },
  {
    what: "logs in with a role",
    sends: "PUT auth/approle/login",
    body: roleLogin,
    headers: noToken,
    status: 200,
    reads: { auth: login },
  },
  {
    what: "looks how long its token lasts",
    sends: "GET auth/token/lookup-self",
    headers: ownToken,
    status: 200,
    reads: { data: { type: "service", ttl: whole, expire_time: text } },
  },
  {
    what: "revokes its token at the end",
    sends: "PUT auth/token/revoke-self",
    body: "null",
    headers: ownToken,
    status: 204,
  },
  { what: "is forgotten", sends: "GET auth/token/lookup-self", headers: ownToken, status: 403 },
]);

scenario("hvac", { "user-agent": "python-requests/2.32.5", "x-vault-request": "true" }, [
  { what: "health by HEAD", sends: "HEAD sys/health", status: 200 },
  { what: "a write", sends: "POST cubbyhole/a/b", body: { x: 1 }, status: 204 },
  { what: "a list by its method", sends: "LIST cubbyhole/a", status: 200, reads: { data: { keys: ["b"] } } },
  { what: "a list by query", sends: "GET cubbyhole/a?list=True", status: 200, reads: { data: { keys: ["b"] } } },
  { what: "a policy by its older path", sends: "PUT sys/policy/old", body: { policy: "#" }, status: 204 },
  {
    what: "policies at the top",
    sends: "GET sys/policy",
    status: 200,
    reads: { policies: ["default", "old", "root"] },
  },
  { what: "rules at the top", sends: "GET sys/policy/old", status: 200, reads: { name: "old", rules: "#" } },
]);

scenario("node-vault", { "content-type": "application/json", "user-agent": "axios/1.13.6" }, [
  { what: "a list by query", sends: "GET cubbyhole/a?list=1", status: 200, reads: { data: { keys: ["b"] } } },
  { what: "a policy by rules", sends: "PUT sys/policy/rules", body: { rules: "#" }, status: 204 },
  { what: "help", sends: "GET sys/policy?help=1", status: 200, reads: { help: text } },
]);

scenario("curl and other plain clients", {}, [
  {
    what: "a form",
    sends: "POST cubbyhole/form",
    body: "a=1&b=x%20y",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 204,
  },
  { what: "a form, read back", sends: "GET cubbyhole/form", status: 200, reads: { data: { a: "1", b: "x y" } } },
  {
    what: "JSON that says to be a form, as curl -d has it",
    sends: "POST cubbyhole/json",
    body: { a: 1 },
    headers: { "content-type": "application/x-www-form-urlencoded" },
    status: 204,
  },
  { what: "that JSON, read back", sends: "GET cubbyhole/json", status: 200, reads: { data: { a: 1 } } },
  { what: "no body at all", sends: "PUT sys/rotate", status: 204 },
  { what: "a list or not, misspelled", sends: "GET cubbyhole/a?list=banana", status: 400, reads: { errors: [] } },
  { what: "a list and a scan", sends: "GET cubbyhole/a?list=true&scan=true", status: 400 },
  { what: "fields that are unknown, where nothing is answered", sends: "PUT sys/rotate", body: { x: 1 }, status: 204 },
  {
    what: "fields that are unknown, where something is",
    sends: "POST sys/tools/random",
    body: { x: 1 },
    status: 200,
    reads: { warnings: ["Endpoint ignored these unrecognized parameters: [x]"] },
  },
  { what: "broken JSON", sends: "POST cubbyhole/a", body: "{", status: 400 },
  {
    what: "a patch that is none",
    sends: "PATCH secret/data/a",
    body: { data: {} },
    headers: { "content-type": "application/json" },
    status: 415,
  },
  { what: "an unknown method", sends: "PROPFIND secret/data/a", status: 405, reads: { errors: [] } },
  { what: "a wrong operation", sends: "DELETE sys/seal-status", status: 405 },
  {
    what: "a token in the other header",
    sends: "GET auth/token/lookup-self",
    headers: { "x-vault-token": "", "x-service-token": "root" },
    status: 200,
  },
  {
    what: "a bearer token",
    sends: "GET auth/token/lookup-self",
    headers: { "x-vault-token": "", authorization: "Bearer root" },
    status: 200,
  },
]);

test.each(["POST", "PUT"])("%s writes all the same", async (method) => {
  const caller = server.caller("root");
  for (const path of ["sys/policies/acl/both", "sys/mounts/both", "auth/token/create", "secret/data/both"]) {
    const bodies = { "sys/mounts/both": { type: "kv" }, "secret/data/both": { data: {} } } as Record<string, object>;
    const { status } = await caller.call(method, path, bodies[path] ?? { policy: "#" });
    expect(`${path} ${status}`).toMatch(/ 20[04]$/);
    if (path.startsWith("sys/mounts")) await caller.demand("DELETE", path);
  }
});
