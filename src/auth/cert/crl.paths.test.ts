import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import { authority, derOf, issue, noOpenssl, revoke } from "../../../test/support/issued-certificates.ts";
import { cert } from "./engine.ts";

let auth: EngineCaller;

beforeEach(() => {
  auth = callerOf(cert);
});

describe.skipIf(noOpenssl)("revocation lists", () => {
  const root = noOpenssl ? undefined! : issue({ subject: "/CN=root", extensions: authority });
  const list = noOpenssl ? "" : revoke(root, [4711, 255]);

  test("are written, read, listed and deleted", async () => {
    expect(await auth.call("write", "crls/Root", { crl: list })).toMatchObject({ status: 204 });
    expect((await auth.call("read", "crls/root")).data).toEqual({ serials: { 4711: {}, 255: {} } });
    expect((await auth.call("list", "crls")).data).toEqual({ keys: ["root"] });
    expect(await auth.call("delete", "crls/ROOT")).toMatchObject({ status: 204 });
    await expect(auth.call("read", "crls/root")).rejects.toMatchObject({ status: 404, message: 'no such CRL "root"' });
  });

  test("may be base64 of DER, and may be empty", async () => {
    await auth.call("write", "crls/a", { crl: Buffer.from(derOf(list)).toString("base64") });
    expect((await auth.call("read", "crls/a")).data).toEqual({ serials: { 4711: {}, 255: {} } });
    await auth.call("write", "crls/a", { crl: revoke(root, []) });
    expect((await auth.call("read", "crls/a")).data).toEqual({ serials: {} });
  });

  test("page", async () => {
    for (const name of ["c", "a", "b"]) await auth.call("write", `crls/${name}`, { crl: list });
    expect((await auth.call("list", "crls", { after: "a", limit: 1 })).data).toEqual({ keys: ["b"] });
  });

  test("a certificate is none", async () => {
    await expect(auth.call("write", "crls/a", { crl: Buffer.from(root.der).toString("base64") })).rejects.toThrow(
      "failed to parse CRL",
    );
  });
});

test.each<[object, string]>([
  [{}, "one of 'crl' or 'url' must be provided"],
  [{ url: "http://example.com/crl" }, "'url' is not supported: fetch the list and write it as 'crl'"],
  [{ crl: "nonsense" }, "failed to parse CRL: expected a revocation list in PEM, or base64 of its DER"],
  [{ crl: "MAA=" }, "failed to parse CRL"],
  [{ crl: "-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----" }, "failed to parse CRL"],
  [{ crl: "-----BEGIN X509 CRL-----\n*\n-----END X509 CRL-----" }, "failed to parse CRL"],
])("%j is refused", async (body, message) => {
  await expect(auth.call("write", "crls/a", body)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(message),
  });
});

test("a name must be one", async () => {
  await expect(auth.call("write", "crls/a b", { crl: "x" })).rejects.toMatchObject({ status: 400 });
});
