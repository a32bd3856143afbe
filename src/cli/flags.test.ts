import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  choiceFlag,
  durationFlag,
  environmentNames,
  FlagError,
  integerFlag,
  pairsFlag,
  parseFlags,
  repeatedFlag,
  switchFlag,
  textFlag,
} from "./flags.ts";

const declared = {
  dev: switchFlag("Start in development mode"),
  address: textFlag("Where the server is", {
    default: "https://127.0.0.1:8200",
    environment: environmentNames("ADDR"),
  }),
  token: textFlag("Token to use", { environment: environmentNames("TOKEN") }),
  format: choiceFlag(["table", "json"], "How to print", { default: "table", environment: environmentNames("FORMAT") }),
  shares: integerFlag("Number of shares", { default: 5 }),
  ttl: durationFlag("Lifetime"),
  config: repeatedFlag("File or folder"),
  metadata: pairsFlag("Data of your own"),
  verbose: switchFlag("Say more", { environment: environmentNames("VERBOSE") }),
  "dev-latency": integerFlag("For tests", { hidden: true }),
};

const initial = {
  dev: false,
  address: "https://127.0.0.1:8200",
  token: undefined,
  format: "table",
  shares: 5,
  ttl: undefined,
  config: [],
  metadata: new Map(),
  verbose: false,
  "dev-latency": undefined,
};

describe("parseFlags", () => {
  it.each<[string[], object, string[]]>([
    [[], {}, []],
    [["-dev"], { dev: true }, []],
    [["--dev"], { dev: true }, []],
    [["-dev=false"], { dev: false }, []],
    [["-dev=T"], { dev: true }, []],
    [["-dev", "-dev=0"], { dev: false }, []],
    [["-dev", "false"], { dev: true }, ["false"]],
    [["-address=http://x"], { address: "http://x" }, []],
    [["--address", "http://x"], { address: "http://x" }, []],
    [["-address", "-5"], { address: "-5" }, []],
    [["-address="], { address: "" }, []],
    [["-address=a=b"], { address: "a=b" }, []],
    [["-address=a", "-address=b"], { address: "b" }, []],
    [["-format=json"], { format: "json" }, []],
    [["-shares=3"], { shares: 3 }, []],
    [["-shares", "-1"], { shares: -1 }, []],
    [["-ttl=90"], { ttl: 90 }, []],
    [["-ttl", "1h30m"], { ttl: 5400 }, []],
    [["-config=a", "-config", "b"], { config: ["a", "b"] }, []],
    [
      ["-metadata=a=1", "-metadata=b=x=y"],
      {
        metadata: new Map([
          ["a", "1"],
          ["b", "x=y"],
        ]),
      },
      [],
    ],
    [["secret/x", "key=-5", "-"], {}, ["secret/x", "key=-5", "-"]],
    [["-dev", "one", "-shares=2", "two"], { dev: true, shares: 2 }, ["one", "two"]],
    [["one", "--", "-dev", "--"], {}, ["one", "-dev", "--"]],
    [["-address", "--", "x"], { address: "--" }, ["x"]],
    [[""], {}, [""]],
  ])("%o", (words, changed, positionals) => {
    const parsed = parseFlags(declared, words);
    expect({ ...parsed.values }).toEqual({ ...initial, ...changed });
    expect(parsed.positionals).toEqual(positionals);
    expect(parsed.help).toBe(false);
  });

  it("knows the type of every flag", () => {
    const { values } = parseFlags(declared, []);
    expectTypeOf(values.dev).toEqualTypeOf<boolean>();
    expectTypeOf(values.address).toEqualTypeOf<string>();
    expectTypeOf(values.token).toEqualTypeOf<string | undefined>();
    expectTypeOf(values.format).toEqualTypeOf<"table" | "json">();
    expectTypeOf(values.shares).toEqualTypeOf<number>();
    expectTypeOf(values.ttl).toEqualTypeOf<number | undefined>();
    expectTypeOf(values.config).toEqualTypeOf<readonly string[]>();
    expectTypeOf(values.metadata).toEqualTypeOf<ReadonlyMap<string, string>>();
  });

  it("tells which flags were given", () => {
    expect([...parseFlags(declared, ["-shares=5", "--dev"]).given]).toEqual(["shares", "dev"]);
  });

  it.each([["-h"], ["-help"], ["--help"]])("asks for help with %s", (word) => {
    expect(parseFlags(declared, ["status", word])).toMatchObject({ help: true, positionals: ["status"] });
  });

  it("leaves -h alone where it is declared", () => {
    expect(parseFlags({ h: switchFlag("Hours") }, ["-h"])).toMatchObject({ help: false, values: { h: true } });
  });

  it.each<[string[], string]>([
    [["-adress=x"], "unknown flag -adress; did you mean -address?"],
    [["--formt"], "unknown flag -formt; did you mean -format?"],
    [["-zzz"], "unknown flag -zzz"],
    [["-5"], "unknown flag -5"],
    [["---dev"], "unknown flag --dev; did you mean -dev?"],
    [["-=x"], "unknown flag -"],
    [["-__proto__"], "unknown flag -__proto__"],
    [["-constructor=1"], "unknown flag -constructor"],
    [["-dev-latenci=1"], "unknown flag -dev-latenci"],
    [[`-${"x".repeat(1000)}`], `unknown flag -${"x".repeat(64)}…`],
    [["-address"], "flag -address needs a value: -address=<string>"],
    [["-format"], "flag -format needs a value: -format=<table|json>"],
    [["-dev=yes"], 'flag -dev: "yes" is not a boolean: use true or false'],
    [["-dev="], 'flag -dev: "" is not a boolean: use true or false'],
    [["-format=yaml"], 'flag -format: "yaml" is not allowed: use one of "table", "json"'],
    [["-shares=three"], 'flag -shares: "three" is not a whole number'],
    [["-shares=1.5"], 'flag -shares: "1.5" is not a whole number'],
    [["-shares=99999999999999999"], 'flag -shares: "99999999999999999" is not a whole number'],
    [
      ["-ttl=soon"],
      'flag -ttl: "soon" is not a duration: use seconds, such as 90, or numbers with the units d, h, m, s, ms, us, ns, such as "1h30m"',
    ],
    [["-metadata=x"], 'flag -metadata: "x" is not of the form key=value'],
    [["-metadata==x"], 'flag -metadata: "=x" is not of the form key=value'],
  ])("refuses %o", (words, message) => {
    expect(() => parseFlags(declared, words)).toThrow(new FlagError(message));
  });

  it("never throws anything but FlagError", () => {
    const word = fc.oneof(fc.string(), fc.constantFrom("-", "--", "-dev", "-ttl", "-shares=", "-config", "-h"));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        try {
          parseFlags(declared, words);
        } catch (error) {
          expect(error).toBeInstanceOf(FlagError);
        }
      }),
    );
  });
});

describe("environment", () => {
  it.each<[Record<string, string>, string[], object]>([
    [{ STRONGROOM_ADDR: "s", BAO_ADDR: "b", VAULT_ADDR: "v" }, [], { address: "s" }],
    [{ BAO_ADDR: "b", VAULT_ADDR: "v" }, [], { address: "b" }],
    [{ VAULT_ADDR: "v" }, [], { address: "v" }],
    [{ STRONGROOM_ADDR: "", VAULT_ADDR: "v" }, [], { address: "v" }],
    [{ STRONGROOM_ADDR: "s" }, ["-address=flag"], { address: "flag" }],
    [{ BAO_TOKEN: "t" }, [], { token: "t" }],
    [{ VAULT_VERBOSE: "true" }, [], { verbose: true }],
    [{ VAULT_VERBOSE: "true" }, ["-verbose=false"], { verbose: false }],
    [{ BAO_FORMAT: "json" }, [], { format: "json" }],
  ])("%o and %o", (environment, words, changed) => {
    expect({ ...parseFlags(declared, words, environment).values }).toEqual({ ...initial, ...changed });
  });

  it("is named in errors, and not asked when the flag is given", () => {
    const environment = { BAO_FORMAT: "xml" };
    expect(() => parseFlags(declared, [], environment)).toThrow(
      new FlagError('environment variable BAO_FORMAT: "xml" is not allowed: use one of "table", "json"'),
    );
    expect(parseFlags(declared, ["-format=json"], environment).values.format).toBe("json");
  });
});
