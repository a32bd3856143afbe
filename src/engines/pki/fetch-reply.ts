/** Answers for whoever fetches certificates and lists, again and again: with the means to ask whether something changed. */
import { hash } from "node:crypto";
import type { RequestInfo } from "../../api/path.ts";
import { RawReply } from "../../api/reply.ts";

export const contentTypes = {
  certificate: "application/pkix-cert",
  certificatePem: "application/pem-certificate-chain",
  crl: "application/pkix-crl",
  crlPem: "application/x-pem-file",
} as const;

export interface Fetched {
  readonly body: string | Uint8Array;
  readonly contentType: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
}

const nothingThere = (): RawReply => new RawReply(undefined, undefined, { status: 204 });

/** 304 if the caller has it already (RFC 9110, 13.2.2: a tag counts before a date), 204 if there is nothing. */
export function fetched(request: RequestInfo, found: Fetched | undefined): RawReply {
  if (!found) return nothingThere();
  const etag = `"${hash("sha256", found.body, "hex").slice(0, 32)}"`;
  const headers = { etag, "last-modified": new Date(found.changedAt).toUTCString(), "cache-control": "no-cache" };
  if (isKnown(request, etag, found.changedAt)) return new RawReply(undefined, undefined, { status: 304, headers });
  return new RawReply(found.body, found.contentType, { headers });
}

function isKnown(request: RequestInfo, etag: string, changedAt: number): boolean {
  const tags = request.header("if-none-match");
  if (tags !== undefined) {
    return tags.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
  }
  return isUnchangedSince(request, changedAt);
}

export function isUnchangedSince(request: RequestInfo, changedAt: number): boolean {
  const since = Date.parse(request.header("if-modified-since") ?? "");
  return !Number.isNaN(since) && Math.floor(changedAt / 1000) * 1000 <= since;
}
