import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { addressSource, clientSettings, connectionFlags, currentToken } from "./client-flags.ts";
import { type Environment, parseFlags } from "./flags.ts";

const home = mkdtempSync(join(tmpdir(), "strongroom-flags-"));
afterAll(() => rmSync(home, { recursive: true }));

const file = (name: string, content: string): string => {
  writeFileSync(join(home, name), content);
  return join(home, name);
};

const settingsOf = (words: string[], environment: Environment = {}) => {
  const { values } = parseFlags(connectionFlags, words, environment);
  return clientSettings(values, { HOME: home, ...environment });
};

describe("which setting counts: the flag, then our variable, then those of similar tools, then the default", () => {
  it.each([
    [[], {}, "http://127.0.0.1:8200"],
    [[], { VAULT_ADDR: "http://v" }, "http://v"],
    [[], { VAULT_ADDR: "http://v", BAO_ADDR: "http://b" }, "http://b"],
    [[], { VAULT_ADDR: "http://v", BAO_ADDR: "http://b", STRONGROOM_ADDR: "http://s" }, "http://s"],
    [[], { STRONGROOM_ADDR: "", BAO_ADDR: "http://b" }, "http://b"],
    [["-address=http://f"], { STRONGROOM_ADDR: "http://s" }, "http://f"],
  ] satisfies [string[], Environment, string][])("%j %j", async (words, environment, address) => {
    expect((await settingsOf(words, environment)).address).toBe(address);
  });

  it.each([
    [[], {}, { namespace: "", wrapTtl: undefined, timeout: 60_000, maxRetries: 0 }],
    [[], { VAULT_NAMESPACE: "a/b" }, { namespace: "a/b/" }],
    [["-ns=c"], { VAULT_NAMESPACE: "a" }, { namespace: "c/" }],
    [[], { BAO_WRAP_TTL: "60" }, { wrapTtl: "60" }],
    [[], { STRONGROOM_CLIENT_TIMEOUT: "5", BAO_MAX_RETRIES: "3" }, { timeout: 5000, maxRetries: 3 }],
    [["-timeout=2m"], { STRONGROOM_CLIENT_TIMEOUT: "5" }, { timeout: 120_000 }],
  ] satisfies [string[], Environment, object][])("%j %j", async (words, environment, expected) => {
    expect(await settingsOf(words, environment)).toMatchObject(expected);
  });

  it.each([
    [["-address=http://f"], { STRONGROOM_ADDR: "http://s" }, "from -address"],
    [[], { BAO_ADDR: "http://b" }, "from BAO_ADDR"],
    [[], {}, "the default"],
  ] satisfies [string[], Environment, string][])("the source is told: %j %j", (words, environment, source) => {
    expect(addressSource(parseFlags(connectionFlags, words, environment).given, environment)).toBe(source);
  });
});

describe("token", () => {
  it("comes from the environment before the file", async () => {
    const kept = file("kept", "s.file\n");
    expect(await currentToken({ STRONGROOM_TOKEN_PATH: kept })).toBe("s.file");
    expect(await currentToken({ STRONGROOM_TOKEN_PATH: kept, VAULT_TOKEN: "s.vault" })).toBe("s.vault");
    expect(await currentToken({ STRONGROOM_TOKEN_PATH: kept, VAULT_TOKEN: "s.vault", STRONGROOM_TOKEN: "s.own" })).toBe(
      "s.own",
    );
  });
});

describe("TLS", () => {
  const pem = (name: string) => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`;

  it("reads files", async () => {
    const flags = [
      `-ca-cert=${file("ca", pem("ca"))}`,
      `-client-cert=${file("c", "cert")}`,
      `-client-key=${file("k", "key")}`,
    ];
    expect((await settingsOf([...flags, "-tls-server-name=s", "-tls-skip-verify"])).tls).toEqual({
      authorities: [pem("ca")],
      certificate: "cert",
      key: "key",
      serverName: "s",
      skipVerify: true,
    });
  });

  it("takes the authority's certificate itself from the environment", async () => {
    expect((await settingsOf([], { VAULT_CACERT_BYTES: pem("text") })).tls?.authorities).toEqual([pem("text")]);
  });

  it("takes every certificate of a folder", async () => {
    const folder = mkdtempSync(join(home, "folder-"));
    writeFileSync(join(folder, "a.pem"), pem("a"));
    writeFileSync(join(folder, "readme"), "no certificate");
    expect((await settingsOf([`-ca-path=${folder}`])).tls?.authorities).toEqual([pem("a")]);
  });

  it.each([["-client-cert=x"], ["-client-key=x"], ["-ca-cert=/no/such/file"], ["-ca-path=/no/such/folder"]])(
    "says what is wrong with %s",
    async (flag) => {
      await expect(settingsOf([flag])).rejects.toThrow(/both -client-cert and -client-key|cannot be read/);
    },
  );
});
