/** Declares the OCSP responder. */
import { text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { RawReply } from "../../api/reply.ts";
import { answerOcsp, type OcspReply } from "./ocsp.ts";
import type { PkiServices } from "./services.ts";

const path = pathsFor<PkiServices>();

const shown = ({ status, der }: OcspReply): RawReply => new RawReply(der, "application/ocsp-response", { status });

const post = path({
  pattern: "ocsp",
  summary: "Whether certificates are revoked",
  access: "public",
  rawBody: true,
  write: {
    summary: "Ask with an OCSP request in the body",
    handler: async (_, { services, rawBody, now }) => shown(await answerOcsp(services, rawBody, now)),
  },
});

const get = path({
  pattern: "ocsp/:request*",
  summary: "Whether certificates are revoked",
  params: { request: text("OCSP request in base64; it may contain slashes") },
  access: "public",
  read: {
    summary: "Ask with an OCSP request in the path",
    async handler({ request }, { services, now }) {
      return shown(await answerOcsp(services, decoded(request), now));
    },
  },
});

/** Percent-encoding is undone before a path is matched, but some clients encode twice. */
function decoded(request: string): Buffer {
  const plain = request.includes("%") ? unescaped(request) : request;
  return Buffer.from(plain, "base64");
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

export const ocspPaths = [post, get];
