import { describe, expect, test } from "vitest";
import type { AcmeCaller } from "../../../../test/support/acme-caller.ts";
import { boundMessage, jwkOf, newKey } from "../../../../test/support/acme-caller.ts";
import { acmeServer, client, stranger } from "../../../../test/support/acme-server.ts";

const types = (type: string) => `urn:ietf:params:acme:error:${type}`;

interface Bound {
  readonly id: string;
  readonly key: string;
}

const binding = (acme: AcmeCaller, { id, key }: Bound, header: object = {}, jwk: object = jwkOf(acme.key)) => ({
  externalAccountBinding: boundMessage({ alg: "HS256", kid: id, url: acme.url("new-account"), ...header }, jwk, key),
});

const directories = ["acme", "issuer/first/acme", "roles/web/acme", "issuer/first/roles/web/acme"];

describe("bindings", () => {
  test.each(directories)("are made, listed and deleted: %s", async (directory) => {
    const server = await acmeServer({ settings: { enabled: false } });
    const { data } = await server.call("write", `pki/${directory}/new-eab`);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-/),
      key: expect.stringMatching(/^[\w-]{43}$/),
      key_type: "hs",
      acme_directory: `${directory}/directory`,
      created_on: "2030-01-01T00:00:00+00:00",
    });
    const { id, key: _, ...shown } = data;
    expect((await server.call("list", "pki/eab")).data).toEqual({ keys: [id], key_info: { [id]: shown } });
    expect((await server.call("delete", `pki/eab/${id}`)).warnings).toEqual([]);
    expect((await server.call("list", "pki/eab")).data.keys).toEqual([]);
    expect((await server.call("delete", `pki/eab/${id}`)).warnings).toEqual([`No key id found with id: ${id}`]);
  });

  test("are for those with a token", async () => {
    const server = await acmeServer();
    await expect(server.call("write", "pki/acme/new-eab", {}, "")).rejects.toMatchObject({ status: 403 });
  });

  test("make one account, are then gone, and are shown with it", async () => {
    const server = await acmeServer({ settings: { eab_policy: "new-account-required" } });
    const { data } = await server.call("write", "pki/acme/new-eab");
    const acme = stranger(server);
    expect(await acme.post("new-account", {})).toMatchObject({ body: { type: types("externalAccountRequired") } });
    const given = binding(acme, data);
    expect(await acme.post("new-account", given)).toMatchObject({ status: 201, body: given });
    expect((await server.call("list", "pki/eab")).data.keys).toEqual([]);
    const second = stranger(server);
    expect((await second.post("new-account", binding(second, data))).body.type).toBe(types("unauthorized"));
    // Who has an account already needs none.
    expect(await acme.post("new-account", {})).toMatchObject({ status: 200 });
  });

  test("make one account of many that are asked for at once", async () => {
    const server = await acmeServer({ settings: { eab_policy: "always-required" } });
    const { data } = await server.call("write", "pki/acme/new-eab");
    const clients = Array.from({ length: 6 }, () => stranger(server));
    const answers = await Promise.all(clients.map((each) => each.post("new-account", binding(each, data))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401, 401]);
  });

  test("are not used up by an account that could not be made", async () => {
    const server = await acmeServer();
    const { data } = await server.call("write", "pki/acme/new-eab");
    const acme = stranger(server);
    const payload = binding(acme, data);
    expect(await acme.post("new-account", { ...payload, contact: ["tel:1"] })).toMatchObject({ status: 400 });
    expect(await acme.post("new-account", payload)).toMatchObject({ status: 201 });
  });

  test.each([
    ["for another directory", "unauthorized", "directory"],
    ["with another key", "unauthorized", "secret"],
    ["of another id", "unauthorized", "id"],
    ["for another url", "unauthorized", "url"],
    ["for another account key", "malformed", "jwk"],
    ["with a nonce", "malformed", "nonce"],
    ["signed by a public key's algorithm", "malformed", "alg"],
    ["that is no message", "malformed", "none"],
  ])("are refused %s, also where they are not required", async (_, type, what) => {
    const server = await acmeServer();
    const place = what === "directory" ? "roles/web/acme" : "acme";
    const { data } = await server.call("write", `pki/${place}/new-eab`);
    const acme = stranger(server);
    const bound = {
      id: what === "id" ? "00000000-0000-4000-8000-000000000000" : data.id,
      key: what === "secret" ? "AAAA" : data.key,
    };
    const header = {
      ...(what === "url" && { url: acme.url("new-order") }),
      ...(what === "nonce" && { nonce: "x" }),
      ...(what === "alg" && { alg: "ES256" }),
    };
    const payload =
      what === "none"
        ? { externalAccountBinding: "x" }
        : binding(acme, bound, header, jwkOf(what === "jwk" ? newKey() : acme.key));
    expect((await acme.post("new-account", payload)).body.type).toBe(types(type));
    expect((await server.call("list", "pki/eab")).data.keys).toEqual([data.id]);
  });

  test("are asked of old accounts too where always required, which can then be bound", async () => {
    const server = await acmeServer();
    const acme = await client(server);
    await server.call("write", "pki/config/acme", { eab_policy: "always-required" });
    expect(await acme.post(acme.kid)).toMatchObject({ status: 401, body: { type: types("externalAccountRequired") } });
    const { data } = await server.call("write", "pki/acme/new-eab");
    const { kid } = acme;
    acme.kid = "";
    expect(await acme.post("new-account", binding(acme, data))).toMatchObject({ status: 200 });
    acme.kid = kid;
    expect(await acme.post(acme.kid)).toMatchObject({ status: 200 });
  });

  test("are asked of everybody where the server says so", async () => {
    const server = await acmeServer({ isPublicAcmeDisabled: true });
    expect((await stranger(server).post("new-account", {})).body.type).toBe(types("externalAccountRequired"));
  });
});
