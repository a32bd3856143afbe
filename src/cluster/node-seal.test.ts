import { expect, test } from "vitest";
import { NodeSeal } from "./node-seal.ts";

const rootKey = (generation = 1) => ({ generation, key: new Uint8Array([1, 2, 3]) });

test("begins closed, opens once, and hands the newest key on", () => {
  const seal = new NodeSeal();
  expect(seal.state).toEqual({ round: 0, rootKey: undefined, wasSealed: false });
  const first = rootKey();
  expect(seal.opened(0, first)).toBe(true);
  expect(seal.opened(0, rootKey(2))).toBe(false);
  expect(seal.state).toEqual({ round: 0, rootKey: rootKey(2), wasSealed: false });
  expect(first.key).toEqual(new Uint8Array(3));
  expect(seal.opened(0, rootKey(1))).toBe(false);
  expect(seal.state.rootKey).toEqual(rootKey(2));
});

test("sealing wipes the key, and only who has heard of it can open again", () => {
  const seal = new NodeSeal();
  const key = rootKey();
  seal.opened(0, key);
  expect(seal.sealed()).toBe(1);
  expect(key.key).toEqual(new Uint8Array(3));
  expect(seal.state).toEqual({ round: 1, rootKey: undefined, wasSealed: true });
  const late = rootKey();
  expect(seal.opened(0, late)).toBe(false);
  expect(late.key).toEqual(new Uint8Array(3));
  expect(seal.state.wasSealed).toBe(true);
  expect(seal.opened(1, rootKey())).toBe(true);
  expect(seal.state).toEqual({ round: 1, rootKey: rootKey(), wasSealed: false });
});
