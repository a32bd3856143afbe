import { describe, expect, it } from "vitest";
import { type Connection, passwordIn, shownDetails, withoutPassword } from "./connection.ts";
import { plugins } from "./plugins/index.ts";

describe("passwords inside of URLs", () => {
  it.each([
    ["postgresql://bob:secret@host/db", "postgresql://bob:xxxxx@host/db"],
    ["postgresql://bob:a:b@c@host/db", "postgresql://bob:xxxxx@host/db"],
    ["postgresql://bob:bob@bob/bob", "postgresql://bob:xxxxx@bob/bob"],
    ["bob:secret@tcp(host:3306)/", "bob:xxxxx@tcp(host:3306)/"],
    ["host=h user=u password='secret' dbname=d", "host=h user=u password='xxxxx' dbname=d"],
    ["postgresql://host/db?user=u&password=secret", "postgresql://host/db?user=u&password=xxxxx"],
  ])("%s is shown as %s", (url, shown) => {
    expect(withoutPassword(url)).toBe(shown);
    expect(passwordIn(url)).toBeDefined();
  });

  it.each(["postgresql://{{username}}:{{password}}@host/db", "https://host:9200", "just words: here"])(
    "%s has none",
    (url) => {
      expect(withoutPassword(url)).toBe(url);
    },
  );
});

it("shows nothing that a plugin, or a name, calls secret", () => {
  for (const plugin of plugins) {
    const secrets = [
      "password",
      "api_key",
      "client_key",
      "private_key",
      "tls_certificate_key",
      "ca_private_key",
      "my_token",
      "db_password",
    ];
    const details = Object.fromEntries([...secrets, "username", "max_open_connections"].map((name) => [name, "x"]));
    const shown = shownDetails({ details } as unknown as Connection, plugin);
    expect(Object.keys(shown)).toEqual(["username", "max_open_connections"]);
  }
});
