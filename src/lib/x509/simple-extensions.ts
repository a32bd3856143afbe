/** Extensions that say one thing: no revocation check for an OCSP responder, and features that a TLS server must offer. */
import { integer, nothing, sequence } from "../der/writer.ts";
import { type Extension, extension, extensionIds } from "./extension.ts";

/** RFC 6960, 4.2.2.2.1. */
export const ocspNoCheck: Extension = extension(extensionIds.ocspNoCheck, false, nothing);

/** RFC 7633; 5 is OCSP stapling ("must staple"). */
export const tlsFeature = (features: readonly number[]): Extension =>
  extension(extensionIds.tlsFeature, false, sequence(...features.map((feature) => integer(feature))));
