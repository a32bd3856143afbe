/** The floor of certificates: signing and making keys alone, one after the other on one core. */
import { generateKeyPairSync, randomBytes, sign, verify } from "node:crypto";
import type { Measured } from "./load.ts";

export type BareWork = "sign" | "verify" | "P-256 key" | "RSA-2048 key";

export interface Bare {
  readonly work: BareWork;
  readonly milliseconds: number;
}

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
/** About what is signed of a certificate. */
const content = randomBytes(500);
const signature = sign("sha256", content, privateKey);

const works: Readonly<Record<BareWork, () => unknown>> = {
  sign: () => sign("sha256", content, privateKey),
  verify: () => verify("sha256", content, publicKey, signature),
  "P-256 key": () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  "RSA-2048 key": () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
};

function run({ work, milliseconds }: Bare): Measured {
  const latencies: number[] = [];
  const start = performance.now();
  for (let began = start; began - start < milliseconds; ) {
    works[work]();
    const ended = performance.now();
    latencies.push(ended - began);
    began = ended;
  }
  const sorted = Float64Array.from(latencies).sort();
  return {
    requests: sorted.length,
    perSecond: (sorted.length / (performance.now() - start)) * 1000,
    p50: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    busy: 0,
  };
}

process.on("message", (bare: Bare) => process.send!({ measured: run(bare) }));
process.on("disconnect", () => process.exit());
