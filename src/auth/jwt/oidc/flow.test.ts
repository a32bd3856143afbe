import { expect, test } from "vitest";
import { MapStorage } from "../../../../test/support/engine-caller.ts";
import { type Flow, Flows } from "./flow.ts";

const flow = (expires: number): Flow => ({
  role: "staff",
  mode: "direct",
  expires,
  client_nonce: "mine",
  requester: "127.0.0.1",
  redirect_uri: "",
  continue_uri: "",
  nonce: "",
  code_verifier: "",
  device_code: "",
});

test("a login under way is found in time, taken once, and leaves nothing behind", async () => {
  const storage = new MapStorage();
  const flows = new Flows(storage);
  flows.begin("st_1", flow(1_000_000));
  expect([...storage.entries.keys()].join()).not.toContain("st_1");
  expect(await flows.find("st_1", 999_999)).toMatchObject({ role: "staff" });
  expect(await flows.find("st_1", 1_000_000)).toBeUndefined();
  expect(await flows.find("st_2", 0)).toBeUndefined();
  expect(await flows.take("st_1", 0)).toMatchObject({ role: "staff" });
  expect(await flows.take("st_1", 0)).toBeUndefined();
  expect(storage.entries.size).toBe(0);
});

test("those that are over are removed, a few at a time", async () => {
  const storage = new MapStorage();
  const flows = new Flows(storage);
  const minute = 60_000;
  for (let number = 0; number < 25; number++) flows.begin(`old-${number}`, flow(number * minute));
  flows.begin("young", flow(100 * minute));
  expect(await flows.removeOver(50 * minute, 10)).toBe(true);
  expect(await flows.removeOver(50 * minute, 10)).toBe(true);
  expect(await flows.removeOver(50 * minute, 10)).toBe(false);
  expect(storage.entries.size).toBe(2);
  expect(await flows.find("young", 99 * minute)).toBeDefined();
});
