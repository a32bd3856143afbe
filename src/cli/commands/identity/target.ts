/** Things of identity are known by a name or an id; people may type either. */
import type { Answer, Client } from "../../../client/client.ts";
import { isJsonObject, type JsonObject } from "../../../lib/json.ts";
import { CommandFailure, exitCodes } from "../../failure.ts";
import { cellText, sortedKeys } from "../../output/cell.ts";
import type { Row } from "../../output/table.ts";
import { cleanPath } from "../../path.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const isId = (typed: string): boolean => uuid.test(typed);

/** `identity/entity/id/…` or `identity/entity/name/…`, by what was typed. */
export function targetPath(kind: "entity" | "group", typed: string | undefined): string {
  const target = cleanPath(typed);
  return `identity/${kind}/${isId(target) ? "id" : "name"}/${target}`;
}

/** The id behind a name or an id. */
export async function idOf(client: Client, kind: "entity" | "group", typed: string): Promise<string> {
  if (isId(typed)) return typed;
  const answer = await client.find(targetPath(kind, typed));
  const id = answer?.data["id"];
  if (typeof id !== "string") throw new CommandFailure(`No ${kind} named: ${typed}`, exitCodes.refused);
  return id;
}

/** What a list tells of each key, in the order of the list. */
export function listedInfo(answer: Answer | undefined): readonly (readonly [id: string, info: JsonObject])[] {
  const keys = answer?.data["keys"];
  const info = answer?.data["key_info"];
  return (Array.isArray(keys) ? keys.map(String) : []).map((id) => {
    const told = isJsonObject(info) ? info[id] : undefined;
    return [id, isJsonObject(told) ? told : {}];
  });
}

/** `ada at auth/userpass/`. */
export function aliasText(alias: unknown): string {
  if (!isJsonObject(alias) || alias["name"] === undefined) return "";
  const { name, mount_path, mount_accessor } = alias;
  return `${cellText(name)} at ${cellText(mount_path || mount_accessor)}`;
}

/** Rows for people: nested things get a line each, and what is empty is left out. */
export function detailRows(data: JsonObject): Row[] {
  return sortedKeys(data).flatMap((name): Row[] => {
    const value = data[name];
    if (name === "aliases" && Array.isArray(value)) {
      return value.map((alias) => ["alias", `${aliasText(alias)} (${isJsonObject(alias) ? alias["id"] : ""})`]);
    }
    if (name === "alias") return aliasText(value) === "" ? [] : [["alias", aliasText(value)]];
    if (Array.isArray(value)) return value.length === 0 ? [] : [[name, value.map(cellText).join(", ")]];
    if (isJsonObject(value)) return sortedKeys(value).map((key) => [`${name}.${key}`, cellText(value[key])]);
    return value === null || value === "" ? [] : [[name, cellText(value)]];
  });
}
