/** What must hold when a server is killed while clients write to it: what was answered is there, and nothing by halves. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { LmdbStore } from "../../src/core/storage/lmdb.ts";
import type { HttpCaller } from "./http-caller.ts";
import { KillLedger } from "./kill-ledger.ts";
import { ServerProcess, selfUnsealing } from "./server-process.ts";
import { expectWholeRecords } from "./whole-records.ts";

const inFlight = { unique: 24, hot: 4, tokens: 4 };

/** With several workers it is the supervisor that is killed, and they end because it has. */
export function testServerKills(kills: number, workers = 1): void {
  let folder: string;
  let server: ServerProcess | undefined;

  afterAll(async () => {
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  test(`a server of ${workers} that is killed ${kills} times under load keeps all that it acknowledged, and nothing by halves`, async () => {
    folder = await mkdtemp(join(tmpdir(), "strongroom-killed-"));
    const options = { ...selfUnsealing({ lmdb: { path: folder } }), workers };
    server = await ServerProcess.start(options);
    const first = server.caller();
    const { root_token } = (await first.demand("POST", "sys/init", {})).json;
    first.token = root_token;
    await first.demand("POST", "sys/mounts/kv", { type: "kv", options: { version: "2" } });

    const ledger = new KillLedger();
    for (let kill = 0; kill < kills; kill++) {
      const caller = server.caller(root_token);
      const writers = write(caller, ledger, kill);
      await Promise.race([ledger.untilSome(kill), writers]);
      await setTimeout((kill * 37) % 150);
      await server.kill();
      await writers;
      caller.close();

      server = await ServerProcess.start(options);
      const reader = server.caller(root_token);
      await ledger.compare(reader, kill);
      reader.close();
    }
    await server.kill();

    const store = await LmdbStore.open(folder);
    const { secrets, tokens } = await expectWholeRecords(store);
    await store.close();
    expect(secrets).toBeGreaterThanOrEqual(ledger.acknowledged.secrets);
    expect(tokens).toBeGreaterThanOrEqual(ledger.acknowledged.tokens);
  });
}

/** Resolves when the server no longer answers. */
async function write(caller: HttpCaller, ledger: KillLedger, kill: number): Promise<void> {
  const lanes: Promise<void>[] = [];
  const lane = (count: number, step: (lane: number, number: number) => Promise<void>) => {
    for (let index = 0; index < count; index++) lanes.push(untilGone((number) => step(index, number)));
  };
  lane(inFlight.unique, (index, number) => ledger.writeSecret(caller, kill, `${index}-${number}`));
  lane(inFlight.hot, (index, number) => ledger.writeHot(caller, `${kill}-${index}-${number}`));
  lane(inFlight.tokens, () => ledger.createToken(caller, kill));
  await Promise.all(lanes);
}

async function untilGone(step: (number: number) => Promise<void>): Promise<void> {
  for (let number = 0; ; number++) {
    try {
      await step(number);
    } catch (error) {
      if (isGone(error)) return;
      throw error;
    }
  }
}

const isGone = (error: unknown) =>
  ["ECONNRESET", "ECONNREFUSED", "EPIPE"].includes((error as NodeJS.ErrnoException).code ?? "");
