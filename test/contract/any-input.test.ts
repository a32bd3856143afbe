import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../src/api/errors.ts";
import { type Field, notesOf } from "../../src/api/fields.ts";
import { type OperationName, operationNames } from "../../src/api/path.ts";
import { engines } from "../support/engines.ts";
import { type DeclaredPath, everyPath, testMounts } from "../support/every-path.ts";
import { KernelCaller } from "../support/kernel-caller.ts";

/** Nothing that a caller can send gives a 500, hangs, or repeats a secret in its error. */

const secret = "hunter2-must-not-be-repeated";

/** As JSON text, since digits and doubled keys matter. */
const nasty = [
  "null",
  '""',
  '"a"',
  '"root"',
  '"-1"',
  '"true"',
  '"1h"',
  '"99999999999h"',
  '"2030-01-01T00:00:00Z"',
  '"a,b"',
  '"a=b"',
  '"../.."',
  '"__proto__"',
  '"\\u0000"',
  '"\\ud800"',
  '"💣\\u202e"',
  `"${"x".repeat(5000)}"`,
  "0",
  "-1",
  "1",
  "1.5",
  "9007199254740993",
  "1e400",
  "-0",
  "true",
  "false",
  "[]",
  '["a",1,null,{}]',
  '[["a"]]',
  "{}",
  '{"__proto__":{"x":1},"constructor":"y","a":null}',
  `${'{"a":'.repeat(50)}1${"}".repeat(50)}`,
];

const names = ["web", "a.b-c", "A B", "..", "__proto__", "é€💣", "x".repeat(600), "a%2fb", "*", "+"];

async function ready(): Promise<KernelCaller> {
  const server = await new KernelCaller(engines).initialize();
  for (const { kind, type, name } of testMounts) {
    await server.call("write", kind === "auth" ? `sys/auth/${name}` : `sys/mounts/${name}`, { type });
  }
  return server;
}

const concrete = ({ mount, pattern }: DeclaredPath, name: string) =>
  mount + pattern.replace(/:[A-Za-z_]+\*/g, `${name}/below`).replace(/:[A-Za-z_]+/g, name);

function bodies(declared: DeclaredPath, operation: OperationName): fc.Arbitrary<string> {
  const { input = {}, openInput } = declared.path.operations[operation] ?? {};
  const isSecret = (name: string) => {
    const field: Field | undefined = Object.hasOwn(input, name) ? input[name] : undefined;
    const { writeOnly, sensitive } = field ? notesOf(field) : {};
    return writeOnly || sensitive || (!field && openInput);
  };
  const entry = fc.constantFrom(...Object.keys(input), "unknown", "__proto__").chain((name) => {
    const values = isSecret(name) ? [...nasty, `"${secret}"`, `["${secret}"]`, `{"${secret}":"${secret}"}`] : nasty;
    return fc.tuple(fc.constant(name), fc.constantFrom(...values));
  });
  return fc
    .uniqueArray(entry, { maxLength: 6, selector: ([name]) => name })
    .map((pairs) => `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`);
}

function expectHonest(error: unknown, request: string): void {
  if (!(error instanceof ApiError)) throw new Error(`${request} failed inside`, { cause: error });
  expect(error.status, `${request}: ${error.message}`).toBeLessThan(500);
  expect(error.message, request).not.toContain(secret);
}

const declared = everyPath.map((each) => [`${each.mount}${each.pattern}`, each] as const);

describe.each(declared)("%s", (_name, each) => {
  const offered = operationNames.filter((name) => each.path.operations[name]);

  test("survives any input", async () => {
    let server = await ready();
    for (const operation of offered) {
      const request = fc.tuple(fc.constantFrom(...names), bodies(each, operation));
      await fc.assert(
        fc.asyncProperty(request, async ([name, body]) => {
          if (server.kernel.seal.barrier.isSealed) server = await ready();
          const path = concrete(each, name);
          await server
            .call(operation, path, body)
            .catch((error: unknown) => expectHonest(error, `${operation} ${path} ${body}`));
        }),
        { numRuns: 25, seed: 20_300_101 },
      );
    }
  });

  test("refuses strangers and callers without the capability", async () => {
    if (each.path.access !== "token") return;
    const server = await ready();
    const weak = await server.call("write", "auth/token/create", { policies: ["nothing"], no_default_policy: true });
    for (const operation of offered) {
      const path = concrete(each, "web");
      await expect(server.call(operation, path, {}, "")).rejects.toMatchObject({ status: 403 });
      await expect(server.call(operation, path, {}, weak.auth.client_token)).rejects.toMatchObject({ status: 403 });
    }
  });

  test("answers operations that it does not have with 405", async () => {
    const server = await ready();
    for (const operation of operationNames.filter((name) => !each.path.operations[name])) {
      // Another declaration may serve the same path in general form.
      const outcome = await server.call(operation, concrete(each, "web")).catch((error: unknown) => error);
      if (outcome instanceof ApiError) expect(outcome.status).toBeLessThan(500);
    }
  });
});
