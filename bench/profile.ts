/** `node bench/profile.ts lookup`: where the time goes in the kinds of work whose names contain that word. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "../test/support/server-process.ts";
import { HelperProcess } from "./helper-process.ts";
import { prepareStore } from "./prepared-server.ts";
import { worksFor } from "./requests.ts";
import { decimals, printTable } from "./table.ts";

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const [word = "", seconds = "4"] = process.argv.slice(2);
const size = { big: 5000, small: 1000 };

interface Times {
  /** In the function itself. */
  self: number;
  /** With all that it called; once, however often it is on the stack. */
  whole: number;
}

/** Microseconds by function, of the second half: by then everything hot is compiled. */
function timesIn({ nodes, samples, timeDeltas }: Profile): Map<string, Times> {
  const parents = new Map<number, number>();
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  const names = new Map(nodes.map((node) => [node.id, nameOf(node.callFrame)]));
  const times = new Map<string, Times>();
  const add = (name: string, key: keyof Times, time: number) => {
    const known = times.get(name) ?? { self: 0, whole: 0 };
    known[key] += time;
    times.set(name, known);
  };
  for (let index = samples.length >> 1; index < samples.length; index++) {
    const time = timeDeltas[index]!;
    add(names.get(samples[index]!)!, "self", time);
    const stack = new Set<string>();
    for (let id: number | undefined = samples[index]; id !== undefined; id = parents.get(id)) stack.add(names.get(id)!);
    for (const name of stack) add(name, "whole", time);
  }
  return times;
}

function nameOf({ functionName, url, lineNumber }: Profile["nodes"][number]["callFrame"]): string {
  const file = url.replace(/^.*\/(dist|node_modules)\//, "").replace(/^file:.*\//, "");
  return `${functionName || "(anonymous)"} ${file}${file === "" ? "" : `:${lineNumber + 1}`}`.trim();
}

function printProfile(name: string, profile: Profile, requestsPerSecond: number): void {
  const times = timesIn(profile);
  const idle = times.get("(idle)")?.self ?? 0;
  const all = (times.get("(root)")?.whole ?? 0) - idle;
  const share = (time: number) => `${decimals((time / all) * 100, 1)} %`;
  for (const key of ["self", "whole"] as const) {
    const rows = [...times]
      .filter(([each]) => each !== "(idle)" && each !== "(root)")
      .sort(([, a], [, b]) => b[key] - a[key])
      .slice(0, 45)
      .map(([each, found]) => [each, share(found.self), share(found.whole)]);
    printTable(`${name}, ${Math.round(requestsPerSecond)} per second`, ["function", "self", "with callees"], rows);
  }
}

const generator = new HelperProcess("load.ts");
const prepared = await prepareStore(generator, size.big, size.small);
for (const { name } of worksFor([], prepared.token, size).filter((work) => work.name.includes(word))) {
  const folder = await mkdtemp(join(tmpdir(), "strongroom-profile-"));
  const runtimeFlags = ["--cpu-prof", "--cpu-prof-interval=200", `--cpu-prof-dir=${folder}`];
  const server = await ServerProcess.start({ ...prepared.options, runtimeFlags });
  const ports = [Number(new URL(server.url).port)];
  const { load } = worksFor(ports, prepared.token, size).find((work) => work.name === name)!;
  const { perSecond } = await generator.measure({ ...load, milliseconds: Number(seconds) * 1000 });
  await server.stop();
  const [file] = await readdir(folder);
  printProfile(name, JSON.parse(await readFile(join(folder, file!), "utf8")), perSecond);
  await rm(folder, { recursive: true });
}
await prepared.destroy();
await generator.end();
