import { expect, test } from "vitest";
import { MapStorage } from "../../../test/support/engine-caller.ts";
import { rootNamespace } from "../namespaces/namespace.ts";
import { addNamespace } from "../namespaces/stored-namespace.ts";
import { homeOfId } from "./token-home.ts";

test.each([
  ["s.abc", "root"],
  ["s.abc.Ab12Cd", "Ab12Cd"],
  ["b.abc_-.Ab12Cd", "Ab12Cd"],
  ["mine", "root"],
  ["mine.Ab12Cd", "Ab12Cd"],
  ["s.abc.nobody", "root"],
  ["s.abc.../../x", "root"],
  ["s.", "root"],
  [".", "root"],
  ["", "root"],
  ["s.abc.Gone00", undefined],
])("a token %j is at home in %j", async (id, home) => {
  const whole = new MapStorage();
  const state = { parent: "root", custom_metadata: {}, lock: "", children: 0 };
  const open = { id: "Ab12Cd", uuid: "1", path: "a/", name: "a", tainted: false, ...state };
  await addNamespace(open, rootNamespace, whole);
  await addNamespace({ ...open, id: "Gone00", uuid: "2", path: "g/", name: "g", tainted: true }, rootNamespace, whole);
  expect((await homeOfId(id, whole))?.id).toBe(home);
});
