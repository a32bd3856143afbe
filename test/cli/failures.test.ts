/** What people see when the server is away, refuses, or is spoken to in the wrong way. */
import https from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCertificates } from "../support/certificates.ts";
import { canType, Person } from "./person.ts";
import { RecordingServer } from "./recording-server.ts";

let server: RecordingServer;
let person: Person;

beforeAll(async () => {
  server = await RecordingServer.start();
  person = new Person({ STRONGROOM_ADDR: server.address });
});

afterAll(async () => {
  person[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

describe("nobody is there", () => {
  test("says where it looked, and why there", async () => {
    const { code, complaints } = await person.spawn("read -address=http://127.0.0.1:9 secret/a");
    expect(complaints).toContain("Error reading secret/a: GET http://127.0.0.1:9/v1/secret/a: connection refused");
    expect(complaints).toContain("Nobody answers at http://127.0.0.1:9 (from -address). Is the server running?");
    expect(code).toBe(2);
  });

  test("status ends with 1, since it cannot tell", async () => {
    expect((await person.run("status -address=http://127.0.0.1:9")).code).toBe(1);
  });
});

describe("the server says no", () => {
  const refusing = (status: number, ...errors: string[]) => server.reset({ "GET /v1/a": { status, json: { errors } } });

  test("without a token, people are told to log in", async () => {
    refusing(403, "permission denied");
    const { code, complaints } = await person.run("read a");
    expect(complaints).toContain("* permission denied\n\nNo token was sent. Log in with: strongroom login");
    expect(code).toBe(2);
  });

  test("nothing is there", async () => {
    refusing(404);
    expect(await person.run("read a")).toMatchObject({ code: 2, output: "", complaints: "No value found at a\n" });
  });

  test("a server in trouble is not asked again unless told so", async () => {
    refusing(500, "internal error");
    expect((await person.run("read a")).code).toBe(2);
    expect(server.lines).toHaveLength(1);
    await person.run("read -max-retries=1 a");
    expect(server.lines).toHaveLength(3);
  });

  test("a login that fails leaves the kept token alone", async () => {
    server.reset({
      "PUT /v1/auth/userpass/login/ada": { status: 400, json: { errors: ["invalid username or password"] } },
    });
    const { code, output, complaints } = await person.run("login -method=userpass username=ada password=hunter2");
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(complaints).not.toContain("hunter2");
    expect(await person.succeed("print token")).toBe("\n");
  });
});

const certificates = makeCertificates();

describe.skipIf(certificates === undefined)("TLS", () => {
  let secure: https.Server;
  let address: string;

  beforeAll(async () => {
    secure = https.createServer({ ...certificates?.server }, (_request, response) => response.writeHead(204).end());
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    address = `127.0.0.1:${(secure.address() as AddressInfo).port}`;
  });

  afterAll(() => secure.close());

  test.each([
    ["a certificate of nobody known", () => `https://${address}`, "-ca-cert or STRONGROOM_CACERT"],
    ["plain HTTP to a server with TLS", () => `http://${address}`, "try https://"],
    ["TLS to a server without", () => server.address.replace("http:", "https:"), "try http://"],
  ])("%s", async (_title, url, advice) => {
    const { code, complaints } = await person.run(`read -address=${url()} a`);
    expect(complaints).toContain(advice);
    expect(code).toBe(2);
  });

  test("works with the authority's certificate from the environment", async () => {
    const trusting = new Person({ STRONGROOM_CACERT_BYTES: certificates?.authority.cert ?? "" });
    expect(await trusting.run(`write -address=https://${address} -force a`)).toMatchObject({ code: 0 });
    trusting[Symbol.dispose]();
  });
});

test("a password that is typed is not shown", async ({ skip }) => {
  skip(!canType, "there is no script command that makes a terminal");
  server.reset({
    "PUT /v1/auth/userpass/login/ada": { json: { auth: { client_token: "s.x", policies: [], lease_duration: 60 } } },
  });
  const { code, screen } = await person.type(
    "login -method=userpass username=ada",
    "Password (will be hidden): ",
    "hunterX\x7f2\r",
  );
  expect(server.requests[0]?.body).toEqual({ password: "hunter2" });
  expect(screen).toMatch(/^token +s\.x\r$/m);
  expect(screen).not.toContain("hunter");
  expect(code).toBe(0);
});
