/** What a login with a token costs, without sockets, beside the signature verification alone that it cannot do without. */
import { randomUUID, verify } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { curvePair, jwkOf, KeyServer, type Pair, rsaPair, signToken } from "../src/auth/jwt/issuer-fixture.suite.ts";
import { LmdbStore } from "../src/core/storage/lmdb.ts";
import { httpHandler } from "../src/http/handler.ts";
import type { HttpRequest } from "../src/http/server.ts";
import { engines } from "../test/support/engines.ts";
import { KernelCaller } from "../test/support/kernel-caller.ts";
import { decimals, median, printTable, whole } from "./table.ts";

const isQuick = process.argv.includes("--quick");
const inFlight = 32;
const users = 200;

const folder = mkdtempSync(join(tmpdir(), "strongroom-bench-jwt-"));
const store = await LmdbStore.open(folder);
const clock = { now: Date.now() };
const server = await new KernelCaller(engines, store, clock).initialize();
await server.kernel.stop();
const issuer = await new KeyServer().start();
issuer.keys = [jwkOf(curvePair, "curve"), jwkOf(rsaPair, "rsa")];
await server.call("write", "sys/auth/jwt", { type: "jwt" });
await server.call("write", "auth/jwt/config", { jwks_url: issuer.url, bound_issuer: "https://issuer.example" });
const role = {
  role_type: "jwt",
  user_claim: "sub",
  bound_audiences: ["strongroom"],
  bound_claims: { team: ["a", "b"] },
  claim_mappings: { email: "email" },
  token_policies: ["ci"],
  token_ttl: "10m",
};
for (const token_type of ["batch", "service"])
  await server.call("write", `auth/jwt/role/${token_type}`, { ...role, token_type });
await server.call("write", "auth/jwt/role/templated", {
  ...role,
  token_type: "batch",
  token_policies_template_claims: true,
  token_policies: ["team-{{.team}}", '{{if index . "admin"}}admins{{end}}'],
});
await server.call("write", "auth/jwt/cel/roles/program", {
  cel_program: {
    variables: [{ name: "ours", expression: "claims.team in ['a', 'b'] && claims.aud == 'strongroom'" }],
    expression:
      "ours ? pb.Auth{display_name: claims.sub, policies: ['ci'], token_type: 2u, alias: logical.Alias{name: claims.sub}} : false",
  },
});

const handle = httpHandler({
  kernel: server.kernel,
  now: () => clock.now,
  limits: { depth: 300, strings: 1000 },
  onUnexpected: (error) => {
    throw error;
  },
});

const now = Math.floor(clock.now / 1000);
const claimsOf = (user: number) => ({
  iss: "https://issuer.example",
  sub: `user-${user}`,
  aud: "strongroom",
  iat: now,
  nbf: now,
  exp: now + 3600,
  jti: randomUUID(),
  email: `user-${user}@example.com`,
  team: "a",
  groups: ["one", "two", "three"],
});
const tokensOf = (pair: Pair, kid: string) =>
  Array.from({ length: users }, (_, user) => signToken(claimsOf(user), pair, { kid }));
const tokens = { RS256: tokensOf(rsaPair, "rsa"), ES256: tokensOf(curvePair, "curve") };

const noValues: readonly string[] = [];

function request(path: string, body: Buffer): HttpRequest {
  return {
    id: randomUUID(),
    method: "POST",
    rawPath: `/v1/auth/jwt/${path}`,
    query: "",
    rawHeaders: ["Host", "localhost"],
    header: () => undefined,
    headerValues: () => noValues,
    body: async () => body,
    remoteAddress: "127.0.0.1",
    remotePort: 1,
    localAddress: "127.0.0.1",
    secure: false,
    clientCertificates: [],
    clientVerified: false,
    signal: new AbortController().signal,
  };
}

type Work = () => unknown;
let turn = 0;

function login(algorithm: keyof typeof tokens, path: string, role: string): Work {
  const bodies = tokens[algorithm].map((jwt) => Buffer.from(JSON.stringify({ role, jwt })));
  return async () => {
    const { status, body } = await handle(request(path, bodies[turn++ % users]!));
    if (status !== 200) throw new Error(`it was answered with ${status}: ${String(body)}`);
    // As sockets do it: requests arrive one after the other.
    await new Promise(setImmediate);
  };
}

function bare(algorithm: keyof typeof tokens, pair: Pair): Work {
  const [header, payload, signature] = tokens[algorithm][0]!.split(".");
  const signed = Buffer.from(`${header}.${payload}`);
  const bytes = Buffer.from(signature!, "base64url");
  const key = { key: pair.publicKey, dsaEncoding: "ieee-p1363" as const };
  return () => {
    if (!verify("sha256", signed, key, bytes)) throw new Error("it is not signed");
  };
}

const works: Readonly<Record<string, { readonly work: Work; readonly against?: string }>> = {
  "RS256, verify alone": { work: bare("RS256", rsaPair) },
  "RS256, batch token": { work: login("RS256", "login", "batch"), against: "RS256, verify alone" },
  "RS256, batch token, claims in policies": {
    work: login("RS256", "login", "templated"),
    against: "RS256, verify alone",
  },
  "RS256, batch token, by a program": { work: login("RS256", "cel/login", "program"), against: "RS256, verify alone" },
  "RS256, service token": { work: login("RS256", "login", "service"), against: "RS256, verify alone" },
  "ES256, verify alone": { work: bare("ES256", curvePair) },
  "ES256, batch token": { work: login("ES256", "login", "batch"), against: "ES256, verify alone" },
  "ES256, service token": { work: login("ES256", "login", "service"), against: "ES256, verify alone" },
};

interface Round {
  /** Microseconds of processor time, all threads together. */
  readonly cost: number;
  readonly perSecond: number;
}

/** By number, not by time: on a busy machine what is hot would otherwise not be compiled before it counts. */
async function round(work: Work, count: number): Promise<Round> {
  const before = process.cpuUsage();
  const start = performance.now();
  let left = count;
  const lane = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const { user, system } = process.cpuUsage(before);
  return { cost: (user + system) / count, perSecond: (count * 1000) / (performance.now() - start) };
}

const rounds = new Map<string, Round[]>(Object.keys(works).map((name) => [name, []]));
for (let count = 0; count < (isQuick ? 1 : 7); count++) {
  for (const [name, { work }] of Object.entries(works)) {
    if (count === 0) await round(work, isQuick ? 50 : 6000);
    rounds.get(name)!.push(await round(work, isQuick ? 50 : 1500));
  }
}

const costOf = (name: string) => Math.min(...rounds.get(name)!.map(({ cost }) => cost));
printTable(
  "Logins with a token, without sockets",
  ["login", "per second", "µs of processor", "of the bare rate per core"],
  Object.entries(works).map(([name, { against }]) => [
    name,
    whole(median(rounds.get(name)!.map(({ perSecond }) => perSecond))),
    decimals(costOf(name)),
    against === undefined ? "" : decimals(costOf(against) / costOf(name)),
  ]),
);

await issuer.stop();
await store.close();
rmSync(folder, { recursive: true });
