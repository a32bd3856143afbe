import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Certificates, makeCertificates } from "../support/certificates.ts";
import { RawClient } from "../support/raw-client.ts";
import { developmentServer, ServerProcess } from "../support/server-process.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "strongroom-signals-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(10);
}

const portOf = (url: string) => Number(new URL(url).port);

describe.for(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  test("ends an idle server with 0, also while clients are connected", async () => {
    const server = await developmentServer();
    const idle = connect(portOf(server.url), "127.0.0.1");
    await once(idle, "connect");
    const caller = server.caller("root");
    await caller.demand("GET", "sys/mounts");
    server.signal(signal);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    idle.destroy();
    caller.close();
  });

  test("lets a request that is under way finish, and takes no more", async () => {
    const server = await developmentServer();
    const client = await RawClient.connect({ port: portOf(server.url) });
    const body = '{"data":{"a":"b"}}';
    const head = `POST /v1/secret/data/late HTTP/1.1\r\nHost: x\r\nX-Vault-Token: root\r\nContent-Length: ${body.length}\r\n\r\n`;
    await client.send(head + body.slice(0, 5));
    await server.caller().call("GET", "sys/health");
    server.signal(signal);
    await until(() => server.output.includes("stopping"));
    await client.send(body.slice(5));
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"version":1/);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    await expect(server.caller().call("GET", "sys/health")).rejects.toThrow("ECONNREFUSED");
  });
});

test("SIGTERM under load: what was answered is there, nobody is answered by halves, exit code 0", async () => {
  const path = join(folder, "loaded");
  const flags = [`-dev-storage-path=${path}`];
  const server = await developmentServer({ flags });
  const caller = server.caller("root");
  const acknowledged: string[] = [];
  const lane = async (index: number) => {
    for (let number = 0; ; number++) {
      const answer = await caller.call("POST", `secret/data/${index}-${number}`, { data: {} }).catch(() => undefined);
      if (answer === undefined) return;
      expect(answer.status).toBe(200);
      acknowledged.push(`${index}-${number}`);
    }
  };
  const lanes = Promise.all(Array.from({ length: 16 }, (_, index) => lane(index)));
  await until(() => acknowledged.length >= 100);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  await lanes;
  await using next = await developmentServer({ flags });
  const { keys } = (await next.caller("root").demand("LIST", "secret/metadata")).json.data;
  expect(acknowledged.filter((name) => !keys.includes(name))).toEqual([]);
});

test("the file with the process id has the process id", async () => {
  const pid_file = join(folder, "pid");
  const listener = { tcp: { address: "127.0.0.1:0", tls_disable: true } };
  await using server = await ServerProcess.start({ config: { storage: { inmem: {} }, listener, pid_file } });
  expect(await readFile(pid_file, "utf8")).toBe(`${server.pid}\n`);
});

describe("SIGHUP", () => {
  const certificates = makeCertificates();

  async function withTls(
    work: (server: ServerProcess, write: (pair: keyof Certificates) => Promise<void>) => Promise<void>,
  ) {
    const files = { tls_cert_file: join(folder, "cert.pem"), tls_key_file: join(folder, "key.pem") };
    const write = async (pair: keyof Certificates) => {
      await writeFile(files.tls_cert_file, certificates![pair].cert);
      await writeFile(files.tls_key_file, certificates![pair].key);
    };
    await write("server");
    const listener = { tcp: { address: "127.0.0.1:0", ...files } };
    await using server = await ServerProcess.start({ config: { storage: { inmem: {} }, listener } });
    await work(server, write);
  }

  const shownBy = async (server: ServerProcess): Promise<string> => {
    const socket = connectTls({ port: portOf(server.url), ca: certificates!.authority.cert, servername: "localhost" });
    await once(socket, "secureConnect");
    const { raw } = socket.getPeerCertificate();
    socket.destroy();
    return raw.toString("base64");
  };

  const inPem = (pair: keyof Certificates) =>
    certificates![pair].cert.replace(/-----[^-]+-----/g, "").replace(/\s/g, "");

  test("reads certificates again, for new connections; old ones go on", async ({ skip }) => {
    skip(!certificates, "openssl is not installed");
    await withTls(async (server, write) => {
      expect(await shownBy(server)).toBe(inPem("server"));
      const old = connectTls({ port: portOf(server.url), ca: certificates!.authority.cert, servername: "localhost" });
      await once(old, "secureConnect");
      await write("renewed");
      server.signal("SIGHUP");
      await until(() => server.output.includes("reloaded"));
      expect(await shownBy(server)).toBe(inPem("renewed"));
      old.write("GET /v1/sys/health HTTP/1.1\r\nHost: x\r\n\r\n");
      expect(String((await once(old, "data"))[0])).toContain("HTTP/1.1 501");
      old.destroy();
    });
  });

  test("keeps the old certificate when the new one is bad, and says so", async ({ skip }) => {
    skip(!certificates, "openssl is not installed");
    await withTls(async (server) => {
      await writeFile(join(folder, "key.pem"), certificates!.renewed.key);
      server.signal("SIGHUP");
      await until(() => server.output.includes("reloaded"));
      expect(server.output).toContain("keeps its old settings");
      expect(await shownBy(server)).toBe(inPem("server"));
    });
  });

  test("means nothing to a development server", async () => {
    await using server = await developmentServer();
    server.signal("SIGHUP");
    expect((await server.caller().call("GET", "sys/health")).status).toBe(200);
  });
});
