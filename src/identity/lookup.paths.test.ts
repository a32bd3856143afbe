import { beforeEach, describe, expect, test } from "vitest";
import type { EngineCaller } from "../../test/support/engine-caller.ts";
import { identityCaller, makeAlias, makeEntity, makeGroup, nobody } from "./identity-fixture.suite.ts";

let caller: EngineCaller;
const known: Record<string, { id: string; alias: string }> = {};
beforeEach(async () => {
  caller = identityCaller();
  const entity = await makeEntity(caller, "ada");
  const group = await makeGroup(caller, "web", { type: "external" });
  const alias = { name: "dev", mount_accessor: "tokens", canonical_id: group };
  known["entity"] = { id: entity, alias: await makeAlias(caller, entity, "users", "ada") };
  known["group"] = { id: group, alias: (await caller.call("write", "group-alias", alias)).data.id };
});

const found: [string, () => object][] = [
  ["entity", () => ({ id: known["entity"]!.id })],
  ["entity", () => ({ name: "ADA" })],
  ["entity", () => ({ alias_id: known["entity"]!.alias })],
  ["entity", () => ({ alias_name: "ada", alias_mount_accessor: "users" })],
  ["group", () => ({ id: known["group"]!.id })],
  ["group", () => ({ name: "web" })],
  ["group", () => ({ alias_id: known["group"]!.alias })],
  ["group", () => ({ alias_name: "Dev", alias_mount_accessor: "tokens" })],
];

test.each(found)("%s is found (%#)", async (kind, clue) => {
  const { data, status } = await caller.call("write", `lookup/${kind}`, clue());
  expect(status).toBe(200);
  expect(data).toEqual((await caller.call("read", `${kind}/id/${known[kind]!.id}`)).data);
});

describe.each(["entity", "group"])("lookup of %s", (kind) => {
  const none: object[] = [
    { id: nobody },
    { id: "a/b" },
    { id: "" },
    { name: "nobody" },
    { name: "x".repeat(5000) },
    { alias_id: nobody },
    { alias_name: "nobody", alias_mount_accessor: "users" },
    { alias_name: "ada", alias_mount_accessor: "elsewhere" },
  ];

  test.each(none)("finds nothing by %j, and says nothing", async (clue) => {
    expect(await caller.call("write", `lookup/${kind}`, clue)).toMatchObject({ status: 204, data: undefined });
  });

  const distinct = "query parameter conflict; please supply distinct set of query parameters";
  const both = "both 'alias_name' and 'alias_mount_accessor' needs to be set";
  test.each([
    [{}, "query parameter not supplied"],
    [{ id: "a", name: "b" }, distinct],
    [{ id: "a", alias_name: "b", alias_mount_accessor: "c" }, distinct],
    [{ name: "a", alias_id: "b" }, distinct],
    [{ id: "a", alias_name: "b" }, distinct],
    [{ alias_name: "a" }, both],
    [{ alias_mount_accessor: "a" }, both],
  ])("refuses %j", async (clue, message) => {
    await expect(caller.call("write", `lookup/${kind}`, clue)).rejects.toMatchObject({ status: 400, message });
  });
});
