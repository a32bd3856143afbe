import { beforeEach, describe, expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../test/support/engine-caller.ts";
import { authority, forClients, issue, noOpenssl } from "../../../test/support/issued-certificates.ts";
import { cert } from "./engine.ts";

let auth: EngineCaller;

beforeEach(() => {
  auth = callerOf(cert, { maxLeaseSeconds: 2_764_800 });
});

describe.skipIf(noOpenssl)("entries", () => {
  const make = (extensions: readonly string[]) => (noOpenssl ? "" : issue({ subject: "/CN=x", extensions }).pem);
  const root = make(authority);
  const client = make(forClients);
  const server = make(["extendedKeyUsage=serverAuth"]);
  const anything = make([]);

  const write = (body: object, name = "web") => auth.call("write", `certs/${name}`, { certificate: root, ...body });
  const read = async (name = "web") => (await auth.call("read", `certs/${name}`)).data;

  test("are read as they were written", async () => {
    expect(await write({})).toMatchObject({ status: 204, warnings: [] });
    expect(await read()).toEqual({
      certificate: root,
      display_name: "web",
      allowed_names: [],
      allowed_common_names: [],
      allowed_dns_sans: [],
      allowed_email_sans: [],
      allowed_uri_sans: [],
      allowed_organizational_units: [],
      required_extensions: [],
      allowed_metadata_extensions: [],
      token_bound_cidrs: [],
      token_explicit_max_ttl: 0,
      token_max_ttl: 0,
      token_no_default_policy: false,
      token_num_uses: 0,
      token_period: 0,
      token_policies: [],
      token_strictly_bind_ip: false,
      token_ttl: 0,
      token_type: "default",
    });
  });

  test("change one by one", async () => {
    const constraints = {
      allowed_names: ["n"],
      allowed_common_names: ["c"],
      allowed_dns_sans: ["d"],
      allowed_email_sans: ["e"],
      allowed_uri_sans: ["u"],
      allowed_organizational_units: ["o"],
      required_extensions: ["1.2.3:x:y"],
      allowed_metadata_extensions: ["1.2.3"],
      display_name: "shown",
    };
    await write({ token_policies: "a" });
    for (const [name, value] of Object.entries(constraints)) {
      await auth.call("write", "certs/web", { [name]: value });
      expect(await read()).toMatchObject({ [name]: value });
    }
    expect(await read()).toMatchObject({ ...constraints, certificate: root, token_policies: ["a"] });
    await auth.call("write", "certs/web", { display_name: "" });
    expect(await read()).toMatchObject({ display_name: "web" });
  });

  test("older names are accepted, and shown beside the current ones", async () => {
    await write({ policies: "a", ttl: 60, max_ttl: 120, period: 30, bound_cidrs: "10.0.0.1/32" });
    expect(await read()).toMatchObject({
      policies: ["a"],
      token_policies: ["a"],
      ttl: 60,
      token_ttl: 60,
      max_ttl: 120,
      token_max_ttl: 120,
      period: 30,
      token_period: 30,
      bound_cidrs: ["10.0.0.1"],
      token_bound_cidrs: ["10.0.0.1"],
    });
    await write({ lease: 90 }, "lease");
    expect(await read("lease")).toMatchObject({ ttl: 90, token_ttl: 90 });
    await write({ lease: 90, ttl: 70 }, "lease");
    expect(await read("lease")).toMatchObject({ token_ttl: 70 });
    await write({ lease: 90, token_ttl: 50 }, "lease");
    expect(await read("lease")).toMatchObject({ token_ttl: 50 });
  });

  test("upper and lower case are one; lists page; deleting is final", async () => {
    for (const name of ["C", "a", "B"]) await write({}, name);
    expect((await auth.call("list", "certs")).data).toEqual({ keys: ["a", "b", "c"] });
    expect((await auth.call("list", "certs", { after: "a", limit: 1 })).data).toEqual({ keys: ["b"] });
    expect(await read("A")).toMatchObject({ display_name: "a" });
    expect(await auth.call("delete", "certs/A")).toMatchObject({ status: 204 });
    await expect(read("a")).rejects.toMatchObject({ status: 404, messages: [] });
    expect(await auth.call("delete", "certs/nobody")).toMatchObject({ status: 204 });
  });

  test.each([
    ["an authority", root],
    ["a client", client],
    ["a certificate for anything", anything],
    ["several", root + client],
  ])("trust %s", async (_, certificate) => {
    expect(await write({ certificate })).toMatchObject({ status: 204 });
  });

  test("warn of lifetimes that will be cut", async () => {
    const { warnings } = await write({ token_ttl: 2_764_801, token_max_ttl: 2_764_801, token_period: 2_764_801 });
    expect(warnings).toEqual(
      ["ttl", "max_ttl", "period"].map(
        (what) => `Given ${what} of 2764801 seconds is greater than current mount/system default of 2764800 seconds`,
      ),
    );
  });

  test.each<[object, string]>([
    [{ certificate: "" }, "failed to parse certificate"],
    [{ certificate: "nonsense" }, "failed to parse certificate"],
    [{ certificate: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" }, "failed to parse certificate"],
    [{ certificate: server }, "nonCA certificates should have TLS client authentication set as an extended key usage"],
    [
      { required_extensions: "1.2.3" },
      "'required_extensions' are pairs such as 1.2.3.4:pattern, and \"1.2.3\" is none",
    ],
    [{ required_extensions: "x:y" }, "'required_extensions' are pairs"],
    [{ allowed_metadata_extensions: "x" }, "'allowed_metadata_extensions' are object identifiers such as 1.2.3.4"],
    [{ ocsp_enabled: true }, "'ocsp_enabled' is not supported"],
    [{ token_ttl: 2, token_max_ttl: 1 }, "'token_ttl' cannot be greater than 'token_max_ttl'"],
    [{ bound_cidrs: "here" }, "invalid CIDR"],
  ])("refuse %j", async (body, message) => {
    await expect(write(body)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) });
    expect(auth.storage.entries.size).toBe(0);
  });

  test.each(["a b", "é", "*"])("refuse the name %j", async (name) => {
    await expect(write({}, name)).rejects.toMatchObject({ status: 400 });
  });
});
