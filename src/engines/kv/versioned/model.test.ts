import fc from "fast-check";
import { expect, test } from "vitest";
import { callerOf, type EngineCaller } from "../../../../test/support/engine-caller.ts";
import type { ApiError } from "../../../api/errors.ts";
import { versionedKv } from "../engine.ts";

/** The engine against a model that is too simple to be wrong: an array of versions, and rules as sentences. */

interface ModelVersion {
  number: number;
  data: Record<string, number>;
  written: number;
  deleteAt: number | undefined;
  destroyed: boolean;
}

interface Limits {
  max: number;
  cas: boolean;
  lifetime: number;
}

class Model {
  now = Date.UTC(2030, 0, 1);
  mount: Limits = { max: 0, cas: false, lifetime: 0 };
  key: Limits | undefined;
  metadataVersion = 0;
  last = 0;
  versions: ModelVersion[] = [];

  get(number: number) {
    return this.versions.find((version) => version.number === number);
  }

  isReadable(version: ModelVersion) {
    return !version.destroyed && !(version.deleteAt !== undefined && version.deleteAt <= this.now);
  }

  lifetimeEnd() {
    const lifetimes = [this.mount.lifetime, this.key!.lifetime].filter((lifetime) => lifetime > 0);
    return this.mount.lifetime < 0 || lifetimes.length === 0 ? undefined : this.now + Math.min(...lifetimes) * 1000;
  }

  refusesCas(cas: number | undefined) {
    if (cas === undefined) return this.mount.cas || this.key?.cas === true;
    return cas !== this.last;
  }

  add(data: Record<string, number>) {
    this.key ??= { max: 0, cas: false, lifetime: 0 };
    this.last += 1;
    const version = { number: this.last, data, written: this.now, deleteAt: this.lifetimeEnd(), destroyed: false };
    const kept = this.key.max || this.mount.max || 10;
    this.versions = [...this.versions, version].filter(({ number }) => number > this.last - kept);
  }

  forget() {
    this.key = undefined;
    this.metadataVersion = 0;
    this.last = 0;
    this.versions = [];
  }
}

type Step = { name: string; run(model: Model, kv: EngineCaller): Promise<void> };

const outcome = (call: Promise<{ status: number }>) =>
  call.then(
    ({ status }) => status,
    (error: ApiError) => error.status,
  );

const data = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.nat(9), { maxKeys: 3 });
const patch = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.option(fc.nat(9)), { maxKeys: 3 });
const cas = fc.option(fc.nat(6), { nil: undefined, freq: 2 });
const numbers = fc.array(fc.integer({ min: 0, max: 14 }), { minLength: 1, maxLength: 4 });
const limits = fc.record({
  max: fc.constantFrom(0, 1, 2, 3, 20),
  cas: fc.boolean(),
  lifetime: fc.constantFrom(0, 5, 60),
});

const options = (cas: number | undefined) => (cas === undefined ? {} : { options: { cas } });

const put = fc.tuple(data, cas).map(([data, cas]) => ({
  name: `put ${JSON.stringify(data)} cas ${cas}`,
  async run(model: Model, kv: EngineCaller) {
    const refused = model.refusesCas(cas);
    if (!refused) model.add(data);
    expect(await outcome(kv.call("write", "data/k", { data, ...options(cas) }))).toBe(refused ? 400 : 200);
  },
}));

const merge = fc.tuple(patch, cas).map(([patch, cas]) => ({
  name: `patch ${JSON.stringify(patch)} cas ${cas}`,
  async run(model: Model, kv: EngineCaller) {
    const current = model.get(model.last);
    const expected = !model.key ? 404 : model.refusesCas(cas) ? 400 : current && model.isReadable(current) ? 200 : 404;
    if (expected === 200) {
      const merged = { ...current!.data, ...patch };
      model.add(Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as never);
    }
    expect(await outcome(kv.call("patch", "data/k", { data: patch, ...options(cas) }))).toBe(expected);
  },
}));

const byNumber = (verb: string, change: (version: ModelVersion, model: Model) => void) =>
  numbers.map((versions) => ({
    name: `${verb} ${versions}`,
    async run(model: Model, kv: EngineCaller) {
      for (const version of versions.map((number) => model.get(number))) if (version) change(version, model);
      expect(await outcome(kv.call("write", `${verb}/k`, { versions }))).toBe(204);
    },
  }));

const remove = byNumber("delete", (version, model) => {
  if (model.isReadable(version)) version.deleteAt = model.now;
});
const restore = byNumber("undelete", (version, model) => {
  if (!version.destroyed) version.deleteAt = model.lifetimeEnd();
});
const destroy = byNumber("destroy", (version) => {
  version.destroyed = true;
});

const removeLast = fc.constant({
  name: "delete the current one",
  async run(model: Model, kv: EngineCaller) {
    const current = model.get(model.last);
    if (current && model.isReadable(current)) current.deleteAt = model.now;
    expect(await outcome(kv.call("delete", "data/k"))).toBe(204);
  },
});

const forget = fc.constant({
  name: "delete metadata",
  async run(model: Model, kv: EngineCaller) {
    model.forget();
    expect(await outcome(kv.call("delete", "metadata/k"))).toBe(204);
  },
});

const asFields = ({ max, cas, lifetime }: Limits) => ({
  max_versions: max,
  cas_required: cas,
  delete_version_after: `${lifetime}s`,
});

const setKey = limits.map((key) => ({
  name: `settings ${JSON.stringify(key)}`,
  async run(model: Model, kv: EngineCaller) {
    model.key = key;
    model.metadataVersion += 1;
    await kv.call("write", "metadata/k", asFields(key));
  },
}));

const setMount = fc.tuple(limits, fc.boolean()).map(([limits, off]) => ({
  name: `config ${JSON.stringify(limits)} ${off ? "without timers" : ""}`,
  async run(model: Model, kv: EngineCaller) {
    model.mount = { ...limits, lifetime: off ? -1 : limits.lifetime };
    await kv.call("write", "config", asFields(model.mount));
  },
}));

const wait = fc.constantFrom(0, 1, 4999, 5000, 60_000).map((milliseconds) => ({
  name: `wait ${milliseconds} ms`,
  async run(model: Model, kv: EngineCaller) {
    model.now += milliseconds;
    kv.now += milliseconds;
  },
}));

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: put, weight: 6 },
  { arbitrary: merge, weight: 3 },
  { arbitrary: remove, weight: 2 },
  { arbitrary: restore, weight: 2 },
  { arbitrary: destroy, weight: 1 },
  { arbitrary: removeLast, weight: 2 },
  { arbitrary: forget, weight: 1 },
  { arbitrary: setKey, weight: 2 },
  { arbitrary: setMount, weight: 1 },
  { arbitrary: wait, weight: 3 },
);

const time = (milliseconds: number | undefined) =>
  milliseconds === undefined ? "" : new Date(milliseconds).toISOString();

async function compare(model: Model, kv: EngineCaller) {
  const stored = [...kv.storage.entries.keys()].filter((key) => key.startsWith("versions/"));
  expect(stored.length).toBe(model.versions.filter(({ destroyed }) => !destroyed).length);
  if (!model.key) {
    await expect(kv.call("read", "metadata/k")).rejects.toMatchObject({ status: 404 });
    await expect(kv.call("read", "data/k")).rejects.toMatchObject({ status: 404 });
    return;
  }
  const { data: metadata } = await kv.call("read", "metadata/k");
  expect(metadata).toMatchObject({
    current_version: model.last,
    current_metadata_version: model.metadataVersion,
    max_versions: model.key.max,
    cas_required: model.key.cas,
  });
  const states = model.versions.map(({ number, written, deleteAt, destroyed }) => [
    String(number),
    { created_time: time(written), deletion_time: time(deleteAt), destroyed },
  ]);
  expect(metadata.versions).toEqual(Object.fromEntries(states));
  const oldest = model.versions[0]?.number ?? 0;
  expect(metadata.oldest_version).toBeLessThanOrEqual(oldest);
  for (const version of model.versions) {
    const { status, data } = await kv.call("read", "data/k", { version: version.number });
    expect(status).toBe(model.isReadable(version) ? 200 : 404);
    expect(data.data).toEqual(model.isReadable(version) ? version.data : null);
  }
  if (oldest > 1)
    await expect(kv.call("read", "data/k", { version: oldest - 1 })).rejects.toMatchObject({ status: 404 });
}

test("any sequence of requests leaves the engine as it leaves the model", async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
    const kv = callerOf(versionedKv);
    const model = new Model();
    for (const { run } of steps) {
      await run(model, kv);
      await compare(model, kv);
    }
  });
  await fc.assert(property, { numRuns: 150 });
});
