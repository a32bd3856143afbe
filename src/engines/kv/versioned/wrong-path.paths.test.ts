import { expect, test } from "vitest";
import { callerOf } from "../../../../test/support/engine-caller.ts";
import type { OperationName } from "../../../api/path.ts";
import { versionedKv } from "../engine.ts";

test.each<[OperationName, string, string]>([
  ["read", "foo", "get"],
  ["read", "foo/bar", "get"],
  ["write", "foo", "put"],
  ["patch", "foo", "patch"],
  ["delete", "foo", "delete"],
  ["list", "", "list"],
  ["list", "foo", "list"],
  ["scan", "foo", "scan"],
  ["read", "data", "get"],
  ["write", "metadata", "put"],
  ["read", "detailed-metadata", "get"],
  ["read", "", "get"],
])("%s %j points to 'kv %s'", async (operation, path, verb) => {
  const { status, data, warnings } = await callerOf(versionedKv).call(operation, path, { limit: 1 });
  expect({ status, data }).toEqual({ status: 404, data: undefined });
  expect(warnings).toEqual([expect.stringContaining("Invalid path for a versioned K/V secrets engine")]);
  expect(warnings[0]).toContain(`kv ${verb}'`);
});

test.each(
  ["data", "delete", "undelete", "destroy", "subkeys", "config"].flatMap((part) => [
    ["list", part],
    ["list", part === "config" ? part : `${part}/a`],
    ["scan", part],
  ]),
)("%s %s is no operation of that path", async (operation, path) => {
  const call = callerOf(versionedKv).call(operation as OperationName, path);
  await expect(call).rejects.toMatchObject({ status: 405 });
});

test.each<[OperationName, string]>([
  ["read", "delete/a"],
  ["delete", "subkeys/a"],
  ["read", "detailed-metadata/a"],
  ["delete", "config"],
])("%s %s is not there either", async (operation, path) => {
  await expect(callerOf(versionedKv).call(operation, path)).rejects.toMatchObject({ status: 405 });
});
