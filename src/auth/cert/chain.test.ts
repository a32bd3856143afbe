import { describe, expect, test } from "vitest";
import {
  authority,
  forClients,
  type Issued,
  issue,
  noOpenssl,
  rsaKey,
  type Wishes,
} from "../../../test/support/issued-certificates.ts";
import { parseCertificate } from "./certificate.ts";
import { ChainSearch } from "./chain.ts";

const ca = (wishes: Partial<Wishes> = {}) => issue({ subject: "/CN=root", extensions: authority, ...wishes });
const client = (issuer: Issued | undefined, wishes: Partial<Wishes> = {}) =>
  issue({ subject: "/CN=client", extensions: forClients, ...(issuer && { issuer }), ...wishes });

/** The common names on the way from the first certificate to one that is trusted; undefined if there is none. */
function way(presented: readonly Issued[], trusted: readonly Issued[], afterDays = 0): string[] | undefined {
  const [leaf, ...others] = presented.map(({ der }) => parseCertificate(der));
  const now = new Date(Date.now() + 60_000 + afterDays * 86_400_000);
  const search = new ChainSearch({ leaf: leaf!, others }, now);
  return search.to(trusted.map(({ der }) => parseCertificate(der)))?.map(({ commonName }) => commonName);
}

describe.skipIf(noOpenssl)("a client's certificate", () => {
  const root = noOpenssl ? undefined! : ca();

  test("of a trusted authority", () => {
    expect(way([client(root)], [root])).toEqual(["client", "root"]);
  });

  test("of an authority below a trusted one", () => {
    const middle = ca({ subject: "/CN=middle", issuer: root });
    const leaf = client(middle);
    expect(way([leaf, middle], [root])).toEqual(["client", "middle", "root"]);
    expect(way([leaf, root, leaf, middle], [root])).toEqual(["client", "middle", "root"]);
    expect(way([leaf], [root])).toBeUndefined();
    expect(way([leaf], [middle])).toEqual(["client", "middle"]);
  });

  test("that is trusted itself, whoever signed it", () => {
    const leaf = client(undefined);
    expect(way([leaf], [leaf])).toEqual(["client"]);
    expect(way([root], [root])).toEqual(["root"]);
  });

  test("with a key usage for anything, or none", () => {
    expect(way([client(root, { extensions: [] })], [root])).toBeDefined();
    expect(way([client(root, { extensions: ["extendedKeyUsage=anyExtendedKeyUsage"] })], [root])).toBeDefined();
  });

  describe("with a signature", () => {
    const rsa = noOpenssl ? undefined! : ca({ keyKind: rsaKey });
    const pss = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:-1"];

    test.each<[string, Partial<Wishes>, boolean]>([
      ["of RSA with SHA-256", {}, true],
      ["of RSA with SHA-1", { digest: "sha1" }, false],
      ["of RSASSA-PSS with SHA-256", { options: pss }, true],
      ["of RSASSA-PSS with SHA-384", { options: pss, digest: "sha384" }, true],
      ["of RSASSA-PSS with SHA-1", { options: pss, digest: "sha1" }, false],
    ])("%s", (_, wishes, isBelieved) => {
      expect(way([client(rsa, wishes)], [rsa]) !== undefined).toBe(isBelieved);
    });

    test("of ECDSA with SHA-1 is not believed", () => {
      expect(way([client(root, { digest: "sha1" })], [root])).toBeUndefined();
      expect(way([client(root, { digest: "sha512" })], [root])).toBeDefined();
    });

    test("that was made for another certificate is not believed", () => {
      const leaf = client(root);
      const other = client(root, { subject: "/CN=other_" });
      const forged = Buffer.from(leaf.der);
      // The signature stands at the end.
      const signature = Buffer.from(other.der).subarray(-20);
      signature.copy(forged, forged.length - 20);
      expect(way([{ ...leaf, der: forged }], [root])).toBeUndefined();
    });
  });

  describe("is not believed", () => {
    test("from a stranger", () => {
      expect(way([client(undefined)], [root])).toBeUndefined();
      expect(way([client(ca())], [root])).toBeUndefined();
    });

    test("after its end, or that of its authority", () => {
      expect(way([client(root)], [root], 29)).toBeDefined();
      expect(way([client(root)], [root], 31)).toBeUndefined();
    });

    test("before its beginning", () => {
      expect(way([client(root)], [root], -1)).toBeUndefined();
    });

    test("for servers only", () => {
      expect(way([client(root, { extensions: ["extendedKeyUsage=serverAuth"] })], [root])).toBeUndefined();
    });

    test("of an authority for servers only", () => {
      const servers = ca({ extensions: [...authority, "extendedKeyUsage=serverAuth"] });
      expect(way([client(servers)], [servers])).toBeUndefined();
    });

    test("signed by another client", () => {
      const other = client(root, { subject: "/CN=other" });
      const forged = client(other);
      expect(way([forged, other], [root])).toBeUndefined();
      expect(way([forged], [other])).toBeUndefined();
    });

    test("signed by an authority that may not sign certificates", () => {
      const mute = ca({ extensions: [...authority, "keyUsage=critical,cRLSign"] });
      expect(way([client(mute)], [mute])).toBeUndefined();
    });

    test("through more authorities than one of them allows", () => {
      const narrow = ca({ subject: "/CN=narrow", extensions: ["basicConstraints=critical,CA:true,pathlen:0"] });
      const middle = ca({ subject: "/CN=middle", issuer: narrow });
      const newKey = ca({ subject: "/CN=narrow", issuer: narrow });
      expect(way([client(narrow)], [narrow])).toBeDefined();
      expect(way([client(middle), middle], [narrow])).toBeUndefined();
      expect(way([client(newKey), newKey], [narrow])).toBeDefined();
    });

    test("of an authority of another name with the same key", () => {
      const renamed = ca({ subject: "/CN=renamed", key: root.key });
      expect(way([client(root)], [renamed])).toBeUndefined();
    });

    test("of an authority with name constraints, which are not obeyed here", () => {
      const bound = ca({ extensions: [...authority, "nameConstraints=permitted;DNS:example.com"] });
      expect(way([client(bound)], [bound])).toBeUndefined();
    });

    test("with a critical extension that is not known here", () => {
      const odd = client(root, { extensions: [...forClients, "1.2.3.4=critical,ASN1:UTF8String:x"] });
      const harmless = client(root, { extensions: [...forClients, "1.2.3.4=ASN1:UTF8String:x"] });
      expect(way([odd], [root])).toBeUndefined();
      expect(way([odd], [odd])).toBeUndefined();
      expect(way([harmless], [root])).toBeDefined();
    });
  });

  test("cannot make the search endless", () => {
    const key = root.key;
    const many = Array.from({ length: 9 }, (_, index) => ca({ key, issuer: root, serial: index + 1 }));
    const leaf = client(many[0]);
    const stranger = ca({ subject: "/CN=stranger" });
    expect(way([leaf, ...many], [stranger])).toBeUndefined();
  });
});
