/** The ways to prove a name, by their types. Each throws a problem where the proof is missing. */
import type { ChallengeType } from "../authorization.ts";
import { validateDns } from "./dns-01.ts";
import { validateHttp } from "./http-01.ts";
import type { Proof } from "./proof.ts";
import { validateTlsAlpn } from "./tls-alpn-01.ts";

export const validators: Readonly<Record<ChallengeType, (proof: Proof) => Promise<void>>> = {
  "http-01": validateHttp,
  "dns-01": validateDns,
  "tls-alpn-01": validateTlsAlpn,
};
