/** What two servers on one store owe their clients: what one has answered, the other one knows at its next request. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { HttpCaller } from "./http-caller.ts";
import { ServerProcess, selfUnsealing } from "./server-process.ts";
import type { SharedStore } from "./store-sharing.suite.ts";

const storageOf = (kind: SharedStore["kind"], address: string) =>
  kind === "lmdb" ? { lmdb: { path: address } } : { postgresql: { connection_url: address } };

export function testServersSharing({ kind, missing, prepare }: SharedStore, rounds: number): void {
  describe(`two servers on one store of type ${kind}`, () => {
    let data: Awaited<ReturnType<SharedStore["prepare"]>>;
    const servers: ServerProcess[] = [];
    const callers: HttpCaller[] = [];
    let load: Load | undefined;

    beforeAll(async () => {
      if (missing !== undefined) return;
      data = await prepare();
      const options = selfUnsealing(storageOf(kind, data.address));
      servers.push(await ServerProcess.start(options));
      const first = servers[0]!.caller();
      first.token = (await first.demand("POST", "sys/init", {})).json.root_token;
      await first.demand("POST", "sys/mounts/kv", { type: "kv", options: { version: "2" } });
      servers.push(await ServerProcess.start(options));
      callers.push(first, servers[1]!.caller(first.token));
      load = new Load(callers);
    });
    beforeEach(({ skip }) => skip(missing !== undefined, missing));
    afterEach(() => {
      for (const server of servers) expect(server.isRunning, server.output).toBe(true);
    });
    afterAll(async () => {
      const calls = await load?.end();
      for (const caller of callers) caller.close();
      for (const server of servers) await server.stop();
      await data?.destroy();
      if (missing === undefined) expect(calls).toBeGreaterThan(rounds);
    });

    /** Does it with the first server as A and the second as B, and the other way round, in turns. */
    const both = async (times: number, work: (a: HttpCaller, b: HttpCaller, name: string) => Promise<void>) => {
      const [one, other] = callers;
      for (let round = 0; round < times; round++) {
        await work(one!, other!, `${round}-one`);
        await work(other!, one!, `${round}-other`);
      }
    };

    test(`A writes, B reads it, ${rounds} times under load`, async () => {
      const lanes = 5;
      const lane = async (index: number) => {
        await both(rounds / lanes / 2, async (a, b, value) => {
          await a.demand("POST", `kv/data/shared-${index}`, { data: { value } });
          const { json } = await b.demand("GET", `kv/data/shared-${index}`);
          expect(json.data.data.value).toBe(value);
        });
      };
      await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
    });

    test("A creates a token, B knows it; A revokes it, B refuses it", async () => {
      await both(15, async (a, b) => {
        const token = await newToken(a, ["root"]);
        expect((await b.call("GET", "auth/token/lookup-self", undefined, { token })).status).toBe(200);
        await a.demand("POST", "auth/token/revoke", { token });
        expect((await b.call("GET", "auth/token/lookup-self", undefined, { token })).status).toBe(403);
      });
    });

    test("A revokes a parent, B refuses its children", async () => {
      await both(5, async (a, b) => {
        const parent = await newToken(a, ["root"]);
        const child = (await b.demand("POST", "auth/token/create", {}, { token: parent })).json.auth.client_token;
        expect((await a.call("GET", "auth/token/lookup-self", undefined, { token: child })).status).toBe(200);
        await a.demand("POST", "auth/token/revoke", { token: parent });
        expect((await b.call("GET", "auth/token/lookup-self", undefined, { token: child })).status).toBe(403);
      });
    });

    test("a token for one use is used once, whichever server is asked", async () => {
      await both(10, async (a, b) => {
        const token = await newToken(a, ["root"], { num_uses: 1 });
        const uses = [a, b, a, b].map((each) => each.call("GET", "auth/token/lookup-self", undefined, { token }));
        const statuses = (await Promise.all(uses)).map(({ status }) => status);
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      });
    });

    test("50 first logins of one role at both at once make one entity with one alias", async () => {
      const [one, other] = callers as [HttpCaller, HttpCaller];
      await one.demand("POST", "sys/auth/robots", { type: "approle" });
      const role = { bind_secret_id: false, token_bound_cidrs: "127.0.0.0/8", token_policies: "default" };
      await one.demand("POST", "auth/robots/role/web", role);
      const { role_id } = (await one.demand("GET", "auth/robots/role/web/role-id")).json.data;
      const login = (index: number) =>
        (index % 2 === 0 ? one : other).demand("POST", "auth/robots/login", { role_id }, { token: "" });
      const logins = await Promise.all(Array.from({ length: 50 }, (_, index) => login(index)));
      const entities = new Set(logins.map(({ json }) => json.auth.entity_id));
      expect(entities.size).toBe(1);
      const [id] = entities;
      for (const caller of callers) {
        const { json } = await caller.demand("GET", `identity/entity/id/${id}`);
        expect(json.data.aliases).toMatchObject([{ name: role_id, mount_path: "auth/robots/" }]);
        expect((await caller.demand("GET", "identity/entity/id?list=true")).json.data.keys).toEqual([id]);
        expect((await caller.demand("GET", "identity/entity-alias/id?list=true")).json.data.keys).toHaveLength(1);
      }
      await one.demand("DELETE", "sys/auth/robots");
    });

    test("A changes a policy, B obeys it", async () => {
      const rule = (capability: string) => ({ policy: `path "kv/data/watched" { capabilities = ["${capability}"] }` });
      await callers[0]!.demand("POST", "kv/data/watched", { data: {} });
      await callers[0]!.demand("POST", "sys/policies/acl/watching", rule("deny"));
      const token = await newToken(callers[0]!, ["watching"]);
      const read = async (caller: HttpCaller) =>
        (await caller.call("GET", "kv/data/watched", undefined, { token })).status;
      await both(15, async (a, b) => {
        await a.demand("POST", "sys/policies/acl/watching", rule("read"));
        expect(await read(b)).toBe(200);
        await a.demand("POST", "sys/policies/acl/watching", rule("deny"));
        expect(await read(b)).toBe(403);
      });
      await callers[0]!.demand("DELETE", "sys/policies/acl/watching");
      expect(await read(callers[1]!)).toBe(403);
    });

    test("A enables, moves and disables a mount, B serves it where it is and only there", async () => {
      await both(10, async (a, b, name) => {
        const status = async (path: string) => (await b.call("GET", path)).status;
        await a.demand("POST", `sys/mounts/old-${name}`, { type: "kv" });
        await b.demand("POST", `old-${name}/secret`, { a: 1 });
        await a.demand("POST", "sys/remount", { from: `old-${name}`, to: `new-${name}` });
        expect([await status(`old-${name}/secret`), await status(`new-${name}/secret`)]).toEqual([404, 200]);
        await a.demand("DELETE", `sys/mounts/new-${name}`);
        expect(await status(`new-${name}/secret`)).toBe(404);
        await a.demand("POST", `sys/mounts/new-${name}`, { type: "kv" });
        expect((await b.call("GET", `new-${name}/secret`)).json).toEqual({ errors: [] });
        await b.demand("DELETE", `sys/mounts/new-${name}`);
      });
    });

    test("A tunes a mount, B goes by it", async () => {
      await both(5, async (a, b, name) => {
        await a.demand("POST", "sys/mounts/kv/tune", { description: name, max_lease_ttl: "2h" });
        const { json } = await b.demand("GET", "sys/mounts/kv/tune");
        expect(json.data).toMatchObject({ description: name, max_lease_ttl: 7200 });
      });
    });

    test("A rotates the encryption key, B reads and writes with it", async () => {
      await both(5, async (a, b, value) => {
        await a.demand("POST", "sys/rotate");
        await a.demand("POST", "kv/data/rotated", { data: { value } });
        expect((await b.demand("GET", "kv/data/rotated")).json.data.data.value).toBe(value);
        await b.demand("POST", "kv/data/rotated", { data: { value: "back" } });
        expect((await a.demand("GET", "kv/data/rotated")).json.data.data.value).toBe("back");
        const terms = [a, b].map(async (each) => (await each.demand("GET", "sys/key-status")).json.data.term);
        expect(await terms[0]).toBe(await terms[1]);
      });
    });

    test("neither loses a write of the other: check-and-set counts what both did", async () => {
      await callers[0]!.demand("POST", "kv/data/counter", { data: { count: 0 } });
      const increment = async (caller: HttpCaller): Promise<void> => {
        for (;;) {
          const { data, metadata } = (await caller.demand("GET", "kv/data/counter")).json.data;
          const body = { data: { count: data.count + 1 }, options: { cas: metadata.version } };
          const { status, text } = await caller.call("POST", "kv/data/counter", body);
          if (status === 200) return;
          expect(text).toContain("check-and-set");
        }
      };
      const times = Array.from({ length: 50 });
      await Promise.all(
        callers.map(async (caller) =>
          times.reduce<Promise<void>>((done) => done.then(() => increment(caller)), Promise.resolve()),
        ),
      );
      expect((await callers[1]!.demand("GET", "kv/data/counter")).json.data.data.count).toBe(100);
    });
  });
}

async function newToken(caller: HttpCaller, policies: string[], more: object = {}): Promise<string> {
  const { json } = await caller.demand("POST", "auth/token/create", { policies, no_parent: true, ...more });
  return json.auth.client_token;
}

/** Writes and reads on every server, all the time; a request that fails fails the test. */
class Load {
  readonly #lanes: Promise<number>[];
  #isEnding = false;

  constructor(callers: readonly HttpCaller[]) {
    this.#lanes = [...callers, ...callers].map((caller, index) => this.#lane(caller, index));
    for (const lane of this.#lanes) lane.catch(() => {});
  }

  /** How many requests there were. */
  async end(): Promise<number> {
    this.#isEnding = true;
    return (await Promise.all(this.#lanes)).reduce((sum, calls) => sum + calls, 0);
  }

  async #lane(caller: HttpCaller, index: number): Promise<number> {
    let calls = 0;
    for (; !this.#isEnding; calls += 2) {
      const path = `kv/data/load/${index}/${calls % 100}`;
      await caller.demand("POST", path, { data: { calls } });
      expect((await caller.demand("GET", path)).json.data.data.calls).toBe(calls);
    }
    return calls;
  }
}
