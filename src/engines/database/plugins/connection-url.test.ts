import { expect, it } from "vitest";
import { readAddress } from "./connection-url.ts";

const credentials = { username: "ad/min", password: "p@ss:w'rd\\", disableEscaping: false };

it.each([
  ["postgresql://{{username}}:{{password}}@db.example:5433/app?sslmode=require", "db.example", 5433, "app"],
  ["postgres://{{name}}:{{password}}@[::1]/app", "::1", undefined, "app"],
  ["host=db.example port=5433 user={{username}} password={{password}} dbname=app", "db.example", 5433, "app"],
  ["host = 'db.example' dbname=app", "db.example", undefined, "app"],
  ["{{username}}:{{password}}@tcp(db.example:3306)/app?tls=true", "db.example", 3306, "app"],
  ["{{username}}:{{password}}@tcp([::1]:3306)/", "::1", 3306, ""],
  ["tcp(db.example)/", "db.example", undefined, ""],
  ["{{username}}@unix(/run/mysqld.sock)/app", "/run/mysqld.sock", undefined, "app"],
])("%s", (url, host, port, database) => {
  expect(readAddress(url, credentials)).toMatchObject({
    host,
    port,
    database,
    user: credentials.username,
    password: credentials.password,
  });
});

it("takes a user and a password that stand in the URL", () => {
  const address = readAddress("postgresql://bob:sec%40ret@host/db", { ...credentials, disableEscaping: true });
  expect(address).toMatchObject({ user: "bob", password: "sec@ret" });
});

it.each([
  ["", "connection_url cannot be empty"],
  ["nonsense", "cannot parse connection url: invalid keyword/value"],
  ["port=1", "cannot parse connection url: it names no host"],
  ["postgresql://a b:[", "cannot parse connection url"],
  ["user@sctp(host)/", "cannot parse connection url"],
])("refuses %j", (url, problem) => {
  expect(() => readAddress(url, credentials)).toThrow(problem);
});

it("refuses placeholders inside of what they stand for", () => {
  expect(() => readAddress("host=x", { ...credentials, password: "{{username}}" })).toThrow(
    "cannot contain the template",
  );
});
