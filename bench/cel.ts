/** How fast CEL programs compile and run, beside the other engines for JavaScript. */
import { celEnv, mapType, parse, plan } from "@bufbuild/cel";
import { strings } from "@bufbuild/cel/ext";
import { getTestRegistry } from "@bufbuild/cel-spec/testdata/registry.js";
import { Environment as OtherEnvironment } from "@marcbachmann/cel-js";
import { jwtEnvironment } from "../src/lib/cel/role-environments.ts";

const claims = {
  sub: "ada@example.com",
  iss: "https://issuer.example.com",
  email: "ada@example.com",
  groups: ["dev", "ops", "team-blue", "admin"],
};

const ourMessage =
  "pb.Auth{display_name: claims.sub, policies: claims.groups.map(g, 'group-' + g), alias: logical.Alias{name: claims.sub}}";
/** The other engine that has messages takes them from protocol buffers; this one has as many fields set. */
const theirMessage =
  "cel.expr.conformance.proto3.TestAllTypes{single_string: claims.sub, repeated_string: claims.groups.map(g, 'group-' + g), standalone_message: cel.expr.conformance.proto3.TestAllTypes.NestedMessage{bb: 1}}";

const programs: Readonly<Record<string, string>> = {
  "two comparisons, endsWith":
    "claims.iss == 'https://issuer.example.com' && claims.sub != '' && claims.email.endsWith('@example.com')",
  "exists, startsWith, matches": "claims.groups.exists(g, g.startsWith('team-') && g.matches('^team-[a-z]+$'))",
  "ternary, exists, map, message": `claims.groups.exists(g, g == 'admin') ? ${ourMessage} : 'no'`,
  "filter, map, join, upperAscii": "claims.groups.filter(g, g.size() > 3).map(g, g + '!').join(',').upperAscii()",
};

interface Engine {
  readonly name: string;
  compile(text: string): (variables: { claims: typeof claims }) => unknown;
}

const bufbuildEnvironment = celEnv({
  registry: getTestRegistry(),
  funcs: strings,
  // biome-ignore lint/suspicious/noExplicitAny: its type for a map of anything.
  variables: { claims: mapType("string" as any, "dyn" as any) as any },
});
const marcbachmannEnvironment = new OtherEnvironment({ unlistedVariablesAreDyn: true });

const engines: readonly Engine[] = [
  {
    name: "ours",
    compile(text) {
      const program = jwtEnvironment.program(jwtEnvironment.parse(text));
      return (variables) => program.evaluate(variables);
    },
  },
  {
    name: "ours, checked",
    compile(text) {
      const ast = jwtEnvironment.parse(text);
      jwtEnvironment.check(ast);
      const program = jwtEnvironment.program(ast);
      return (variables) => program.evaluate(variables);
    },
  },
  {
    name: "@bufbuild/cel",
    compile(text) {
      const evaluate = plan(bufbuildEnvironment, parse(text.replace(ourMessage, theirMessage)));
      return (variables) => {
        const result = evaluate(variables);
        if (result instanceof Error) throw result;
        return result;
      };
    },
  },
  {
    name: "@marcbachmann/cel-js",
    compile(text) {
      const evaluate = marcbachmannEnvironment.parse(text);
      return (variables) => evaluate(variables);
    },
  },
];

/** Best of several rounds, in processor time: the machine may have other things to do. */
function nanoseconds(work: () => unknown, rounds: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 6; attempt++) {
    const start = process.cpuUsage();
    for (let round = 0; round < rounds; round++) work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, ((user + system) * 1000) / rounds);
  }
  return best;
}

for (const [name, text] of Object.entries(programs)) {
  console.log(name);
  for (const engine of engines) {
    try {
      const evaluate = engine.compile(text);
      evaluate({ claims });
      const compiling = nanoseconds(() => engine.compile(text), 1_000);
      const running = nanoseconds(() => evaluate({ claims }), 20_000);
      const rate = Math.round(1e6 / running);
      console.log(
        `  ${engine.name.padEnd(22)} compile ${(compiling / 1000).toFixed(1).padStart(7)} µs   run ${String(rate).padStart(6)} k/s`,
      );
    } catch (error) {
      console.log(`  ${engine.name.padEnd(22)} cannot: ${(error as Error).message.split("\n")[0]}`);
    }
  }
}
