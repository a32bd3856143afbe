import { spawnSync } from "node:child_process";
import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LmdbStore } from "../../src/core/storage/lmdb.ts";
import { batch, text } from "../../src/core/storage/store-case.suite.ts";

it("LMDB refuses commits while the disk is full, keeps what it has, and goes on when there is room again", async ({
  skip,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "strongroom-full-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]);
  if (status !== 0) await rmdir(folder);
  skip(status !== 0, "only root can make a disk that is small enough to be filled");
  try {
    const store = await LmdbStore.open(join(folder, "data"));
    const value = "x".repeat(100_000);
    const put = (key: string) => store.commit(batch({ puts: { [key]: value } }));
    const outcomes: PromiseSettledResult<void>[] = [];
    for (let index = 0; index < 40; index++) outcomes.push(...(await Promise.allSettled([put(`k${index}`)])));
    const refused = outcomes.filter(({ status: outcome }) => outcome === "rejected");
    expect(refused.length).toBeGreaterThan(10);
    expect(refused[0]).toMatchObject({ reason: { name: "StoreUnavailable", isOutcomeUnknown: false } });
    expect(String((refused[0] as PromiseRejectedResult).reason)).toContain("the disk is full");
    for (const [index, outcome] of outcomes.entries()) {
      expect(await text(store, `k${index}`)).toBe(outcome.status === "fulfilled" ? value : undefined);
    }
    expect(spawnSync("mount", ["-o", "remount,size=20m", folder]).status).toBe(0);
    await put("again");
    expect(await text(store, "again")).toBe(value);
    await store.close();
  } finally {
    spawnSync("umount", ["-l", folder]);
    await rmdir(folder);
  }
});
