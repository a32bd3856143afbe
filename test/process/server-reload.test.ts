import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterAll, expect, test } from "vitest";
import { makeCertificates } from "../support/certificates.ts";
import { ServerProcess } from "../support/server-process.ts";

const folder = mkdtempSync(join(tmpdir(), "strongroom-reload-"));
afterAll(() => rmSync(folder, { recursive: true }));

const configFile = join(folder, "server.json");
const write = (config: object | string) =>
  writeFileSync(configFile, typeof config === "string" ? config : JSON.stringify(config));
const start = (...flags: string[]) => ServerProcess.start({ flags: [`-config=${configFile}`, ...flags] });

/** Sends the signal, and waits for what the server says when it is done. */
async function reload(server: ServerProcess): Promise<string> {
  const before = server.output.length;
  const done = () => server.output.slice(before).includes("server: reloaded");
  server.signal("SIGHUP");
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 20));
  return server.output.slice(before);
}

const listener = (more: object = {}) => ({ tcp: { address: "127.0.0.1:0", tls_disable: true, ...more } });
const team = (name: string) => listener({ custom_response_headers: { default: { "X-Team": [name] } } });

test("headers, levels and log files change while it serves; the rest waits, and what is wrong changes nothing", async () => {
  const logFile = join(folder, "server.log");
  const base = { storage: { inmem: {} }, log_file: logFile };
  write({ ...base, listener: team("before") });
  await using server = await start();
  const caller = server.caller();
  const health = () => caller.call("GET", "sys/health", undefined, { token: "s.very-secret" });

  expect((await health()).headers["x-team"]).toBe("before");
  expect(server.output).not.toContain("answered a request");

  renameSync(logFile, `${logFile}.old`);
  write({ ...base, listener: team("after"), log_level: "debug", log_requests_level: "debug", max_lease_ttl: "1h" });
  const said = await reload(server);
  expect(said).toContain("settings that changed wait for the next start");
  expect(said).toContain("max_lease_ttl");
  const answer = await caller.call("GET", "sys/health?secret=1");
  expect(answer.headers["x-team"]).toBe("after");
  expect(answer.headers["strict-transport-security"]).toBe("max-age=31536000; includeSubDomains");
  expect(answer.headers["cache-control"]).toBe("no-store");
  await health();

  const line = readFileSync(logFile, "utf8")
    .split("\n")
    .find((each) => each.includes("answered a request"));
  expect(line).toMatch(
    /\[DEBUG\] request: answered a request request_id="[0-9a-f-]{36}" method="GET" path="\/v1\/sys\/health" status=501 duration_ms=[\d.]+ client_address="127\.0\.0\.1"$/,
  );
  expect(server.output).not.toContain("very-secret");
  expect(server.output).not.toContain("secret=1");
  expect(readFileSync(`${logFile}.old`, "utf8")).not.toContain("answered a request");

  write(`{"listener": 5, "log_level": "loud"}`);
  const complained = await reload(server);
  expect(complained).toContain("the configuration is wrong, and the one in use stays");
  expect(complained).toContain("log_level");
  expect((await health()).headers["x-team"]).toBe("after");
  caller.close();
});

test("flags win over files, also when they are read again", async () => {
  write({ storage: { inmem: {} }, listener: listener(), log_level: "error" });
  await using server = await start("-log-level=info", "-log-format=json");
  const before = server.output.length;
  server.signal("SIGHUP");
  while (!server.output.slice(before).includes("reloaded")) await new Promise((resolve) => setTimeout(resolve, 20));
  const [line] = server.output.slice(before).split("\n");
  expect(JSON.parse(line!)).toMatchObject({ "@level": "info", "@module": "server", "@message": "reloaded" });
});

const certificates = makeCertificates();

test.skipIf(!certificates)("certificates are read again, also from other files; bad ones are refused", async () => {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const { server: first, renewed } = certificates!;
  const names = { cert: file("cert.pem", first.cert), key: file("key.pem", first.key) };
  const others = { cert: file("new-cert.pem", renewed.cert), key: file("new-key.pem", renewed.key) };
  const secure = ({ cert, key }: typeof names) =>
    listener({ tls_disable: false, tls_cert_file: cert, tls_key_file: key });
  const served = async (server: ServerProcess) => {
    const socket = connect({ port: Number(new URL(server.url).port), rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { fingerprint256 } = socket.getPeerX509Certificate()!;
    socket.destroy();
    return fingerprint256;
  };
  const print = (pem: string) => new X509Certificate(pem).fingerprint256;

  write({ storage: { inmem: {} }, listener: secure(names) });
  await using server = await start();
  expect(await served(server)).toBe(print(first.cert));

  write({ storage: { inmem: {} }, listener: secure(others) });
  await reload(server);
  expect(await served(server)).toBe(print(renewed.cert));

  file("new-key.pem", first.key);
  expect(await reload(server)).toContain("is not the private key of the certificate");
  expect(await served(server)).toBe(print(renewed.cert));
});

test("two listeners hide and open their own paths only", async () => {
  const open = listener({
    disable_unauthed_rekey_endpoints: false,
    telemetry: { unauthenticated_metrics_access: true },
  });
  write({ storage: { inmem: {} }, listener: [listener(), open], enable_response_header_hostname: true });
  await using server = await start();
  const statuses = async (path: string) =>
    Promise.all(server.urls.map(async (url) => (await fetch(`${url}/v1/${path}`)).status));
  expect(await statuses("sys/rekey/init")).toEqual([405, 503]);
  expect(await statuses("sys/generate-root/attempt")).toEqual([405, 405]);
  expect(await statuses("sys/metrics")).toEqual([503, 200]);
  const metrics = await (await fetch(`${server.urls[1]}/v1/sys/metrics?format=prometheus`)).text();
  expect(metrics).toContain("\nstrongroom_sealed 1\n");
  expect(metrics).toContain('\nstrongroom_http_responses_total{code="405"} 3\n');
  const health = await fetch(`${server.url}/v1/sys/health`);
  expect(health.headers.get("x-service-hostname")).toBe(hostname());
  expect(health.headers.get("x-vault-hostname")).toBe(hostname());
  const [refused] = await Promise.all(server.urls.map(async (url) => (await fetch(`${url}/v1/sys/rekey/init`)).json()));
  expect(refused).toEqual({ errors: ["1 error occurred:\n\t* unsupported operation\n\n"] });
});
