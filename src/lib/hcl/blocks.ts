/**
 * One way to read blocks, however they were written: `listener "tcp" { … }`, `listener = { tcp = { … } }`,
 * and JSON's `{"listener": {"tcp": { … }}}` and `{"listener": [{"tcp": { … }}]}` all give the same.
 */
import { HclError } from "./error.ts";
import { type Body, describeValue, type Item, type Label, type Position, type Value } from "./syntax-tree.ts";

export interface Block {
  readonly labels: readonly Label[];
  readonly body: Body;
  readonly position: Position;
}

/** All blocks of this key, each with exactly so many labels. Throws `HclError` for what is no such block. */
export function blocks(body: Body, key: string, labelCount: number): Block[] {
  return body.items.filter((item) => item.key === key).flatMap((item) => itemBlocks(item, labelCount));
}

export function itemBlocks(item: Item, labelCount: number): Block[] {
  return expand(item, labelCount, item.key, item.labels, item.value, item.position);
}

function expand(
  item: Item,
  labelCount: number,
  name: string,
  labels: readonly Label[],
  value: Value,
  position: Position,
): Block[] {
  if (value.kind === "list") {
    return value.items.flatMap((each) => expand(item, labelCount, name, labels, each, each.position));
  }
  if (value.kind !== "object") {
    throw new HclError(`${JSON.stringify(name)} must be a block, found ${describeValue(value)}`, value.position);
  }
  if (labels.length > labelCount) {
    const reason = `${JSON.stringify(item.key)} takes ${labelCount} label${labelCount === 1 ? "" : "s"}, found ${labels.length}`;
    throw new HclError(reason, labels[labelCount]!.position);
  }
  if (labels.length === labelCount) return [{ labels, body: value, position }];
  return value.items.flatMap((inner) => {
    const longer = [...labels, { text: inner.key, position: inner.position }, ...inner.labels];
    return expand(item, labelCount, inner.key, longer, inner.value, inner.position);
  });
}
