/** Every engine that this server can mount, each loaded when it is first used. A new one is one line here. */
import type { AnyEngine, EngineSource } from "./api/engine.ts";

const secrets = (type: string, load: () => Promise<AnyEngine>): EngineSource => ({ type, kind: "secrets", load });
const auth = (type: string, load: () => Promise<AnyEngine>): EngineSource => ({ type, kind: "auth", load });

export const engines: readonly EngineSource[] = [
  secrets("cubbyhole", async () => (await import("./engines/cubbyhole/engine.ts")).cubbyhole),
  secrets("database", async () => (await import("./engines/database/engine.ts")).database),
  secrets("kv-v1", async () => (await import("./engines/kv/engine.ts")).unversionedKv),
  secrets("kv-v2", async () => (await import("./engines/kv/engine.ts")).versionedKv),
  secrets("pki", async () => (await import("./engines/pki/engine.ts")).pki),
  auth("approle", async () => (await import("./auth/approle/engine.ts")).approle),
  auth("cert", async () => (await import("./auth/cert/engine.ts")).cert),
  auth("jwt", async () => (await import("./auth/jwt/engine.ts")).jwt),
  auth("oidc", async () => (await import("./auth/jwt/engine.ts")).oidc),
  auth("userpass", async () => (await import("./auth/userpass/engine.ts")).userpass),
];
