import { describe, expect, test } from "vitest";
import { authority, issue, noOpenssl } from "../../../test/support/issued-certificates.ts";
import { extensionText, parseCertificate, parseCertificates } from "./certificate.ts";

describe.skipIf(noOpenssl)("a certificate", () => {
  test("tells everything that logins look at", () => {
    const root = issue({ subject: "/CN=root", extensions: [...authority, "subjectKeyIdentifier=hash"] });
    const { der } = issue({
      subject: "/OU=ops/CN=first/OU=dev/CN=café",
      issuer: root,
      serial: 4711,
      extensions: [
        "subjectAltName=DNS:a.example.com,DNS:b.example.com,email:ada@example.com,URI:spiffe://x/y,IP:10.0.0.1",
        "extendedKeyUsage=clientAuth,serverAuth",
        "subjectKeyIdentifier=hash",
        "authorityKeyIdentifier=keyid",
        "1.2.3.4=ASN1:UTF8String:team web",
        "1.2.3.5=critical,ASN1:INTEGER:7",
      ],
    });
    const certificate = parseCertificate(der);
    expect(certificate).toMatchObject({
      serial: 4711n,
      isSelfIssued: false,
      commonName: "café",
      organizationalUnits: ["ops", "dev"],
      dnsNames: ["a.example.com", "b.example.com"],
      emails: ["ada@example.com"],
      uris: ["spiffe://x/y"],
      usages: ["1.3.6.1.5.5.7.3.2", "1.3.6.1.5.5.7.3.1"],
      isAuthority: false,
      pathLength: undefined,
    });
    const issuer = parseCertificate(root.der);
    expect(certificate.subjectKeyId).toHaveLength(20);
    expect(certificate.authorityKeyId).toEqual(issuer.subjectKeyId);
    expect(extensionText(certificate.extensions.get("1.2.3.4")!)).toBe("team web");
    expect(extensionText(certificate.extensions.get("1.2.3.5")!)).toBe("");
    expect(certificate.extensions.get("1.2.3.5")!.isCritical).toBe(true);
    expect(certificate.extensions.get("1.2.3.4")!.isCritical).toBe(false);
  });

  test("of an authority", () => {
    const { der } = issue({ subject: "/CN=root", extensions: ["basicConstraints=critical,CA:true,pathlen:3"] });
    expect(parseCertificate(der)).toMatchObject({
      isAuthority: true,
      isSelfIssued: true,
      pathLength: 3n,
      usages: undefined,
    });
  });

  test("may have no name and no extensions", () => {
    const { der } = issue({ subject: "/" });
    expect(parseCertificate(der)).toMatchObject({ commonName: "", organizationalUnits: [], dnsNames: [], emails: [] });
  });

  test("is found in PEM among other things", () => {
    const [a, b] = [issue({ subject: "/CN=a" }), issue({ subject: "/CN=b" })];
    const text = `first\n${a.pem}${a.key}between\r\n${b.pem.replaceAll("\n", "\r\n")}`;
    expect(parseCertificates(text).map(({ commonName }) => commonName)).toEqual(["a", "b"]);
    expect(parseCertificates("nothing")).toEqual([]);
    expect(parseCertificates(a.pem.slice(0, -30))).toEqual([]);
  });

  test("with two extensions of a kind is refused", () => {
    const { der } = issue({ subject: "/CN=a", extensions: ["1.2.3.4=ASN1:NULL", "1.2.3.5=ASN1:NULL"] });
    const twice = Buffer.from(der);
    twice[twice.indexOf(Buffer.from("06032a0305", "hex")) + 4] = 4;
    expect(parseCertificate(der).extensions.has("1.2.3.5")).toBe(true);
    expect(() => parseCertificate(twice)).toThrow("the extension 1.2.3.4 has no value, or is there twice");
  });

  test("of any other bytes is refused", () => {
    const { der } = issue({ subject: "/CN=a" });
    expect(() => parseCertificate(Buffer.concat([der, Buffer.alloc(1)]))).toThrow();
    expect(() => parseCertificate(der.subarray(0, -1))).toThrow();
    expect(() => parseCertificate(Buffer.alloc(0))).toThrow();
    expect(() => parseCertificates("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")).toThrow();
  });
});
