/** Metadata of a secret as text: its settings, then each version. */
import { isJsonObject, type JsonObject } from "../../../lib/json.ts";
import { cellText, sortedKeys } from "../../output/cell.ts";
import { keyValueTable, titled } from "../../output/table.ts";

export function metadataText({ versions, ...settings }: JsonObject, path: string): string {
  const sections = [titled("Metadata Path", `${path}\n`), titled("Metadata", table(settings))];
  const known = isJsonObject(versions) ? versions : {};
  for (const version of Object.keys(known).sort((a, b) => Number(a) - Number(b))) {
    const facts = known[version];
    sections.push(titled(`Version ${version}`, table(isJsonObject(facts) ? facts : {})));
  }
  return sections.join("\n");
}

const table = (object: JsonObject): string =>
  keyValueTable(sortedKeys(object).map((name) => [name, object[name] === "" ? "" : cellText(object[name])]));
