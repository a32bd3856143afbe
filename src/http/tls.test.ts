import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect, getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type KeyPair, makeCertificates } from "../../test/support/certificates.ts";
import { RawClient } from "../../test/support/raw-client.ts";
import type { ListenerOptions } from "./listener-options.ts";
import { type Handle, type HttpRequest, type Listener, listen } from "./server.ts";

const certificates = makeCertificates();
const folder = mkdtempSync(join(tmpdir(), "listener-"));
const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem"), ca: join(folder, "ca.pem") };
const listeners: Listener[] = [];

afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close(0)));
});
afterAll(() => rmSync(folder, { recursive: true }));

const install = ({ cert, key }: KeyPair) => {
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
};

const subject = (der: Buffer) => new X509Certificate(der).subject;

const echo: Handle = async (request) => {
  const { method, rawPath, secure, clientVerified, clientCertificates, remoteAddress } = request;
  const certificate = `${clientVerified ? "verified" : "unverified"} ${clientCertificates.map(subject).join(" < ")}`;
  const body = `[${method} ${rawPath} ${await request.body()}][${certificate}][${secure} ${remoteAddress}]`;
  return { status: 200, headers: { "content-type": "text/plain" }, body };
};

async function start(options: Partial<ListenerOptions> = {}, handle = echo) {
  install(certificates!.server);
  writeFileSync(files.ca, certificates!.authority.cert);
  const listener = await listen(
    { address: "127.0.0.1:0", tls_cert_file: files.cert, tls_key_file: files.key, ...options },
    handle,
  );
  listeners.push(listener);
  return { listener, port: listener.address.port };
}

const trust = () => ({ ca: certificates!.authority.cert, servername: "localhost" });

async function ask(port: number, tls: ConnectionOptions = {}, method = "LIST"): Promise<string> {
  const client = await RawClient.connect({ port, tls: { ...trust(), ...tls } });
  await client.send(`${method} /v1/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  return client.closed();
}

/** The serial number of the certificate that a new connection sees. */
async function served(port: number): Promise<string> {
  const client = await RawClient.connect({ port, tls: trust() });
  const { serialNumber } = (client.socket as ReturnType<typeof connect>).getPeerCertificate();
  client.destroy();
  return serialNumber;
}

const serial = ({ cert }: KeyPair) => new X509Certificate(cert).serialNumber;

describe.skipIf(!certificates)("a listener with TLS", () => {
  it("serves HTTP/1.1, and knows that it is secure", async () => {
    const { port } = await start();
    expect(await ask(port)).toContain("[LIST /v1/a ][unverified ][true 127.0.0.1]");
  });

  it.each([
    ["TLSv1.1", undefined, false],
    ["TLSv1.2", undefined, true],
    ["TLSv1.3", undefined, true],
    ["TLSv1.2", "tls13", false],
    ["TLSv1.3", "tls13", true],
  ] as const)("with a client of %s and tls_min_version %s: %s", async (version, tls_min_version, isServed) => {
    const { port } = await start({ tls_min_version });
    const answer = ask(port, { minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" });
    if (isServed) expect(await answer).toContain("200 OK");
    else await expect(answer).rejects.toThrow();
  });

  it("closes a connection that is not TLS", async () => {
    const { port } = await start();
    const client = await RawClient.connect({ port });
    await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(await client.closed()).not.toContain("HTTP/1.1 200");
  });

  it("closes a connection whose handshake does not end", async () => {
    const { port } = await start({ http_read_header_timeout: 0.05 });
    const client = await RawClient.connect({ port });
    await client.send("\x16\x03\x01");
    expect(await client.closed()).toBe("");
  });

  describe("over HTTP/2", () => {
    interface Answer {
      readonly status: number | undefined;
      readonly body: string;
      readonly headers: Record<string, unknown>;
    }

    type Headers = Record<string, string | string[]>;

    async function ask2(port: number, headers: Headers, body = "", tls: ConnectionOptions = {}): Promise<Answer> {
      const session = connectHttp2(`https://localhost:${port}`, { ...trust(), ...tls });
      try {
        const stream = session.request({ ":path": "/v1/a", ...headers }, { endStream: body === "" });
        if (body !== "") stream.end(body);
        const answered: Answer["headers"] = {};
        stream.on("response", (received) => Object.assign(answered, received));
        const text = (await stream.setEncoding("latin1").toArray()).join("");
        return { status: answered[":status"] as number, body: text, headers: answered };
      } finally {
        session.destroy();
      }
    }

    it.each(["GET", "LIST", "SCAN", "DELETE"])("serves %s", async (method) => {
      const { port } = await start();
      const { status, body, headers } = await ask2(port, { ":method": method });
      expect({ status, body }).toEqual({ status: 200, body: `[${method} /v1/a ][unverified ][true 127.0.0.1]` });
      expect(headers["content-length"]).toBe(String(body.length));
    });

    it("serves HEAD with the length and no body", async () => {
      const { port } = await start();
      const { status, body, headers } = await ask2(port, { ":method": "HEAD" });
      const length = String("[HEAD /v1/a ][unverified ][true 127.0.0.1]".length);
      expect({ status, body, length: headers["content-length"] }).toEqual({ status: 200, body: "", length });
    });

    it("takes a body, within the limit", async () => {
      const { port } = await start({ max_request_size: 5 });
      expect((await ask2(port, { ":method": "POST" }, "LIST ")).body).toContain("[POST /v1/a LIST ]");
      expect(await ask2(port, { ":method": "POST" }, "LIST  ")).toMatchObject({ status: 413 });
      expect(await ask2(port, { ":method": "POST", "content-length": "6" }, "LIST  ")).toMatchObject({ status: 413 });
    });

    it("shows the client's certificate", async () => {
      const { port } = await start({ tls_client_ca_file: files.ca });
      const { body } = await ask2(port, {}, "", certificates!.client);
      expect(body).toContain("[verified CN=client < CN=intermediate");
    });

    it("shows every value of a header", async () => {
      let request: HttpRequest | undefined;
      const { port } = await start({}, async (each) => {
        request = each;
        return { status: 204, headers: {}, body: undefined };
      });
      expect(await ask2(port, { "x-token": ["a", "b"] })).toMatchObject({ status: 204 });
      expect(request?.headerValues("x-token")).toEqual(["a", "b"]);
      expect(request?.header("x-none")).toBeUndefined();
      expect(request?.header("constructor")).toBeUndefined();
    });

    it("answers a handler that fails, and one that takes too long", async () => {
      const { port } = await start({ max_request_duration: 0.05 }, ({ rawPath }) =>
        rawPath === "/slow" ? new Promise(() => {}) : Promise.reject(new Error("secret")),
      );
      expect(await ask2(port, {})).toMatchObject({ status: 500, body: '{"errors":["internal error"]}\n' });
      expect(await ask2(port, { ":path": "/slow" })).toMatchObject({ status: 504 });
    });

    it("tells a client that is too slow to send its body", async () => {
      const { port } = await start({ http_read_header_timeout: 0.05, http_read_timeout: 0.05 });
      const session = connectHttp2(`https://localhost:${port}`, trust());
      const stream = session.request({ ":method": "POST" });
      stream.write("a");
      const text = (await stream.setEncoding("latin1").toArray()).join("");
      expect(text).toContain("did not arrive in time");
      session.destroy();
    });

    it("lets a client go that asks nothing more", async () => {
      const { port } = await start({ http_idle_timeout: 0.05 });
      const session = connectHttp2(`https://localhost:${port}`, trust());
      const closed = once(session, "close");
      await session.request().setEncoding("latin1").toArray();
      await closed;
    });

    it("tells a request that its client has gone", async () => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const { promise: started, resolve: begin } = Promise.withResolvers<void>();
      const { port } = await start({}, ({ signal }) => {
        signal.addEventListener("abort", () => resolve(signal.reason));
        begin();
        return new Promise(() => {});
      });
      const session = connectHttp2(`https://localhost:${port}`, trust());
      session.request().on("error", () => {});
      await started;
      session.destroy();
      expect(await promise).toMatchObject({ status: 400 });
    });

    it("lets requests finish when it closes", async () => {
      const { promise: work, resolve: finish } = Promise.withResolvers<void>();
      const { promise: started, resolve: begin } = Promise.withResolvers<void>();
      const { listener, port } = await start({}, async () => {
        begin();
        await work;
        return { status: 200, headers: {}, body: "done" };
      });
      const session = connectHttp2(`https://localhost:${port}`, trust());
      const stream = session.request();
      await started;
      const closing = listener.close();
      finish();
      expect((await stream.setEncoding("latin1").toArray()).join("")).toBe("done");
      await closing;
      session.destroy();
    });
  });

  describe("a client's certificate", () => {
    const chain = "CN=client < CN=intermediate";

    it.each<[string, Partial<ListenerOptions>, () => ConnectionOptions, string]>([
      ["is not needed", {}, () => ({}), "[unverified ]"],
      ["is shown with its chain though nobody checked it", {}, () => certificates!.client, `[unverified ${chain}]`],
      [
        "is verified if an authority is known",
        { tls_client_ca_file: files.ca },
        () => certificates!.client,
        `[verified ${chain}`,
      ],
      [
        "of a stranger is shown, unverified",
        { tls_client_ca_file: files.ca },
        () => certificates!.stranger,
        "[unverified CN=stranger]",
      ],
      [
        "is not asked for if turned off",
        { tls_disable_client_certs: true },
        () => certificates!.client,
        "[unverified ]",
      ],
    ])("%s", async (_, options, pair, expected) => {
      const { port } = await start(options);
      expect(await ask(port, pair())).toContain(expected);
    });

    it("is not verified by the authorities that vouch for servers", async () => {
      const before = getCACertificates("default");
      setDefaultCACertificates([certificates!.authority.cert]);
      try {
        const { port } = await start();
        expect(await ask(port, certificates!.client)).toContain(`[unverified ${chain}`);
      } finally {
        setDefaultCACertificates(before);
      }
    });

    const required = { tls_require_and_verify_client_cert: true, tls_client_ca_file: files.ca };

    it("that is required opens the door", async () => {
      const { port } = await start(required);
      expect(await ask(port, certificates!.client)).toContain(`[verified ${chain}`);
    });

    it.each([
      ["missing", () => ({})],
      ["a stranger's", () => certificates!.stranger],
    ])("that is required but %s does not", async (_, pair) => {
      const { port } = await start(required);
      // With TLS 1.3 the client hears of it only when it has already begun to talk.
      const answer = await ask(port, pair()).catch(() => "");
      expect(answer).toBe("");
    });

    it("comes again with its chain when a session is resumed", async () => {
      const { port } = await start();
      for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
        const first = connect({ port, host: "127.0.0.1", maxVersion, ...trust(), ...certificates!.client });
        let session: Buffer | undefined;
        first.on("session", (each: Buffer) => {
          session = each;
        });
        first.end("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        await first.resume().toArray();
        const again = session ? { session, maxVersion } : { maxVersion };
        expect(await ask(port, { ...certificates!.client, ...again })).toContain(`[unverified ${chain}]`);
      }
    });
  });

  describe("reload", () => {
    it("serves the renewed certificate to new connections, and leaves old ones alone", async () => {
      const { listener, port } = await start();
      const old = await RawClient.connect({ port, tls: trust() });
      expect(await served(port)).toBe(serial(certificates!.server));
      install(certificates!.renewed);
      await listener.reload();
      expect(await served(port)).toBe(serial(certificates!.renewed));
      await old.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      expect(await old.closed()).toContain("200 OK");
    });

    it("is nothing to a listener without TLS", async () => {
      const { listener } = await start({ tls_disable: true });
      await listener.reload();
    });
  });

  describe("a bad pair of files", () => {
    it.each<[string, () => void, string]>([
      [
        "whose key is another's",
        () => writeFileSync(files.key, certificates!.renewed.key),
        "is not the private key of the certificate in",
      ],
      ["without a certificate", () => writeFileSync(files.cert, "hello"), "tls_cert_file: "],
      ["without a key", () => writeFileSync(files.key, certificates!.server.cert), "tls_key_file: "],
      [
        "with half a certificate",
        () => writeFileSync(files.cert, certificates!.server.cert.slice(0, 200)),
        "tls_cert_file: ",
      ],
      ["that is not there", () => rmSync(files.cert), "(ENOENT)"],
      ["whose authorities are none", () => writeFileSync(files.ca, ""), "tls_client_ca_file: "],
    ])("%s is refused by name, and the old pair is kept", async (_, spoil, message) => {
      const { listener, port } = await start({ tls_client_ca_file: files.ca });
      spoil();
      await expect(listener.reload()).rejects.toThrow(message);
      expect(await served(port)).toBe(serial(certificates!.server));
      await expect(
        listen(
          { address: "127.0.0.1:0", tls_cert_file: files.cert, tls_key_file: files.key, tls_client_ca_file: files.ca },
          echo,
        ),
      ).rejects.toThrow(message);
    });
  });
});
