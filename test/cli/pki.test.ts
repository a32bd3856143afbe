/** Certificates from the command line, against a real server: files, refusals, and an authority that is not well. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { developmentServer, type ServerProcess } from "../support/server-process.ts";
import { Person } from "./person.ts";

let server: ServerProcess;
let person: Person;

beforeAll(async () => {
  server = await developmentServer();
  person = new Person({ STRONGROOM_ADDR: server.url, STRONGROOM_TOKEN: "root" });
  await person.succeed("secrets enable pki");
  await person.succeed("write pki/root/generate/internal common_name=root key_type=ec ttl=700h issuer_name=root");
  await person.succeed("write pki/roles/any allow_any_name=true enforce_hostnames=false key_type=ec ttl=24h");
});

afterAll(async () => {
  person?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

test("files replace those of before, whatever their mode, and stay in their folder", async () => {
  const folder = join(person.home, "tls");
  mkdirSync(folder);
  writeFileSync(join(folder, "www.example.com.key"), "old", { mode: 0o644 });
  const issued = await person.succeed(`pki issue pki/any common_name=www.example.com -out-dir=${folder} -format=json`);
  expect(JSON.parse(issued)).toEqual({
    serial_number: expect.stringMatching(/^[0-9a-f]{2}(:[0-9a-f]{2})+$/),
    expiration: expect.any(Number),
    private_key_file: join(folder, "www.example.com.key"),
    certificate_file: join(folder, "www.example.com.pem"),
    chain_file: join(folder, "www.example.com-chain.pem"),
    fullchain_file: join(folder, "www.example.com-fullchain.pem"),
  });
  expect(statSync(join(folder, "www.example.com.key")).mode & 0o777).toBe(0o600);
  expect(
    readFileSync(join(folder, "www.example.com-fullchain.pem"), "utf8").match(/-BEGIN CERTIFICATE-/g),
  ).toHaveLength(2);
  expect(readFileSync(join(folder, "www.example.com.key"), "utf8")).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n.*\n$/s);

  await person.succeed(["pki", "issue", "pki/any", "common_name=../../../evil", `-out-dir=${folder}`]);
  await person.succeed(["pki", "issue", "pki/any", "common_name=x", `-out-dir=${folder}`, "-out-name=.hidden/y"]);
  expect(readdirSync(folder).filter((name) => name.endsWith(".key"))).toEqual([
    "_._.._.._evil.key",
    "_hidden_y.key",
    "www.example.com.key",
  ]);
  const der = await person.run(`pki issue pki/any common_name=x format=der -out-dir=${folder}`);
  expect(der).toMatchObject({ code: 1, output: "" });
});

test("a certificate is found, revoked by its number in any form, and found as revoked", async () => {
  const serial = await person.succeed("pki issue pki/any common_name=gone.example.com -field=serial_number");
  expect(await person.succeed("pki certs -expiring=2d -name=GONE.example.com")).toMatch(
    new RegExp(`^${serial} +gone\\.example\\.com +gone\\.example\\.com +any +20\\S+Z +(ends today|1 day left)$`, "m"),
  );
  expect((await person.run("pki certs -expiring=1h")).code).toBe(2);
  expect(await person.succeed(`pki revoke ${serial.replaceAll(":", "").toUpperCase()}`)).toMatch(/^state +revoked$/m);
  expect(await person.succeed("pki certs -revoked")).toMatch(new RegExp(`^${serial} .* revoked$`, "m"));
  expect((await person.run("pki certs -expiring=2d -name=gone.example.com")).code).toBe(2);
  expect(await person.run("pki revoke 01:02 -reason=whim")).toMatchObject({ code: 2 });
});

test("the dry run shows what would be, and stores nothing", async () => {
  expect(await person.succeed("pki issue pki/any common_name=dry.example.com -dry-run")).toMatch(/^subject +CN=dry/m);
  expect((await person.run("pki certs -name=dry.example.com")).code).toBe(2);
});

test("an authority that is not well", async () => {
  const { code, output } = await person.run("pki health-check pki -format=json");
  const statuses = Object.fromEntries(
    Object.entries<{ status: string }[]>(JSON.parse(output)).map(([name, [first]]) => [name, first!.status]),
  );
  expect({ code, statuses }).toEqual({
    code: 4,
    statuses: {
      default_issuer: "ok",
      ca_validity_period: "critical",
      crl_validity_period: "ok",
      issuer_urls: "warning",
      root_issued_leaves: "warning",
      role_allows_any_name: "warning",
      role_allows_glob_wildcards: "ok",
      role_allows_localhost: "informational",
      role_long_lifetime: "ok",
      role_no_store: "ok",
      enable_auto_tidy: "informational",
      tidy_last_run: "ok",
      too_many_certs: "ok",
    },
  });
  expect(output).toMatch(/The root root issues leaves, such as [0-9a-f:]+\./);
  expect(await person.succeed("pki health-check -list")).toMatch(/^ca_validity_period +every issuer/m);
});

test("the exit code tells no more than is asked for, and always what may not be read", async () => {
  await person.succeed("secrets enable -path=empty pki");
  expect((await person.run("pki health-check empty")).code).toBe(4);
  expect((await person.run("pki health-check empty -return-indicator=permission")).code).toBe(0);
  await person.succeed("write empty/root/generate/internal common_name=young key_type=ec ttl=700h");
  const quiet = await person.run("pki health-check empty -format=json");
  expect(JSON.parse(quiet.output).root_issued_leaves[0].status).toBe("ok");
  const token = await person.succeed("token create -policy=default -field=token");
  const stranger = new Person({ STRONGROOM_ADDR: server.url, STRONGROOM_TOKEN: token });
  const { code, output } = await stranger.run("pki health-check pki -return-indicator=permission");
  expect(code).toBe(6);
  expect(output).toMatch(/^role_allows_any_name +insufficient_permissions +pki\/roles/m);
  stranger[Symbol.dispose]();
  expect((await person.run("pki health-check nowhere")).code).toBe(1);
});
