import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import {
  authority,
  forClients,
  type Issued,
  issue,
  noOpenssl,
  revoke,
  type Wishes,
} from "../../../test/support/issued-certificates.ts";
import { cert } from "./engine.ts";
import type { CertServices } from "./services.ts";

const made = (wishes: Wishes): Issued => (noOpenssl ? undefined! : issue(wishes));

describe.skipIf(noOpenssl)("a client certificate", () => {
  const root = made({ subject: "/CN=root", extensions: authority });
  const named = [
    ...forClients,
    "subjectAltName=DNS:a.example.com,email:ada@example.com,URI:spiffe://x/web",
    "subjectKeyIdentifier=hash",
    "1.2.3.4=ASN1:UTF8String:team web",
  ];
  const web = made({ subject: "/OU=ops/CN=web", extensions: named, issuer: root, serial: 4711 });
  const renewed = made({ subject: "/CN=web", extensions: named, issuer: root });
  const other = made({ subject: "/CN=other", extensions: named, issuer: root });
  const nameless = made({ subject: "/O=x", extensions: forClients, issuer: root });
  const own = made({ subject: "/CN=own", extensions: forClients });

  let auth: EngineCaller<CertServices>;

  beforeEach(async () => {
    auth = callerOf(cert);
    auth.now = Date.now() + 60_000;
    await trust("ca", { certificate: root.pem, token_policies: "a" });
  });

  const trust = (name: string, body: object) => auth.call("write", `certs/${name}`, body);
  const login = async (client: Issued = web, body: object = {}) => {
    auth.clientCertificates = [client.der];
    return (await auth.call("write", "login", body)).data.grant;
  };
  const nowhere = { status: 400, message: "invalid certificate or no client certificate supplied" };
  const unfit = {
    status: 400,
    message: "no chain matching all constraints could be found for this login certificate",
  };

  test("gives a token as its entry says", async () => {
    expect(await login()).toEqual({
      alias: { name: "web" },
      displayName: "ca",
      metadata: {
        cert_name: "ca",
        common_name: "web",
        serial_number: "4711",
        subject_key_id: expect.stringMatching(/^([0-9a-f]{2}:){19}[0-9a-f]{2}$/),
        authority_key_id: expect.any(String),
      },
      token: expect.objectContaining({ token_policies: ["a"] }),
      internal: { cert_name: "ca", identity: "name:web", policies: ["a"] },
    });
  });

  test("of which extensions become metadata, also of the alias", async () => {
    await trust("ca", { allowed_metadata_extensions: "1.2.3.4,1.2.3.5", display_name: "shown" });
    await auth.call("write", "config", { enable_identity_alias_metadata: true });
    const { alias, metadata, displayName } = await login();
    expect(metadata).toMatchObject({ "1-2-3-4": "team web", cert_name: "ca" });
    expect(metadata).not.toHaveProperty("1-2-3-5");
    expect(alias).toEqual({ name: "web", metadata });
    expect(displayName).toBe("shown");
  });

  test("without a name gives a token without an entity", async () => {
    expect(await login(nameless)).not.toHaveProperty("alias");
  });

  test("picks an entry of just this certificate first, and a named one only by name", async () => {
    await trust("aa", { certificate: root.pem });
    await trust("zz", { certificate: web.pem });
    expect((await login()).metadata.cert_name).toBe("zz");
    expect((await login(other)).metadata.cert_name).toBe("aa");
    expect((await login(web, { name: "CA" })).metadata.cert_name).toBe("ca");
    await expect(login(other, { name: "zz" })).rejects.toMatchObject(nowhere);
    await expect(login(web, { name: "nobody" })).rejects.toMatchObject(nowhere);
  });

  test("that is trusted itself needs no authority", async () => {
    await expect(login(own)).rejects.toMatchObject(nowhere);
    await trust("own", { certificate: own.pem });
    expect((await login(own)).metadata.cert_name).toBe("own");
  });

  describe("is refused", () => {
    test("when there is none", async () => {
      await expect(auth.call("write", "login")).rejects.toMatchObject({
        status: 400,
        message: "client certificate must be supplied",
      });
    });

    test("when it cannot be read", async () => {
      auth.clientCertificates = [Buffer.from("nonsense")];
      await expect(auth.call("write", "login")).rejects.toMatchObject({
        status: 400,
        message: "failed to verify client's certificate: it cannot be read",
      });
    });

    test("when it has expired", async () => {
      auth.now += 31 * 86_400_000;
      await expect(login()).rejects.toMatchObject({
        status: 400,
        message: expect.stringMatching(/^failed to verify client's certificate: it is valid from \d{4}.* to \d{4}/),
      });
    });

    test("when it is for servers", async () => {
      const server = issue({ subject: "/CN=web", extensions: ["extendedKeyUsage=serverAuth"], issuer: root });
      await expect(login(server)).rejects.toThrow("its extended key usage does not include client authentication");
    });

    test("when it is revoked, or its authority is", async () => {
      await auth.call("write", "crls/unrelated", { crl: revoke(root, [1, 2]) });
      await login();
      await auth.call("write", "crls/root", { crl: revoke(root, [4711]) });
      await expect(login()).rejects.toMatchObject(unfit);
      await login(other);
      await auth.call("delete", "crls/root");
      await login();
    });

    test("when nonsense is presented beside it, it is not", async () => {
      auth.clientCertificates = [web.der, Buffer.from("nonsense"), root.der];
      await auth.call("write", "login");
    });
  });

  describe("must fit", () => {
    test.each<[object, boolean]>([
      [{ allowed_common_names: "web" }, true],
      [{ allowed_common_names: "x,w*" }, true],
      [{ allowed_common_names: "x,y" }, false],
      [{ allowed_dns_sans: "*.example.com" }, true],
      [{ allowed_dns_sans: "web" }, false],
      [{ allowed_email_sans: "*@example.com" }, true],
      [{ allowed_email_sans: "*@example.org" }, false],
      [{ allowed_uri_sans: "spiffe://x/*" }, true],
      [{ allowed_uri_sans: "spiffe://y/*" }, false],
      [{ allowed_organizational_units: "ops" }, true],
      [{ allowed_organizational_units: "dev" }, false],
      [{ allowed_names: "web" }, true],
      [{ allowed_names: "a.example.com" }, true],
      [{ allowed_names: "ada@example.com" }, true],
      [{ allowed_names: "spiffe://x/web" }, false],
      [{ required_extensions: "1.2.3.4:team*" }, true],
      [{ required_extensions: "1.2.3.4:team web,1.2.3.4:*web" }, true],
      [{ required_extensions: "1.2.3.4:team*,1.2.3.5:*" }, false],
      [{ required_extensions: "1.2.3.4:other" }, false],
      [{ allowed_common_names: "web", allowed_dns_sans: "x" }, false],
    ])("%j: %j", async (constraints, fits) => {
      await trust("ca", constraints);
      if (fits) expect(await login()).toMatchObject({ alias: { name: "web" } });
      else await expect(login()).rejects.toMatchObject(unfit);
    });
  });

  describe("renewal", () => {
    const renew = async (presented: Issued | undefined, internal?: object) => {
      const { internal: kept } = await login();
      return cert.renewLogin!({ ...kept, ...internal }, auth.services, {
        remoteAddress: "127.0.0.1",
        clientCertificates: () => (presented ? [presented.der] : []),
      });
    };
    const stranger = {
      status: 400,
      message: "client identity during renewal not matching client identity used during login",
    };

    test("needs the certificate, or its successor", async () => {
      expect(await renew(web)).toMatchObject({ token_policies: ["a"] });
      expect(await renew(renewed)).toMatchObject({ token_policies: ["a"] });
      await expect(renew(other)).rejects.toMatchObject(stranger);
      await expect(renew(own)).rejects.toMatchObject(nowhere);
      await expect(renew(undefined)).rejects.toThrow("client certificate must be supplied");
      const { internal } = await login();
      await expect(cert.renewLogin!(internal, auth.services)).rejects.toThrow("client certificate must be supplied");
    });

    test("of a certificate without a name needs its key", async () => {
      const { internal } = await login(nameless);
      const successor = issue({ subject: "/O=y", extensions: forClients, issuer: root, key: nameless.key });
      expect(await renew(successor, internal)).toBeDefined();
      const another = issue({ subject: "/O=x", extensions: forClients, issuer: root });
      await expect(renew(another, internal)).rejects.toMatchObject(stranger);
    });

    test("needs none when binding is disabled", async () => {
      await auth.call("write", "config", { disable_binding: true });
      expect(await renew(undefined)).toMatchObject({ token_policies: ["a"] });
    });

    test("is refused when policies have changed, or the entry is gone", async () => {
      const { internal } = await login();
      const connection = { remoteAddress: "127.0.0.1", clientCertificates: () => [web.der] };
      await trust("ca", { token_policies: "b" });
      await expect(cert.renewLogin!(internal, auth.services, connection)).rejects.toThrow(
        "policies have changed, not renewing",
      );
      await auth.call("delete", "certs/ca");
      await expect(cert.renewLogin!(internal, auth.services, connection)).rejects.toMatchObject({ status: 400 });
    });
  });
});
