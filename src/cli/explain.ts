/** One more sentence when a request fails: what the person at the terminal can do about it. */
import { Refusal, Unreachable } from "../client/failure.ts";

export interface Circumstances {
  readonly address: string;
  readonly addressSource: string;
  readonly hasToken: boolean;
}

export function adviceFor(error: unknown, circumstances: Circumstances): string | undefined {
  if (error instanceof Refusal) return adviceOnRefusal(error, circumstances);
  return error instanceof Unreachable ? adviceOnSilence(error, circumstances) : undefined;
}

function adviceOnRefusal({ status, messages, request }: Refusal, { hasToken }: Circumstances): string | undefined {
  const text = messages.join("\n");
  if (status === 503 && text.includes("sealed")) return isSealed;
  if (status === 501 || text.includes("not initialized")) {
    return "The server is not initialized. Initialize it with: strongroom operator init";
  }
  if (status === 400 && /HTTP request to an HTTPS server/i.test(text)) return speaksTls;
  if (status !== 403) return undefined;
  if (!hasToken) return "No token was sent. Log in with: strongroom login, or set STRONGROOM_TOKEN.";
  const path = new URL(request.url).pathname.replace(/^.*?\/v1\//, "");
  return (
    "The token is not valid, or may not do this. To see which:\n\n" +
    `    strongroom token lookup\n    strongroom token capabilities ${path}`
  );
}

const isSealed =
  "The server is sealed. Unseal it with: strongroom operator unseal\n" +
  "If it is new, initialize it first: strongroom operator init";

const speaksTls = "The server seems to speak TLS: try https:// in STRONGROOM_ADDR or -address.";

const certificateAdvice =
  "Give the certificate of its authority with -ca-cert or STRONGROOM_CACERT, or -tls-skip-verify for a trial.";

const adviceByCode: Readonly<Record<string, string>> = {
  ENOTFOUND: "No such host: check STRONGROOM_ADDR or -address.",
  EAI_AGAIN: "The name of the host cannot be looked up now: check STRONGROOM_ADDR or -address.",
  ETIMEDOUT: "The server takes too long: try again, or allow more with -timeout.",
  ENOENT: "There is no such socket: is the server running?",
  EPROTO: "The server seems not to speak TLS: try http:// in STRONGROOM_ADDR or -address.",
  ERR_SSL_WRONG_VERSION_NUMBER: "The server seems not to speak TLS: try http:// in STRONGROOM_ADDR or -address.",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "The server seems not to speak TLS: try http:// in STRONGROOM_ADDR or -address.",
  HPE_INVALID_CONSTANT: speaksTls,
  ECONNRESET: `The server hung up. If it speaks TLS, try https:// in STRONGROOM_ADDR or -address.`,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "The server's certificate has another name: check the address, or give the name with -tls-server-name.",
  CERT_HAS_EXPIRED: "The server's certificate has expired: it needs a new one.",
  DEPTH_ZERO_SELF_SIGNED_CERT: certificateAdvice,
  SELF_SIGNED_CERT_IN_CHAIN: certificateAdvice,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificateAdvice,
  UNABLE_TO_GET_ISSUER_CERT: certificateAdvice,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificateAdvice,
};

function adviceOnSilence({ code }: Unreachable, { address, addressSource }: Circumstances): string | undefined {
  if (code === "ECONNREFUSED") {
    return `Nobody answers at ${address} (${addressSource}). Is the server running? Set STRONGROOM_ADDR or -address if it is elsewhere.`;
  }
  return adviceByCode[code];
}
