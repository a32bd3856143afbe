/** Unmodified ACME clients, each with an order, a renewal and a revocation; by every kind of challenge that it knows. */
import { execFile, spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createWebServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "node:tls";
import { promisify } from "node:util";
import * as acme from "acme-client";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ToolUnavailable } from "../../scripts/interop/cached-tool.ts";
import { installCertbot } from "../../scripts/interop/certbot.ts";
import { unpackPackage } from "../../scripts/interop/debian-package.ts";
import { DnsServer, recordsIn } from "../support/dns-server.ts";
import type { HttpCaller } from "../support/http-caller.ts";
import { developmentServer, type ServerProcess } from "../support/server-process.ts";

const run = promisify(execFile);
const root = mkdtempSync(join(tmpdir(), "acme-clients-"));
const records = join(root, "records");
mkdirSync(records);
const names = new DnsServer(recordsIn(records), "127.0.0.1");
let server: ServerProcess;
let caller: HttpCaller;
/** Of one test. */
let folder: string;
let count = 0;

beforeAll(async () => {
  const dns_resolver = await names.start();
  server = await developmentServer();
  caller = server.caller("root");
  await caller.demand("POST", "sys/mounts/pki", { type: "pki" });
  await caller.demand("POST", "pki/root/generate/internal", { common_name: "Test Root", key_type: "ec", ttl: "8760h" });
  await caller.demand("POST", "pki/config/cluster", { path: `${server.url}/v1/pki` });
  await caller.demand("POST", "pki/config/acme", { enabled: true, dns_resolver });
});
afterAll(async () => {
  await server.stop();
  names.stop();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  folder = join(root, String(count++));
  mkdirSync(folder);
});
afterEach(() => caller.demand("POST", "pki/config/acme", { eab_policy: "not-required" }));

const directory = () => `${server.url}/v1/pki/acme/directory`;

/** Runs a client, and tells what it said if it failed. */
async function client(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  try {
    const { stdout, stderr } = await run(command, [...args], { env: { ...process.env, ...env }, cwd: folder });
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** A program that a client calls to publish a TXT record. */
function hook(lines: string): string {
  const file = join(folder, "hook.sh");
  writeFileSync(file, `#!/bin/sh\nrecords=${records}\n${lines}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Why the ports that challenges go to cannot be had, if they cannot. */
async function busyPort(...ports: number[]): Promise<string | undefined> {
  for (const port of ports) {
    const probe = createServer();
    const failure = await new Promise<Error | undefined>((resolve) => {
      probe.once("error", resolve).listen(port, "127.0.0.1", () => resolve(undefined));
    });
    if (failure) return `port ${port} cannot be had: ${failure.message}`;
    await new Promise((closed) => probe.close(closed));
  }
  return undefined;
}

const certificateIn = (file: string) => new X509Certificate(readFileSync(join(folder, file)));
const serialOf = ({ serialNumber }: X509Certificate) => serialNumber.toLowerCase().match(/../g)!.join(":");

async function expectRevoked(certificate: X509Certificate): Promise<void> {
  const { json } = await caller.demand("GET", `pki/cert/${serialOf(certificate)}`);
  expect(json.data.revocation_time).toBeGreaterThan(0);
}

/** Skips with a printed reason what cannot be had here. */
async function available<T>(tool: Promise<T>, skip: (note: string) => never): Promise<T> {
  try {
    return await tool;
  } catch (error) {
    if (error instanceof ToolUnavailable) {
      console.warn(`skipped: ${error.message}`);
      return skip(error.message);
    }
    throw error;
  }
}

async function requirePorts(skip: (note: string) => never, ...ports: number[]): Promise<void> {
  const busy = await busyPort(...ports);
  if (busy === undefined) return;
  console.warn(`skipped: ${busy}`);
  skip(busy);
}

async function binding(): Promise<{ id: string; key: string }> {
  await caller.demand("POST", "pki/config/acme", { eab_policy: "always-required" });
  return (await caller.demand("POST", "pki/acme/new-eab", {})).json.data;
}

const certbot = (packages: string, ...args: string[]) =>
  client(
    "python3",
    [
      ...["-c", "from certbot.main import main; main()", ...args, "--non-interactive"],
      ...["--config-dir", "etc", "--work-dir", "var", "--logs-dir", "log"],
    ],
    { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: "1" },
  );

const certbotAccount = () => ["--server", directory(), "--agree-tos", "--email", "ops@web.test"];

test("certbot: http-01, renewal, revocation, and renewal because of it", async ({ skip }) => {
  const packages = await available(installCertbot(), skip);
  await requirePorts(skip, 80);
  await certbot(packages, "certonly", "--standalone", "-d", "certbot.test", ...certbotAccount());
  const first = certificateIn("etc/live/certbot.test/cert.pem");
  await certbot(packages, "renew", "--force-renewal", "--no-random-sleep-on-renew");
  const second = certificateIn("etc/live/certbot.test/cert.pem");
  expect(serialOf(second)).not.toBe(serialOf(first));
  const reason = ["--reason", "superseded", "--no-delete-after-revoke"];
  await certbot(
    packages,
    "revoke",
    "--cert-path",
    "etc/live/certbot.test/cert.pem",
    ...reason,
    "--server",
    directory(),
  );
  await expectRevoked(second);
  // Renewal information (RFC 9773) is all that makes it renew a certificate that is young.
  await certbot(packages, "renew", "--no-random-sleep-on-renew");
  expect(serialOf(certificateIn("etc/live/certbot.test/cert.pem"))).not.toBe(serialOf(second));
});

test("certbot: dns-01 with a wildcard, a binding, other contacts, and the end of the account", async ({ skip }) => {
  const packages = await available(installCertbot(), skip);
  const { id, key } = await binding();
  // biome-ignore lint/suspicious/noTemplateCurlyInString: for the shell.
  const script = hook('printf "%s\\n" "$CERTBOT_VALIDATION" >> "$records/_acme-challenge.${CERTBOT_DOMAIN}"');
  const manual = ["--manual", "--preferred-challenges", "dns", "--manual-auth-hook", script];
  const bound = ["--eab-kid", id, "--eab-hmac-key", key];
  const wanted = ["-d", "wild.test", "-d", "*.wild.test"];
  await certbot(packages, "certonly", ...manual, ...wanted, ...certbotAccount(), ...bound);
  expect(certificateIn("etc/live/wild.test/cert.pem").subjectAltName).toBe("DNS:wild.test, DNS:*.wild.test");
  await certbot(packages, "update_account", "--email", "new@web.test", "--server", directory());
  expect(await certbot(packages, "show_account", "--server", directory())).toContain("new@web.test");
  await certbot(packages, "unregister", "--server", directory());
});

const lego = async (skip: (note: string) => never) =>
  join(await available(unpackPackage("lego"), skip), "usr/bin/lego");
const legoArgs = (...args: string[]) => [
  "--server",
  directory(),
  "--email",
  "a@b.test",
  "--accept-tos",
  "--path",
  ".",
  ...args,
];

test("lego: http-01, renewal, revocation", async ({ skip }) => {
  const program = await lego(skip);
  await requirePorts(skip, 80);
  const how = ["--http", "--http.port", "127.0.0.1:80", "-d", "lego.test"];
  await client(program, legoArgs(...how, "run"));
  const first = certificateIn("certificates/lego.test.crt");
  await client(program, legoArgs(...how, "renew", "--days", "3650", "--no-random-sleep"));
  const second = certificateIn("certificates/lego.test.crt");
  expect(serialOf(second)).not.toBe(serialOf(first));
  await client(program, legoArgs("--http", "-d", "lego.test", "revoke", "--reason", "1", "--keep"));
  await expectRevoked(second);
});

test("lego: tls-alpn-01", async ({ skip }) => {
  const program = await lego(skip);
  await requirePorts(skip, 443);
  await client(program, legoArgs("--tls", "--tls.port", "127.0.0.1:443", "-d", "alpn.test", "run"));
  expect(certificateIn("certificates/alpn.test.crt").subjectAltName).toBe("DNS:alpn.test");
});

test("lego: dns-01 with a wildcard and a binding", async ({ skip }) => {
  const program = await lego(skip);
  const { id, key } = await binding();
  const script = hook('[ "$1" = present ] && printf "%s\\n" "$3" >> "$records/$(echo "$2" | sed "s/[.]$//")"; exit 0');
  const how = ["--dns", "exec", "--dns.disable-cp", "-d", "*.deep.test", "-d", "deep.test"];
  await client(program, legoArgs("--eab", "--kid", id, "--hmac", key, ...how, "run"), {
    EXEC_PATH: script,
    EXEC_SEQUENCE_INTERVAL: "1",
  });
  expect(certificateIn("certificates/_.deep.test.crt").subjectAltName).toContain("DNS:*.deep.test");
});

test("dehydrated: dns-01 with a wildcard, renewal, revocation", async ({ skip }) => {
  const program = join(await available(unpackPackage("dehydrated"), skip), "usr/bin/dehydrated");
  const script = hook('[ "$1" = deploy_challenge ] && printf "%s\\n" "$4" >> "$records/_acme-challenge.$2"; exit 0');
  const settings = {
    CA: directory(),
    BASEDIR: folder,
    HOOK: script,
    CHALLENGETYPE: "dns-01",
    KEY_ALGO: "prime256v1",
    CONTACT_EMAIL: "a@b.test",
  };
  const config = Object.entries(settings).map(([name, value]) => `${name}="${value}"\n`);
  writeFileSync(join(folder, "config"), config.join(""));
  const dehydrated = (...args: string[]) => client("bash", [program, "-f", "config", ...args]);
  await dehydrated("--register", "--accept-terms");
  await dehydrated("--cron", "--domain", "hydra.test *.hydra.test");
  const first = certificateIn("certs/hydra.test/cert.pem");
  await dehydrated("--cron", "--force", "--domain", "hydra.test *.hydra.test");
  const second = certificateIn("certs/hydra.test/cert.pem");
  expect(serialOf(second)).not.toBe(serialOf(first));
  await dehydrated("--revoke", "certs/hydra.test/cert.pem");
  await expectRevoked(second);
  await dehydrated("--deactivate");
});

test("uacme: dns-01 with a wildcard, another key, revocation", async ({ skip }) => {
  const folderOfPackage = await available(unpackPackage("uacme", ["libev4"]), skip);
  const program = join(folderOfPackage, "usr/bin/uacme");
  const libraries = join(folderOfPackage, "usr/lib/x86_64-linux-gnu");
  const script = hook(
    '[ "$1" = begin ] || exit 0; [ "$2" = dns-01 ] || exit 1; printf "%s\\n" "$5" >> "$records/_acme-challenge.$3"',
  );
  const uacme = (...args: string[]) =>
    client(program, ["-v", "-y", "-c", ".", "-a", directory(), ...args], { LD_LIBRARY_PATH: libraries });
  await uacme("new", "a@b.test").catch((error: Error) => {
    if (/error while loading shared libraries/.test(error.message)) return skip("libraries of uacme are missing");
    throw error;
  });
  await uacme("-h", script, "issue", "micro.test", "*.micro.test");
  const certificate = certificateIn("micro.test/cert.pem");
  expect(certificate.subjectAltName).toContain("DNS:*.micro.test");
  await uacme("newkey");
  await uacme("update", "new@b.test");
  await uacme("revoke", "micro.test/cert.pem");
  await expectRevoked(certificate);
  await uacme("deactivate");
});

test("caddy: gets what it needs to serve a name, by tls-alpn-01 or http-01", async ({ skip }) => {
  const program = join(await available(unpackPackage("caddy"), skip), "usr/bin/caddy");
  await requirePorts(skip, 80, 443);
  const config = `{
    acme_ca ${directory()}
    admin off
    storage file_system ${folder}/storage
    email a@b.test
  }
  caddy.test {
    respond hello
  }
  `;
  writeFileSync(join(folder, "Caddyfile"), config);
  const child = spawn(program, ["run", "--config", "Caddyfile"], { cwd: folder, stdio: "ignore", env: home() });
  try {
    const shown = await until(() => handshake("caddy.test"));
    expect(shown.subjectAltName).toBe("DNS:caddy.test");
  } finally {
    child.kill();
  }
});

const home = () => ({ ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder });

/** The certificate that a server on this machine shows for a name. */
function handshake(servername: string): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: 443, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()!);
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

async function until<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 120; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left === 0) throw error;
      await pause(500);
    }
  }
}

test("acme-client: an address, by http-01", async ({ skip }) => {
  await requirePorts(skip, 80);
  const files = new Map<string, string>();
  const web = createWebServer((request, response) => response.end(files.get(basename(request.url ?? "")) ?? ""));
  web.listen(80, "127.0.0.1");
  try {
    const accountKey = await acme.crypto.createPrivateEcdsaKey();
    const asker = new acme.Client({ directoryUrl: directory(), accountKey });
    await asker.createAccount({ termsOfServiceAgreed: true });
    const order = await asker.createOrder({ identifiers: [{ type: "ip", value: "127.0.0.1" }] });
    const [authorization] = await asker.getAuthorizations(order);
    const [challenge] = authorization!.challenges;
    files.set(challenge!.token, await asker.getChallengeKeyAuthorization(challenge!));
    await asker.completeChallenge(challenge!);
    await asker.waitForValidStatus(challenge!);
    const [, csr] = await acme.crypto.createCsr({ altNames: ["127.0.0.1"] });
    const done = await asker.finalizeOrder(order, csr);
    expect(new X509Certificate(await asker.getCertificate(done)).subjectAltName).toBe("IP Address:127.0.0.1");
  } finally {
    web.close();
  }
});

test("acme-tiny: http-01 by a file on a web server", async ({ skip }) => {
  const unpacked = await available(unpackPackage("acme-tiny"), skip);
  await requirePorts(skip, 80);
  const openssl = (...args: string[]) => client("openssl", args);
  await openssl("genrsa", "-out", "account.key", "2048");
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "own.key"];
  await openssl("req", "-new", ...newKey, "-subj", "/", "-addext", "subjectAltName=DNS:tiny.test", "-out", "own.csr");
  const web = createWebServer((request, response) => {
    const file = join(folder, basename(request.url ?? ""));
    response.end(existsSync(file) ? readFileSync(file) : "");
  }).listen(80, "127.0.0.1");
  try {
    const files = ["--account-key", "account.key", "--csr", "own.csr", "--acme-dir", "."];
    const args = ["-m", "acme_tiny", ...files, "--disable-check", "--directory-url", directory()];
    const env = { PYTHONPATH: join(unpacked, "usr/lib/python3/dist-packages") };
    const { stdout } = await run("python3", args, { cwd: folder, env: { ...process.env, ...env } });
    expect(new X509Certificate(stdout).subjectAltName).toBe("DNS:tiny.test");
  } finally {
    web.close();
  }
});
