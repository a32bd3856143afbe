import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpCaller } from "../support/http-caller.ts";
import { expectAnswer, type HttpCase } from "../support/http-table.ts";
import { RawClient } from "../support/raw-client.ts";
import { developmentServer, plainListener, ServerProcess } from "../support/server-process.ts";

/** The conventions that clients know, over real sockets. */

let server: ServerProcess;
let caller: HttpCaller;

beforeAll(async () => {
  server = await developmentServer();
  caller = server.caller("root");
  await caller.demand("POST", "sys/mounts/kv", { type: "kv" });
  for (const name of ["a", "b", "c", "folder/d", "folder/deep/e"]) {
    await caller.demand("POST", `secret/data/${name}`, { data: { name } });
    await caller.demand("POST", `kv/${name}`, { name });
  }
  await caller.demand("POST", "secret/data/deleted", { data: {} });
  await caller.demand("DELETE", "secret/data/deleted");
  const policy = 'path "kv/a" { capabilities = ["read"] }';
  await caller.demand("POST", "sys/policies/acl/limited", { policy });
  await caller.demand("POST", "auth/token/create", { id: "limited", policies: ["limited"] });
});

afterAll(async () => {
  caller?.close();
  await server?.stop();
});

const envelopeKeys = ["request_id", "lease_id", "renewable", "lease_duration", "data", "wrap_info", "warnings", "auth"];

test("an envelope has its eight keys in their order, ends with a line, and is not to be stored", async () => {
  const { status, text, json, headers } = await caller.call("GET", "kv/a");
  expect(status).toBe(200);
  expect(Object.keys(json)).toEqual(envelopeKeys);
  expect(json).toMatchObject({
    lease_id: "",
    renewable: false,
    data: { name: "a" },
    wrap_info: null,
    warnings: null,
    auth: null,
  });
  expect(json.request_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(text.endsWith("}\n")).toBe(true);
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "cache-control": "no-store",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
  });
});

test("each request has an id of its own", async () => {
  const ids = await Promise.all([1, 2, 3].map(async () => (await caller.call("GET", "kv/a")).json.request_id));
  expect(new Set(ids).size).toBe(3);
});

const table = (title: string, cases: readonly HttpCase[]) =>
  describe(title, () => test.for(cases)("$send $what", (each) => expectAnswer(caller, each)));

const keys = (...names: string[]) => ({ data: { keys: names } });
const all = ["a", "b", "c", "folder/"];

table("methods", [
  { what: "reads", send: "GET kv/a", status: 200, answer: { data: { name: "a" } } },
  { what: "lists", send: "LIST kv", status: 200, answer: keys(...all) },
  { what: "lists a path that ends in a slash", send: "LIST kv/", status: 200, answer: keys(...all) },
  { what: "lists", send: "GET kv?list=true", status: 200, answer: keys(...all) },
  { what: "lists, as hvac asks", send: "GET kv?list=True", status: 200, answer: keys(...all) },
  { what: "lists", send: "GET kv/?list=1", status: 200, answer: keys(...all) },
  { what: "reads", send: "GET kv/a?list=false", status: 200, answer: { data: { name: "a" } } },
  { what: "is no switch", send: "GET kv?list=yes", status: 400, errors: [] },
  {
    what: "scans",
    send: "SCAN secret/metadata",
    status: 200,
    answer: keys("a", "b", "c", "deleted", "folder/d", "folder/deep/e"),
  },
  { what: "scans", send: "GET secret/metadata/folder?scan=true", status: 200, answer: keys("d", "deep/e") },
  { what: "is two things at once", send: "GET kv?list=true&scan=true", status: 400 },
  { what: "writes", send: "POST kv/put", body: { a: 1 }, status: 204, answer: "" },
  { what: "writes as POST does", send: "PUT kv/put", body: { a: 1 }, status: 204, answer: "" },
  {
    what: "deletes, and sends no body",
    send: "DELETE kv/put",
    status: 204,
    answer: "",
    sends: { "content-type": "application/json" },
  },
  { what: "deletes what is not there", send: "DELETE kv/put", status: 204 },
  { what: "is answered by its status alone", send: "HEAD sys/health", status: 200, answer: "" },
  { what: "is for health only", send: "HEAD kv/a", status: 405, answer: "" },
  { what: "is an unknown verb", send: "LOCK kv/a", status: 405, errors: [] },
  { what: "is an unknown verb", send: "LINK kv/a", status: 405, errors: [] },
  {
    what: "is for browsers",
    send: "OPTIONS kv/a",
    status: 400,
    errors: ["cannot handle internal-only request operation"],
  },
  {
    what: "is not done there",
    send: "DELETE auth/token/lookup-self",
    status: 405,
    errors: ["1 error occurred:\n\t* unsupported operation\n\n"],
  },
]);

table("patches", [
  {
    what: "merges",
    send: "PATCH secret/data/c",
    headers: { "content-type": "application/merge-patch+json" },
    body: { data: { more: 1, name: null } },
    status: 200,
    answer: { data: { version: 2 } },
  },
  { what: "took away what was null", send: "GET secret/data/c", status: 200, answer: { data: { data: { more: 1 } } } },
  {
    what: "is of the wrong type",
    send: "PATCH secret/data/c",
    headers: { "content-type": "application/json" },
    body: { data: {} },
    status: 415,
    errors: ["PATCH requires Content-Type of application/merge-patch+json, provided application/json"],
  },
  { what: "is of no type", send: "PATCH secret/data/c", body: { data: {} }, status: 415 },
  {
    what: "has nothing to change",
    send: "PATCH secret/data/none",
    headers: { "content-type": "application/merge-patch+json" },
    body: { data: {} },
    status: 404,
    answer: "",
  },
]);

table("pages", [
  { what: "ends early", send: "LIST kv?limit=2", status: 200, answer: keys("a", "b") },
  { what: "goes on", send: "LIST kv?limit=2&after=b", status: 200, answer: keys("c", "folder/") },
  { what: "begins after what is not there", send: "LIST kv?after=bb", status: 200, answer: keys("c", "folder/") },
  { what: "is past the end", send: "LIST kv?after=z", status: 404, errors: [] },
  { what: "means all", send: "LIST kv?limit=0", status: 200, answer: keys(...all) },
  { what: "means all", send: "LIST kv?limit=-1", status: 200, answer: keys(...all) },
  { what: "works for root, too", send: "LIST kv?limit=max", status: 200, answer: keys(...all) },
  { what: "is no number", send: "LIST kv?limit=few", status: 400 },
  { what: "is empty", send: "LIST kv/nothing", status: 404, errors: [] },
]);

table("what is not there, not allowed, or not understood", [
  { what: "has nothing", send: "GET kv/none", status: 404, errors: [] },
  {
    what: "is no mount",
    send: "GET nowhere/x",
    status: 404,
    errors: ['no handler for route "nowhere/x". route entry not found.'],
  },
  {
    what: "is no mount, which is nobody's business",
    send: "GET nowhere/x",
    token: "limited",
    status: 403,
    errors: ["1 error occurred:\n\t* permission denied\n\n"],
  },
  {
    what: "is no path of its mount",
    send: "GET sys/none/of/these",
    status: 404,
    errors: ["1 error occurred:\n\t* unsupported path\n\n"],
  },
  {
    what: "is deleted, and told in full",
    send: "GET secret/data/deleted",
    status: 404,
    answer: { data: { data: null, metadata: { version: 1, destroyed: false } } },
  },
  { what: "has no token", send: "GET kv/a", token: "", status: 403, errors: ["permission denied"] },
  { what: "has an unknown token", send: "GET kv/a", token: "s.unknown", status: 403, errors: ["permission denied"] },
  { what: "is allowed", send: "GET kv/a", token: "limited", status: 200 },
  {
    what: "is not allowed",
    send: "GET kv/b",
    token: "limited",
    status: 403,
    errors: ["1 error occurred:\n\t* permission denied\n\n"],
  },
  {
    what: "looks up a bad token",
    send: "POST auth/token/lookup",
    body: { token: "s.unknown" },
    status: 403,
    errors: ["bad token"],
  },
  {
    what: "is an unknown mount",
    send: "GET sys/mounts/nope",
    status: 400,
    errors: ["No secret engine mount at nope/"],
  },
  { what: "is outside of the API", send: "GET /v2/sys/health", status: 404, errors: [] },
  { what: "is outside of the API", send: "GET /v1", status: 404, errors: [] },
]);

table("paths", [
  { what: "is cleaned by asking again", send: "GET /v1//kv/a", status: 307, sends: { location: "/v1/kv/a" } },
  {
    what: "is cleaned, and keeps its query",
    send: "GET /v1/kv//a?list=true&x=%20y",
    status: 307,
    sends: { location: "/v1/kv/a?list=true&x=%20y" },
  },
  { what: "is cleaned", send: "GET /v1/kv/x/../a", status: 307, sends: { location: "/v1/kv/a" } },
  { what: "is cleaned", send: "GET /v1/./kv/a", status: 307, sends: { location: "/v1/kv/a" } },
  {
    what: "is relative in disguise",
    send: "GET /v1/kv/%2e%2e/a",
    status: 400,
    errors: ["relative paths not supported"],
  },
  {
    what: "is relative in half a disguise",
    send: "GET /v1/kv/.%2e/a",
    status: 400,
    errors: ["relative paths not supported"],
  },
  { what: "has an encoded slash", send: "GET /v1/kv%2Fa", status: 200, answer: { data: { name: "a" } } },
  { what: "has an encoded letter", send: "GET /v1/kv/%61", status: 200, answer: { data: { name: "a" } } },
  { what: "has a control character", send: "GET /v1/kv/a%00b", status: 400 },
  { what: "has a line break", send: "GET /v1/kv/a%0ab", status: 400 },
  { what: "is not UTF-8", send: "GET /v1/kv/%ff%fe", status: 400 },
  { what: "is half encoded", send: "GET /v1/kv/%zz", status: 400 },
  {
    what: "cannot be written",
    send: "POST kv/a/",
    body: { a: 1 },
    status: 400,
    errors: ["cannot write to a path ending in '/'"],
  },
  { what: "has nothing", send: "GET secret/data/a/", status: 404 },
  { what: "is too long for a name", send: `POST kv/${"x".repeat(3000)}`, body: { a: 1 }, status: 400 },
]);

const strings = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`k${number}`, number]));
const deep = (levels: number) => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;

table("bodies", [
  { what: "with a literal null", send: "POST sys/tools/random", body: "null", status: 200 },
  { what: "with nothing", send: "POST sys/tools/random", status: 200 },
  { what: "with blanks around it", send: "POST kv/blank", body: ' \r\n\t{"a":1} ', status: 204 },
  {
    what: "is a list",
    send: "POST kv/bad",
    body: "[1]",
    status: 400,
    errors: [expect.stringContaining("failed to decode JSON input")],
  },
  {
    what: "is a string",
    send: "POST kv/bad",
    body: '"text"',
    status: 400,
    errors: [expect.stringContaining("failed to decode JSON input")],
  },
  {
    what: "is cut",
    send: "POST kv/bad",
    body: '{"a":',
    status: 400,
    errors: [expect.stringContaining("failed to decode JSON input")],
  },
  {
    what: "goes on after its end",
    send: "POST kv/bad",
    body: '{"a":1}{',
    status: 400,
    errors: [expect.stringContaining("failed to decode JSON input")],
  },
  {
    what: "has a key twice",
    send: "POST kv/bad",
    body: '{"a":1,"a":2}',
    status: 400,
    errors: [expect.stringMatching(/twice|duplicate/)],
  },
  { what: "has a key twice, written differently", send: "POST kv/bad", body: '{"a":1,"\\u0061":2}', status: 400 },
  { what: "has as many strings as allowed", send: "POST kv/strings", body: strings(1000), status: 204 },
  {
    what: "has too many strings",
    send: "POST kv/strings",
    body: strings(1001),
    status: 400,
    errors: [expect.stringContaining("exceeded maximum number of strings")],
  },
  { what: "is as deep as allowed", send: "POST kv/deep", body: deep(299), status: 204 },
  { what: "is too deep", send: "POST kv/deep", body: deep(301), status: 400 },
  { what: "is far too deep", send: "POST kv/deep", body: deep(100_000), status: 400 },
  {
    what: "is a form",
    send: "POST kv/form",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "a=1&b=x+y&c=%C3%A9",
    status: 204,
  },
  { what: "came as a form", send: "GET kv/form", status: 200, answer: { data: { a: "1", b: "x y", c: "é" } } },
  {
    what: "says form and is JSON",
    send: "POST kv/form",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: '{"a":true}',
    status: 204,
  },
  { what: "was JSON", send: "GET kv/form", status: 200, answer: { data: { a: true } } },
  {
    what: "has another type, which means nothing",
    send: "POST kv/typed",
    headers: { "content-type": "text/plain" },
    body: '{"a":1}',
    status: 204,
  },
  { what: "has a query, which means nothing", send: "POST kv/queried?a=2", body: { a: 1 }, status: 204 },
  { what: "was not changed by the query", send: "GET kv/queried", status: 200, answer: { data: { a: 1 } } },
  {
    what: "has digits that must stay",
    send: "POST kv/digits",
    body: '{"n":9007199254740993,"f":1.0,"e":1e400}',
    status: 204,
  },
]);

test("digits come back as they were written", async () => {
  expect((await caller.call("GET", "kv/digits")).text).toContain('"data":{"n":9007199254740993,"f":1.0,"e":1e400}');
});

table("fields", [
  {
    what: "warns of what it does not know",
    send: "POST auth/token/create",
    body: { nonsense: 1, absurd: 2 },
    status: 200,
    answer: { warnings: ["Endpoint ignored these unrecognized parameters: [absurd nonsense]"] },
  },
  {
    what: "takes numbers and switches as strings",
    send: "POST auth/token/create",
    body: { num_uses: "3", renewable: "false", ttl: "1h0m0s" },
    status: 200,
    answer: { auth: { num_uses: 3, renewable: false, lease_duration: 3600 } },
  },
  {
    what: "says which field is wrong",
    send: "POST auth/token/create",
    body: { num_uses: "many" },
    status: 400,
    errors: [expect.stringContaining("num_uses")],
  },
]);

table("tokens and other headers", [
  { what: "by the service's name", send: "GET kv/a", token: "", headers: { "x-service-token": "root" }, status: 200 },
  { what: "by the peers' name", send: "GET kv/a", token: "", headers: { "x-vault-token": "root" }, status: 200 },
  { what: "as a bearer", send: "GET kv/a", token: "", headers: { authorization: "Bearer root" }, status: 200 },
  {
    what: "as a bearer with blanks",
    send: "GET kv/a",
    token: "",
    headers: { authorization: "Bearer   root " },
    status: 200,
  },
  { what: "as a small bearer", send: "GET kv/a", token: "", headers: { authorization: "bearer root" }, status: 403 },
  {
    what: "by name before the bearer",
    send: "GET kv/a",
    token: "",
    headers: { "x-vault-token": "root", authorization: "Bearer s.unknown" },
    status: 200,
  },
  { what: "twice the same", send: "GET kv/a", token: "", headers: { "x-vault-token": ["root", "root"] }, status: 200 },
  {
    what: "two of them",
    send: "GET kv/a",
    token: "",
    headers: { "x-vault-token": ["root", "s.unknown"] },
    status: 400,
  },
  {
    what: "two of them by two names",
    send: "GET kv/a",
    token: "",
    headers: { "x-vault-token": "root", "x-service-token": "s.unknown" },
    status: 400,
  },
  {
    what: "in an unknown namespace",
    send: "GET kv/a",
    headers: { "x-vault-namespace": "team/" },
    status: 404,
    errors: ["namespace not found"],
  },
  {
    what: "in an unknown namespace",
    send: "GET kv/a",
    headers: { "x-service-namespace": "team" },
    status: 404,
    errors: ["namespace not found"],
  },
  { what: "in the root namespace", send: "GET kv/a", headers: { "x-vault-namespace": "root/" }, status: 200 },
  { what: "in no namespace", send: "GET kv/a", headers: { "x-vault-namespace": "" }, status: 200 },
  { what: "from the peers' clients", send: "GET kv/a", headers: { "x-vault-request": "true" }, status: 200 },
]);

describe("answers without an envelope, and with data on top", () => {
  test.for(["sys/health", "sys/init", "sys/seal-status", "sys/leader"])("GET %s is bare", async (path) => {
    const { status, json } = await caller.call("GET", path, undefined, { token: "" });
    expect(status).toBe(200);
    expect(json).not.toHaveProperty("request_id");
  });

  test.for([
    ["GET", "sys/mounts"],
    ["GET", "sys/auth"],
    ["GET", "sys/policy"],
    ["GET", "sys/policy/default"],
    ["GET", "sys/key-status"],
    ["GET", "sys/config/cors"],
    ["GET", "sys/mounts/kv"],
    ["POST", "sys/capabilities-self"],
  ])("%s %s repeats its data on top", async ([method, path]) => {
    const { status, json } = await caller.call(method!, path!, method === "POST" ? { path: "kv/a" } : undefined);
    expect(status, JSON.stringify(json)).toBe(200);
    expect(Object.keys(json.data).length).toBeGreaterThan(0);
    expect(json).toMatchObject(json.data);
    for (const key of envelopeKeys) expect(json).toHaveProperty(key);
  });

  test("a wrapped answer has nothing on top, and its token gives it back once", async () => {
    const { status, json } = await caller.call("GET", "sys/mounts", undefined, {
      headers: { "x-vault-wrap-ttl": "60" },
    });
    expect(status, JSON.stringify(json)).toBe(200);
    expect(json).toMatchObject({ data: null, wrap_info: { ttl: 60, creation_path: "sys/mounts" } });
    expect(json).not.toHaveProperty("secret/");
    const unwrap = () => caller.call("POST", "sys/wrapping/unwrap", undefined, { token: json.wrap_info.token });
    expect((await unwrap()).json.data).toHaveProperty("secret/");
    expect((await unwrap()).status).toBeGreaterThanOrEqual(400);
  });

  test.for(["soon", "-5"])("the wrapping time %j is refused", async (time) => {
    const { status, text } = await caller.call("GET", "kv/a", undefined, { headers: { "x-vault-wrap-ttl": time } });
    expect([status, text]).toEqual([400, expect.stringContaining("Wrap-TTL")]);
  });
});

describe("help", () => {
  test.for(["kv/a?help=1", "sys/mounts?help=true", "auth/token/create?help=1"])("GET %s explains", async (path) => {
    const { status, json } = await caller.call("GET", path);
    expect(status).toBe(200);
    expect(json.help).not.toBe("");
    expect(json.openapi.openapi).toMatch(/^3\.0\./);
    expect(json).not.toHaveProperty("request_id");
  });

  test("it takes a token, of any kind", async () => {
    expect((await caller.call("GET", "sys/mounts?help=1", undefined, { token: "" })).status).toBe(403);
    expect((await caller.call("GET", "sys/mounts?help=1", undefined, { token: "limited" })).status).toBe(200);
  });
});

describe("browsers on other origins", () => {
  const from = (origin: string, more = {}) => ({ headers: { origin, ...more } });
  const preflight = (method: string) => from("https://app.example", { "access-control-request-method": method });

  test("get no leave before it is configured", async () => {
    const { status, headers } = await caller.call("GET", "kv/a", undefined, from("https://app.example"));
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty("access-control-allow-origin");
    expect((await caller.call("OPTIONS", "kv/a", undefined, preflight("GET"))).status).toBe(400);
  });

  test("get what is configured, and others are refused", async () => {
    await caller.demand("POST", "sys/config/cors", {
      allowed_origins: ["https://app.example"],
      allowed_headers: "X-Extra",
    });
    const allowed = await caller.call("GET", "kv/a", undefined, from("https://app.example"));
    expect([allowed.status, allowed.headers["access-control-allow-origin"]]).toEqual([200, "https://app.example"]);
    const failing = await caller.call("GET", "kv/none", undefined, from("https://app.example"));
    expect([failing.status, failing.headers["access-control-allow-origin"]]).toEqual([404, "https://app.example"]);
    const refused = await caller.call("GET", "kv/a", undefined, from("https://evil.example"));
    expect([refused.status, refused.json]).toEqual([403, { errors: ["origin not allowed"] }]);
    expect((await caller.call("GET", "kv/a")).headers).not.toHaveProperty("access-control-allow-origin");
  });

  test.for(["GET", "POST", "PUT", "PATCH", "DELETE", "LIST", "SCAN"])("may ask for %s", async (method) => {
    const { status, headers, text } = await caller.call("OPTIONS", "kv/a", undefined, preflight(method));
    expect([status, text]).toEqual([200, ""]);
    expect(headers["access-control-allow-methods"]).toContain(method);
    expect(headers["access-control-allow-headers"]).toContain("X-Extra");
    expect(headers).toMatchObject({ "access-control-max-age": "300", vary: "Origin" });
  });

  test("may not ask for anything else, and nothing once it is turned off", async () => {
    expect((await caller.call("OPTIONS", "kv/a", undefined, preflight("LOCK"))).status).toBe(405);
    await caller.demand("DELETE", "sys/config/cors");
    const { headers } = await caller.call("GET", "kv/a", undefined, from("https://app.example"));
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("limits of a listener", () => {
  let narrow: ServerProcess;
  beforeAll(async () => {
    const tcp = {
      ...plainListener.tcp,
      max_request_size: 1000,
      max_request_json_strings: 5,
      max_request_json_depth: 3,
    };
    narrow = await ServerProcess.start({ config: { storage: { inmem: {} }, listener: { tcp } } });
  });
  afterAll(() => narrow?.kill());

  const init = (body: string) => narrow.caller().call("POST", "sys/init", body);

  test.for([
    ["too large", JSON.stringify({ a: "x".repeat(1000) }), 413],
    ["of too many strings", '{"a":"b","c":"d","e":"f"}', 400],
    ["too deep", '{"a":[[[[]]]]}', 400],
  ] as const)("a body that is %s", async ([, body, status]) => {
    const answer = await init(body);
    expect([answer.status, answer.json.errors]).toEqual([status, [expect.stringMatching(/\w+ \w+/)]]);
  });

  test("a body that only says that it is too large", async () => {
    const client = await RawClient.connect({ port: Number(new URL(narrow.url).port) });
    await client.send("POST /v1/sys/init HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n");
    await client.until("413");
    client.destroy();
  });
});

test("health before and after: HEAD and GET agree, and codes can be chosen", async () => {
  await using fresh = await ServerProcess.start({ config: { storage: { inmem: {} }, listener: plainListener } });
  const client = fresh.caller();
  const both = async (path: string) => [
    (await client.call("GET", path)).status,
    (await client.call("HEAD", path)).status,
  ];
  expect(await both("sys/health")).toEqual([501, 501]);
  expect(await both("sys/health?uninitcode=299")).toEqual([299, 299]);
  expect(await both("sys/health?uninitcode=abc")).toEqual([400, 400]);
  const { keys: shares } = (await client.demand("POST", "sys/init", { secret_shares: 1, secret_threshold: 1 })).json;
  expect(await both("sys/health")).toEqual([503, 503]);
  expect(await both("sys/health?sealedcode=204")).toEqual([204, 204]);
  expect((await client.call("GET", "sys/leader")).status).toBe(503);
  await client.demand("POST", "sys/unseal", { key: shares[0] });
  expect(await both("sys/health")).toEqual([200, 200]);
  expect(await both("sys/health?activecode=250")).toEqual([250, 250]);
  client.close();
});

test.for<HttpCase>([
  {
    what: "warns nobody where there is nothing to answer",
    send: "POST sys/policies/acl/named",
    body: { name: "other", policy: "# none" },
    status: 204,
  },
  {
    what: "warns nobody where there is nothing to answer",
    send: "POST sys/mounts/warned",
    body: { type: "kv", nonsense: 1 },
    status: 204,
  },
  {
    what: "repeats its data on top",
    send: "GET sys/mounts/kv/tune",
    status: 200,
    answer: { max_lease_ttl: 2_764_800 },
  },
])("$send $what", (each) => expectAnswer(caller, each));

test("a wrapping token that was used is told from one that is not allowed", async () => {
  const headers = { "x-vault-wrap-ttl": "60" };
  const { token } = (await caller.call("GET", "kv/a", undefined, { headers })).json.wrap_info;
  await caller.demand("POST", "sys/wrapping/unwrap", undefined, { token });
  const { status, json } = await caller.call("POST", "sys/wrapping/unwrap", undefined, { token });
  expect([status, json.errors]).toEqual([400, ["wrapping token is not valid or does not exist"]]);
});
