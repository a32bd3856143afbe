import { describe, expect, it } from "vitest";
import { developmentSource } from "./development.ts";
import { parseServerConfig } from "./server-config.ts";

describe("developmentSource", () => {
  it("keeps everything in memory", () => {
    const { config, warnings } = parseServerConfig([developmentSource({ address: "127.0.0.1:8200" })]);
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({
      ui: true,
      api_addr: "http://127.0.0.1:8200",
      listeners: [{ address: "127.0.0.1:8200", tls_disable: true }],
      storage: { type: "inmem" },
      seal: { type: "shamir" },
    });
  });

  it("keeps data in a folder, with a key beside it", () => {
    const source = developmentSource({ address: "127.0.0.1:8200", storagePath: "data/store", keyFile: "data/key" });
    expect(parseServerConfig([source]).config).toMatchObject({
      storage: { type: "lmdb", path: "data/store" },
      seal: { type: "static", current_key_id: "development", current_key: "file://data/key" },
    });
  });

  it.each([
    [":8200", "http://127.0.0.1:8200"],
    ["[::1]:8200", "http://[::1]:8200"],
    ["localhost:8200", "http://localhost:8200"],
    ["127.0.0.1:0", undefined],
  ])("on %s is reached at %s", (address, url) => {
    expect(parseServerConfig([developmentSource({ address })]).config.api_addr).toBe(url);
  });

  it("complains of an address once", () => {
    expect(() => parseServerConfig([developmentSource({ address: "nowhere" })])).toThrow(
      'the configuration is wrong:\n  -dev: address: "nowhere" is not an address to listen on',
    );
  });
});
