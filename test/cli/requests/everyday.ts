/** Requests: reading and writing. */
import type { RequestCase } from "./request-case.ts";

export const everydayCases: readonly RequestCase[] = [
  { command: "read a/b", sends: ["GET /v1/a/b"] },
  { command: "read /a/b/", sends: ["GET /v1/a/b"] },
  { command: "read a/b depth=2 x=1 x=2", sends: ["GET /v1/a/b?depth=2&x=1&x=2"] },
  { command: "write a/b k=v n=1 k2=x=y", sends: [["PUT /v1/a/b", { k: "v", n: "1", k2: "x=y" }]] },
  { command: "write a/b k=1 k=2", sends: [["PUT /v1/a/b", { k: ["1", "2"] }]] },
  { command: "write a/b k=- j=\\@home", sends: [["PUT /v1/a/b", { k: "typed", j: "@home" }]], input: "typed" },
  { command: "write a/b -", sends: [["PUT /v1/a/b", { k: [1] }]], input: '{"k":[1]}' },
  { command: "write -force a/b", sends: [["PUT /v1/a/b", undefined]] },
  { command: "write -f a/b", sends: [["PUT /v1/a/b", undefined]] },
  { command: "patch a/b k=v", sends: [["PATCH /v1/a/b", { k: "v" }]] },
  { command: "list a/b", sends: ["GET /v1/a/b?list=true"] },
  { command: "list -after=c -limit=10 a/b", sends: ["GET /v1/a/b?list=true&after=c&limit=10"] },
  { command: "scan a/b", sends: ["GET /v1/a/b?scan=true"] },
  { command: "delete a/b", sends: ["DELETE /v1/a/b"] },
  { command: "unwrap s.wrapped", sends: [["PUT /v1/sys/wrapping/unwrap", { token: "s.wrapped" }]] },
  { command: "unwrap", sends: [["PUT /v1/sys/wrapping/unwrap", undefined]] },
  { command: "path-help a/b", sends: ["GET /v1/a/b?help=1"] },
  { command: "status", sends: ["GET /v1/sys/seal-status", "GET /v1/sys/leader"] },
];
