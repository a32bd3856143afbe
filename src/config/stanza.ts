/** Stanzas whose first label is a type with settings of its own: `storage "lmdb" { … }`, `listener "tcp" { … }`. */
import { type Block, itemBlocks } from "../lib/hcl/blocks.ts";
import { HclError } from "../lib/hcl/error.ts";
import type { Place } from "./report.ts";
import { type Entry, type Reading, readSection, type Section } from "./section.ts";
import type { Settings, Values } from "./setting.ts";

export interface StanzaTypes {
  readonly [type: string]: Settings;
}

/** A union with one member for each type, told apart by `type`. */
export type StanzaValues<Types extends StanzaTypes> = {
  [Type in keyof Types]: { readonly type: Type } & Values<Types[Type]>;
}[keyof Types];

export interface Stanza<Types extends StanzaTypes> {
  readonly values: StanzaValues<Types>;
  readonly section: Section<Types[keyof Types]>;
  readonly place: Place;
}

export interface StanzaDeclaration<Types extends StanzaTypes> {
  readonly name: string;
  readonly types: Types;
  /** Types that people may try, and what to say to them. */
  readonly refusals?: Readonly<Record<string, string>>;
}

export function readStanzas<Types extends StanzaTypes>(
  { name, types, refusals = {} }: StanzaDeclaration<Types>,
  entries: readonly Entry[],
  reading: Reading,
): Stanza<Types>[] {
  const stanzas: Stanza<Types>[] = [];
  for (const { block, file } of labeledBlocks(entries, name, 1, Object.keys(types), reading)) {
    const { text: type, position } = block.labels[0]!;
    const settings = Object.hasOwn(types, type) ? types[type] : undefined;
    const place = { file, position: block.position };
    if (settings === undefined) {
      const advice = Object.hasOwn(refusals, type) ? refusals[type]! : `use ${typeNames(name, Object.keys(types))}`;
      reading.report.problem(
        { file, position },
        `${name}: the type ${JSON.stringify(type)} is not supported: ${advice}`,
      );
      continue;
    }
    const section = readSection(settings, bodyEntries(block, file), place, reading);
    stanzas.push({
      values: { type, ...section.values } as StanzaValues<Types>,
      section: section as Stanza<Types>["section"],
      place,
    });
  }
  return stanzas;
}

interface BlockInFile {
  readonly block: Block;
  readonly file: string;
}

/** Every block with so many labels; what is no such block is reported, with an example of one. */
export function labeledBlocks(
  entries: readonly Entry[],
  name: string,
  labelCount: number,
  examples: readonly string[],
  { report }: Reading,
): BlockInFile[] {
  return entries.flatMap(({ item, file }) => {
    const found = report.attempt(file, name, () => {
      try {
        const blocks = itemBlocks(item, labelCount);
        if (blocks.length > 0 || item.value.kind === "list") return blocks;
        throw new HclError(`needs ${labelCount === 1 ? "a label" : `${labelCount} labels`}`, item.position);
      } catch (error) {
        if (!(error instanceof HclError)) throw error;
        throw new HclError(`${error.reason}; write ${typeNames(name, examples)}`, error.position);
      }
    });
    return (found ?? []).map((block) => ({ block, file }));
  });
}

export const bodyEntries = (block: Block, file: string): Entry[] => block.body.items.map((item) => ({ item, file }));

const typeNames = (name: string, types: readonly string[]) =>
  types.map((type) => `${name} "${type}" { … }`).join(" or ");
