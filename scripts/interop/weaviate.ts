/** Builds and runs Weaviate, the vector database, from its Go module. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cachedTool, ToolUnavailable } from "./cached-tool.ts";
import { end, freePorts, untilReady } from "./local-server.ts";

const run = promisify(execFile);
const version = "v1.35.2";

export interface Weaviate {
  readonly url: string;
  readonly adminKey: string;
  stop(): Promise<void>;
}

/** Some minutes the first time. */
async function installWeaviate(): Promise<string> {
  const go = await run("go", ["version"]).catch(() => {
    throw new ToolUnavailable("Weaviate is built with go, which is not installed");
  });
  const folder = await cachedTool("weaviate", [version, go.stdout.trim()], async (folder) => {
    const env = { ...process.env, CGO_ENABLED: "0", GOBIN: folder };
    const target = `github.com/weaviate/weaviate/cmd/weaviate-server@${version}`;
    await run("nice", ["go", "install", target], { env, maxBuffer: 64 * 1024 * 1024 }).catch(
      (error: { stderr: string }) => {
        throw new ToolUnavailable(`Weaviate could not be built: ${error.stderr.trim().split("\n").at(-1)}`);
      },
    );
  });
  return join(folder, "weaviate-server");
}

export async function startWeaviate(): Promise<Weaviate> {
  const program = await installWeaviate();
  const folder = await mkdtemp(join(tmpdir(), "strongroom-weaviate-"));
  const [http, gossip, data, raft, raftRpc, grpc, profiling] = await freePorts(7);
  const adminKey = "admin-key-of-the-test";
  const settings = {
    PERSISTENCE_DATA_PATH: folder,
    AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED: "false",
    AUTHENTICATION_APIKEY_ENABLED: "true",
    AUTHENTICATION_APIKEY_ALLOWED_KEYS: adminKey,
    AUTHENTICATION_APIKEY_USERS: "admin",
    AUTHENTICATION_DB_USERS_ENABLED: "true",
    AUTHORIZATION_RBAC_ENABLED: "true",
    AUTHORIZATION_RBAC_ROOT_USERS: "admin",
    DISABLE_TELEMETRY: "true",
    CLUSTER_HOSTNAME: "node1",
    CLUSTER_ADVERTISE_ADDR: "127.0.0.1",
    CLUSTER_BIND_ADDR: "127.0.0.1",
    CLUSTER_GOSSIP_BIND_PORT: String(gossip),
    CLUSTER_DATA_BIND_PORT: String(data),
    RAFT_BOOTSTRAP_EXPECT: "1",
    RAFT_JOIN: "node1",
    RAFT_PORT: String(raft),
    RAFT_INTERNAL_RPC_PORT: String(raftRpc),
    GRPC_PORT: String(grpc),
    GO_PROFILING_PORT: String(profiling),
  };
  const flags = ["--scheme", "http", "--host", "127.0.0.1", "--port", String(http)];
  const server: ChildProcess = spawn(program, flags, {
    env: { PATH: process.env["PATH"], ...settings },
    stdio: "ignore",
  });
  const url = `http://127.0.0.1:${http}`;
  await untilReady(server, async () => (await fetch(`${url}/v1/.well-known/ready`)).status === 200);
  return {
    url,
    adminKey,
    async stop() {
      end(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
