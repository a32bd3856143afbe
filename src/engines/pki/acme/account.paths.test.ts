import { describe, expect, test } from "vitest";
import { jwkOf, newKey, signedMessage } from "../../../../test/support/acme-caller.ts";
import { acmeServer, client, stranger } from "../../../../test/support/acme-server.ts";

const types = (type: string) => `urn:ietf:params:acme:error:${type}`;
const contact = ["mailto:ops@example.com", "mailto:ca@example.com"];

describe("an account", () => {
  test("is made once for a key, and found again", async () => {
    const acme = stranger(await acmeServer());
    const missing = await acme.post("new-account", { onlyReturnExisting: true });
    expect(missing).toMatchObject({ status: 400, body: { type: types("accountDoesNotExist") } });
    const made = await acme.post("new-account", { contact, termsOfServiceAgreed: true });
    const location = made.headers["location"];
    expect(made).toMatchObject({ status: 201, body: { status: "valid", contact, orders: `${location}/orders` } });
    const found = await acme.post("new-account", { onlyReturnExisting: true });
    expect(found).toMatchObject({ status: 200, headers: { location }, body: made.body });
    const again = await acme.post("new-account", { contact: ["mailto:other@example.com"] });
    expect(again).toMatchObject({ status: 200, body: { contact } });
  });

  test("is made once when two ask at the same moment", async () => {
    const acme = stranger(await acmeServer());
    const answers = await Promise.all([acme.post("new-account", {}), acme.post("new-account", {})]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(answers[0]!.headers["location"]).toBe(answers[1]!.headers["location"]);
  });

  test("belongs to one directory", async () => {
    const server = await acmeServer();
    const acme = await client(server);
    const other = stranger(server, "roles/web/acme");
    other.key = acme.key;
    expect(await other.post("new-account", { onlyReturnExisting: true })).toMatchObject({ status: 400 });
  });

  test("keeps its contacts when it is read, changes them when told, and can drop them", async () => {
    const acme = await client(await acmeServer(), "acme", { contact });
    expect((await acme.post(acme.kid)).body.contact).toEqual(contact);
    expect((await acme.post(acme.kid, {})).body.contact).toEqual(contact);
    expect((await acme.post(acme.kid, { contact: contact.slice(1) })).body.contact).toEqual(contact.slice(1));
    expect((await acme.post(acme.kid)).body.contact).toEqual(contact.slice(1));
    expect((await acme.post(acme.kid, { contact: [] })).body.contact).toBeUndefined();
  });

  test.each([
    [{ contact: "mailto:a@b.test" }, "malformed"],
    [{ contact: [7] }, "malformed"],
    [{ contact: ["tel:+123"] }, "unsupportedContact"],
    [{ contact: ["mailto:a@b.test?subject=x"] }, "invalidContact"],
    [{ contact: ["mailto:a@b.test,c@d.test"] }, "invalidContact"],
    [{ contact: ["mailto:"] }, "invalidContact"],
    [{ termsOfServiceAgreed: "yes" }, "malformed"],
  ])("refuses %j", async (payload, type) => {
    expect((await stranger(await acmeServer()).post("new-account", payload)).body.type).toBe(types(type));
  });

  test("does nothing more once it is deactivated", async () => {
    const acme = await client(await acmeServer());
    expect((await acme.post(acme.kid, { status: "deactivated" })).body.status).toBe("deactivated");
    expect(await acme.post(acme.kid)).toMatchObject({ status: 401, body: { type: types("unauthorized") } });
    const { kid } = acme;
    acme.kid = "";
    expect(await acme.post("new-account", {})).toMatchObject({ status: 401 });
    acme.kid = kid;
    expect(await acme.post("new-order", {})).toMatchObject({ status: 401 });
  });

  test("takes no other status, and no other's changes", async () => {
    const server = await acmeServer();
    const [acme, other] = [await client(server), await client(server)];
    expect(await acme.post(acme.kid, { status: "revoked" })).toMatchObject({ status: 400 });
    expect(await acme.post(other.kid, { contact: [] })).toMatchObject({ status: 403 });
    expect(await acme.post(`${other.kid}/orders`)).toMatchObject({ status: 403 });
  });

  test("is one of so many per hour and address", async () => {
    const server = await acmeServer({ settings: { account_limit: 2 } });
    await client(server);
    await client(server);
    expect(await stranger(server).post("new-account", {})).toMatchObject({
      status: 429,
      body: { type: types("rateLimited") },
      headers: { "retry-after": "3600" },
    });
  });
});

describe("a key change", () => {
  async function prepared() {
    const server = await acmeServer();
    const acme = await client(server);
    const next = newKey();
    const url = acme.url("key-change");
    const header = { alg: "ES256", jwk: jwkOf(next), url };
    const payload = { account: acme.kid, oldKey: jwkOf(acme.key) };
    return { server, acme, next, header, payload };
  }

  test("gives the account another key, and frees the old one", async () => {
    const { server, acme, next, header, payload } = await prepared();
    const answer = await acme.post("key-change", signedMessage(header, payload, next));
    expect(answer).toMatchObject({ status: 200, headers: { location: acme.kid } });
    expect(await acme.post(acme.kid)).toMatchObject({ status: 400 });
    const old = acme.key;
    acme.key = next;
    expect(await acme.post(acme.kid)).toMatchObject({ status: 200 });
    const second = stranger(server);
    second.key = old;
    expect(await second.post("new-account", {})).toMatchObject({ status: 201 });
  });

  test("to a key that an account has is a conflict, and says which", async () => {
    const { server, acme, payload } = await prepared();
    const other = await client(server);
    const header = { alg: "ES256", jwk: jwkOf(other.key), url: acme.url("key-change") };
    const answer = await acme.post("key-change", signedMessage(header, payload, other.key));
    expect(answer).toMatchObject({ status: 409, headers: { location: other.kid } });
  });

  test.each([
    ["an inner message of the old key", "badSigner"],
    ["another account", "account"],
    ["another old key", "oldKey"],
    ["another url", "url"],
    ["a nonce inside", "nonce"],
    ["a kid inside", "kid"],
    ["no inner message", "none"],
  ])("is refused with %s", async (_, what) => {
    const { acme, next, header, payload } = await prepared();
    const wrongHeader = {
      ...header,
      ...(what === "url" && { url: acme.url("new-order") }),
      ...(what === "nonce" && { nonce: "x" }),
      ...(what === "kid" && { kid: acme.kid }),
    };
    const wrongPayload = {
      ...payload,
      ...(what === "account" && { account: `${acme.kid}0` }),
      ...(what === "oldKey" && { oldKey: jwkOf(next) }),
    };
    const inner = signedMessage(wrongHeader, wrongPayload, what === "badSigner" ? acme.key : next);
    const answer = await acme.post("key-change", what === "none" ? {} : inner);
    expect(answer).toMatchObject({ status: 400, body: { type: types("malformed") } });
    expect(await acme.post(acme.kid)).toMatchObject({ status: 200 });
  });
});

describe("operators", () => {
  test("see accounts and orders, and can revoke an account", async () => {
    const server = await acmeServer();
    const acme = await client(server, "roles/web/acme", { contact });
    await acme.post("new-order", { identifiers: [{ type: "dns", value: "www.web.test" }] });
    const { data } = await server.call("list", "pki/acme/mgmt/account/keyid");
    const [id] = data.keys;
    expect(data.key_info[id]).toMatchObject({ status: "valid", directory: "roles/web/acme", contact });
    const orders = (await server.call("list", "pki/acme/mgmt/orders")).data;
    expect(orders.key_info[orders.keys[0]]).toMatchObject({ status: "pending", account: id });
    expect((await server.call("read", `pki/acme/mgmt/account/keyid/${id}`)).data.orders).toHaveLength(1);
    await server.call("write", `pki/acme/mgmt/account/keyid/${id}`, { status: "revoked" });
    expect(await acme.post(acme.kid)).toMatchObject({ status: 401 });
    await server.call("write", `pki/acme/mgmt/account/keyid/${id}`, { status: "valid" });
    expect(await acme.post(acme.kid)).toMatchObject({ status: 200 });
  });
});
