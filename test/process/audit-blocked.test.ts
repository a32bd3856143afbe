/** Audit devices that take entries and do nothing with them: requests fail in time, the server lives, work resumes. */
import { spawnSync } from "node:child_process";
import { constants } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { createServer as createHttpServer, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpCaller } from "../support/http-caller.ts";
import { plainListener, ServerProcess } from "../support/server-process.ts";

/** A sink that can stop taking, and take again. */
interface Sink {
  readonly type: string;
  readonly options: Readonly<Record<string, string>>;
  block(): void;
  release(): void;
  close(): Promise<void>;
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
};

async function silentHttp(): Promise<Sink> {
  let isBlocked = false;
  const unanswered: ServerResponse[] = [];
  const server = createHttpServer((request, response) => {
    request.resume().on("end", () => {
      if (isBlocked) unanswered.push(response);
      else response.writeHead(204).end();
    });
  });
  const port = await listen(server);
  return {
    type: "http",
    options: { uri: `http://127.0.0.1:${port}/` },
    block() {
      isBlocked = true;
    },
    release() {
      isBlocked = false;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function unreadSocket(): Promise<Sink> {
  let isBlocked = false;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    if (isBlocked) socket.pause();
    else socket.resume();
  });
  const port = await listen(server);
  const all = (act: "pause" | "resume" | "destroy") => {
    for (const socket of sockets) socket[act]();
  };
  return {
    type: "socket",
    options: { address: `127.0.0.1:${port}`, socket_type: "tcp" },
    block() {
      isBlocked = true;
      all("pause");
    },
    release() {
      isBlocked = false;
      all("resume");
    },
    close: async () => {
      all("destroy");
      server.close();
    },
  };
}

async function unreadPipe(folder: string): Promise<Sink> {
  const path = join(folder, "pipe");
  spawnSync("mkfifo", [path]);
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let isBlocked = false;
  let isOver = false;
  const reading = (async () => {
    const buffer = Buffer.alloc(65_536);
    while (!isOver) {
      const taken = isBlocked ? 0 : (await file.read(buffer).catch(() => ({ bytesRead: 0 }))).bytesRead;
      if (taken === 0) await setTimeout(5);
    }
  })();
  return {
    type: "file",
    options: { file_path: path },
    block() {
      isBlocked = true;
    },
    release() {
      isBlocked = false;
    },
    close: async () => {
      isOver = true;
      await reading;
      await file.close();
    },
  };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "strongroom-blocked-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function serverWith(sinks: readonly Sink[]): Promise<{ server: ServerProcess; caller: HttpCaller }> {
  const audit = sinks.map(({ type, options }, index) => ({
    [type]: { [`sink${index}`]: { options: { ...options, write_timeout: "700ms" } } },
  }));
  const server = await ServerProcess.start({ config: { storage: { inmem: {} }, listener: plainListener, audit } });
  const caller = server.caller();
  const { root_token, keys } = (await caller.demand("POST", "sys/init", { secret_shares: 1, secret_threshold: 1 }))
    .json;
  await caller.demand("POST", "sys/unseal", { key: keys[0] });
  caller.token = root_token;
  await caller.demand("GET", "auth/token/lookup-self");
  return { server, caller };
}

/** Buffers on the way take some; names of fields are not hashed, so that entries can be made long. */
async function untilRefused(caller: HttpCaller) {
  const body = { ["x".repeat(100_000)]: 1 };
  for (let tries = 0; tries < 300; tries++) {
    const answer = await caller.call("POST", "cubbyhole/a", body);
    if (answer.status !== 204) return answer;
  }
  throw new Error("the device takes everything");
}

async function untilServed(caller: HttpCaller): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if ((await caller.call("GET", "auth/token/lookup-self")).status === 200) return;
    await setTimeout(50);
  }
  throw new Error("work does not resume");
}

describe.each([
  ["a server that takes entries and never answers", silentHttp],
  ["a socket that nobody reads", unreadSocket],
  ["a pipe that nobody reads", () => unreadPipe(folder)],
])("with no device but %s", (_what, make) => {
  test("requests are refused, health answers, and work resumes by itself", async () => {
    const sink = await make();
    const { server, caller } = await serverWith([sink]);
    try {
      sink.block();
      const refused = await untilRefused(caller);
      expect(refused.status).toBe(500);
      expect(refused.text).toContain("audit unavailable");
      const [again, health] = await Promise.all([
        caller.call("GET", "auth/token/lookup-self"),
        caller.call("GET", "sys/health"),
      ]);
      expect([again.status, health.status]).toEqual([500, 200]);
      expect(server.output).toContain("an audit device did not take an entry");
      sink.release();
      await untilServed(caller);
      const metrics = await caller.demand("GET", "sys/metrics?format=prometheus");
      expect(metrics.text).toMatch(/audit_failures_total\{[^}]*sink0[^}]*\} [1-9]/);
    } finally {
      await server.kill();
      caller.close();
      await sink.close();
    }
  });
});

test("a device that blocks is not waited for while another one works", async () => {
  const [blocked, working] = [await silentHttp(), await silentHttp()];
  const { server, caller } = await serverWith([blocked, working]);
  try {
    blocked.block();
    await caller.demand("GET", "auth/token/lookup-self");
    // Each would have to wait twice for the device, if it were waited for.
    const inFlight = Array.from({ length: 50 }, () => caller.demand("GET", "auth/token/lookup-self"));
    const late = setTimeout(30_000, "late", { ref: false });
    expect(await Promise.race([Promise.all(inFlight).then(() => "in time"), late])).toBe("in time");
    expect(server.output).toContain("an audit device did not take an entry");
  } finally {
    await server.kill();
    caller.close();
    await Promise.all([blocked.close(), working.close()]);
  }
});
