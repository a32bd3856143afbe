import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigError } from "./report.ts";
import { type ConfigSource, parseServerConfig } from "./server-config.ts";

const listener = 'listener "tcp" { tls_disable = true }\n';
const storage = 'storage "inmem" {}\n';

const parse = (text: string, environment = {}) => parseServerConfig([{ file: "a.hcl", text }], environment);

/** Of a configuration that would be fine without `text`, which comes first so that its lines are the file's. */
const withText = (text: string, environment = {}) => parse(`${text}\n${listener}${storage}`, environment);

function problems(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("a configuration", () => {
  it("of a production server", () => {
    const { config, warnings } = parse(`
      storage "postgresql" {
        connection_url = "postgres://strongroom:geheim@db/strongroom"
      }
      listener "tcp" {
        address                            = "0.0.0.0:8200"
        tls_cert_file                      = "server.pem"
        tls_key_file                       = "server.key"
        tls_require_and_verify_client_cert = "true"
        tls_client_ca_file                 = "clients.pem"
        http_idle_timeout                  = "1m"
        max_request_duration               = "30s"
        max_request_size                   = -1
        x_forwarded_for_authorized_addrs   = "10.0.0.0/8"
        custom_response_headers { "default" = { "X-Frame-Options" = ["DENY"] } }
        telemetry { unauthenticated_metrics_access = true }
      }
      listener "tcp" {
        address                                  = "127.0.0.1:8300"
        tls_disable                              = 1
        disable_unauthed_rekey_endpoints         = false
        disable_unauthed_generate_root_endpoints = false
      }
      seal "static" {
        current_key_id = "2"
        current_key    = "env://SEAL_KEY"
        previous_key_id = "1"
        previous_key    = "file:///old"
      }
      audit "file" "main/" {
        description = "everything"
        options { file_path = "/var/log/audit.log" log_raw = false mode = 0600 }
      }
      audit "socket" "siem" { options { address = "siem:9000" } }
      user_lockout "all" { lockout_duration = "10m" }
      user_lockout "userpass" { lockout_threshold = "25" lockout_duration = "5m" }
      user_lockout "ldap" { disable_lockout = "true" }
      telemetry { disable_hostname = true }
      api_addr = "https://strongroom.example.com:8200"
      default_lease_ttl = "24h"
      max_lease_ttl = "30d"
      default_max_request_duration = "45s"
      disable_mlock = true
      log_level = "warning"
      ui = true
    `);
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({
      api_addr: "https://strongroom.example.com:8200",
      default_lease_ttl: 86_400,
      max_lease_ttl: 2_592_000,
      disable_mlock: true,
      log_level: "warn",
      ui: true,
      telemetry: { disable_hostname: true, prometheus_retention_time: 86_400 },
      storage: {
        type: "postgresql",
        connection_url: "postgres://strongroom:geheim@db/strongroom",
        table_prefix: "strongroom_",
        max_connections: 16,
      },
      seal: {
        type: "static",
        current_key_id: "2",
        current_key: "env://SEAL_KEY",
        previous_key_id: "1",
        previous_key: "file:///old",
        disabled: false,
      },
      listeners: [
        {
          type: "tcp",
          address: "0.0.0.0:8200",
          tls_disable: false,
          tls_cert_file: "server.pem",
          tls_key_file: "server.key",
          tls_require_and_verify_client_cert: true,
          http_idle_timeout: 60_000,
          max_request_duration: 30_000,
          max_request_size: Number.POSITIVE_INFINITY,
          x_forwarded_for_authorized_addrs: [{ text: "10.0.0.0/8" }],
          custom_response_headers: { default: { "X-Frame-Options": ["DENY"] } },
          telemetry: { unauthenticated_metrics_access: true },
          disable_unauthed_rekey_endpoints: true,
        },
        {
          type: "tcp",
          address: "127.0.0.1:8300",
          tls_disable: true,
          max_request_duration: 45_000,
          max_request_size: 33_554_432,
          disable_unauthed_rekey_endpoints: false,
          disable_unauthed_generate_root_endpoints: false,
        },
      ],
      audit: [
        {
          type: "file",
          path: "main",
          description: "everything",
          options: { file_path: "/var/log/audit.log", log_raw: "false", mode: "0600" },
        },
        { type: "socket", path: "siem", description: "", options: { address: "siem:9000" } },
      ],
      user_lockout: {
        userpass: { lockout_threshold: 25, lockout_duration: 300, lockout_counter_reset: 900, disable_lockout: false },
        approle: { lockout_threshold: 5, lockout_duration: 600, lockout_counter_reset: 900, disable_lockout: false },
        ldap: { lockout_threshold: 5, lockout_duration: 600, lockout_counter_reset: 900, disable_lockout: true },
      },
    });
  });

  it("of the smallest kind has the defaults that clients expect", () => {
    const { config } = withText("");
    expect(config).toMatchObject({
      api_addr: undefined,
      ui: false,
      default_lease_ttl: 2_764_800,
      max_lease_ttl: 2_764_800,
      default_max_request_duration: 90_000,
      log_level: "info",
      log_format: "standard",
      unsafe_allow_api_audit_creation: false,
      storage: { type: "inmem" },
      seal: { type: "shamir" },
      audit: [],
      user_lockout: { userpass: { lockout_threshold: 5, lockout_duration: 900, lockout_counter_reset: 900 } },
    });
    expect(config.listeners).toMatchObject([
      {
        address: "127.0.0.1:8200",
        tls_min_version: "tls12",
        http_read_header_timeout: 10_000,
        http_read_timeout: 30_000,
        http_write_timeout: 30_000,
        http_idle_timeout: 300_000,
        max_request_duration: 90_000,
        max_request_size: 33_554_432,
        max_connections: 10_000,
        max_header_size: 65_536,
        max_request_json_strings: 1000,
        x_forwarded_for_authorized_addrs: [],
        x_forwarded_for_reject_not_present: true,
        x_forwarded_for_reject_not_authorized: true,
        proxy_protocol_behavior: undefined,
        disable_unauthed_rekey_endpoints: true,
        disable_unauthed_generate_root_endpoints: true,
        telemetry: { unauthenticated_metrics_access: false },
      },
    ]);
  });

  it.each([
    ["", 2_764_800, 2_764_800],
    ['max_lease_ttl = "24h"', 86_400, 86_400],
    ['default_lease_ttl = "1h"', 3600, 2_764_800],
    ['default_lease_ttl = "0"\nmax_lease_ttl = 0', 2_764_800, 2_764_800],
    ['default_lease_ttl = ""\nmax_lease_ttl = "1000h"', 2_764_800, 3_600_000],
  ])("with %o has the lifetimes %o and %o", (text, default_lease_ttl, max_lease_ttl) => {
    expect(withText(text).config).toMatchObject({ default_lease_ttl, max_lease_ttl });
  });

  it.each([
    ['{"storage": {"lmdb": {"path": "d"}}, "listener": {"tcp": {"tls_disable": "1"}}}'],
    ['{"backend": {"lmdb": {"path": "d"}}, "listener": [{"tcp": {"tls_disable": true}}]}'],
    ['{"storage": [{"lmdb": [{"path": "d"}]}], "listener": {"tcp": [{"tls_disable": true}]}}'],
    ['backend "lmdb" { path = "d" }\nlistener "tcp" { tls_disable = true }'],
    ['storage "lmdb" { path = "d" }\nlistener "tcp" { tls_disable = "true" }\nseal "shamir" {}'],
  ])("may be written as %s", (text) => {
    const { config, warnings } = parse(text);
    expect(config.storage).toEqual({ type: "lmdb", path: "d" });
    expect(config.listeners).toMatchObject([{ tls_disable: true }]);
    expect(config.seal).toEqual({ type: "shamir" });
    expect(warnings).toEqual([]);
  });

  it("in several files is merged: later keys win, listeners and devices add up", () => {
    const sources: ConfigSource[] = [
      { file: "1.hcl", text: `${listener}${storage}ui = true\nlog_level = "debug"\naudit "file" "a" {}` },
      {
        file: "2.hcl",
        text: 'ui = false\nlistener "tcp" { address = ":8300" tls_disable = true }\nstorage "lmdb" { path = "d" }\naudit "file" "b" {}',
      },
    ];
    const { config, warnings } = parseServerConfig(sources);
    expect(config).toMatchObject({ ui: false, log_level: "debug", storage: { type: "lmdb", path: "d" } });
    expect(config.listeners.map((each) => each.address)).toEqual(["127.0.0.1:8200", ":8300"]);
    expect(config.audit.map((each) => each.path)).toEqual(["a", "b"]);
    expect(warnings).toEqual(["2.hcl:3:1: storage: replaces the one at 1.hcl:2:1"]);
  });
});

it("allows a prefix in audit logs where that is allowed", () => {
  const { config } = withText('allow_audit_log_prefixing = true\naudit "file" "x" { options { prefix = "p" } }');
  expect(config.audit).toMatchObject([{ options: { prefix: "p" } }]);
});

describe("the environment", () => {
  it.each<[Record<string, string>, object]>([
    [{ STRONGROOM_API_ADDR: "https://s", BAO_API_ADDR: "https://b" }, { api_addr: "https://s" }],
    [{ BAO_API_ADDR: "https://b", VAULT_API_ADDR: "https://v" }, { api_addr: "https://b" }],
    [{ VAULT_API_ADDR: "https://v" }, { api_addr: "https://v" }],
    [{ VAULT_API_ADDR: "" }, { api_addr: "https://file" }],
    [{ VAULT_UI: "true" }, { ui: true }],
    [{ BAO_LOG_LEVEL: "trace" }, { log_level: "trace" }],
  ])("wins over the file: %o", (environment, expected) => {
    expect(withText('api_addr = "https://file"', environment).config).toMatchObject(expected);
  });

  it("can name the database, so that no file needs to", () => {
    const { config } = parse(`${listener}storage "postgresql" {}`, { BAO_PG_CONNECTION_URL: "postgres://x" });
    expect(config.storage).toMatchObject({ connection_url: "postgres://x" });
  });

  it("is named when it is wrong", () => {
    expect(problems(() => withText("", { VAULT_UI: "perhaps", BAO_LOG_LEVEL: "loud" }))).toEqual([
      "environment variable VAULT_UI: ui: must be true or false",
      'environment variable BAO_LOG_LEVEL: log_level: "loud" is not allowed: use one of "trace", "debug", "info", "warn", "error"',
    ]);
  });
});

describe("warnings", () => {
  it.each<[string, string[]]>([
    ["color = true", ["a.hcl:1:1: color: unknown key, which changes nothing"]],
    [
      "\n  max_leese_ttl = 5",
      ["a.hcl:2:3: max_leese_ttl: unknown key, which changes nothing; did you mean max_lease_ttl?"],
    ],
    [
      'telemetry { statsd_adress = "x" }',
      ["a.hcl:1:13: statsd_adress: unknown key, which changes nothing; did you mean statsd_address?"],
    ],
    ["ui = true\nui = false", ["a.hcl:2:1: ui: set again, and this one counts; it was set on line 1 too"]],
    [
      "disable_clustering = true",
      ["a.hcl:1:1: disable_clustering: changes nothing: nodes do not talk to each other: they meet in the store"],
    ],
    [
      'listener "tcp" {\n address = ":1"\n tls_disable = true\n tls_cipher_suites = "X"\n}',
      ["a.hcl:4:2: tls_cipher_suites: changes nothing: the runtime chooses: only suites that are considered safe"],
    ],
    [
      'ha_storage "x" {}',
      ["a.hcl:1:1: ha_storage: changes nothing: nodes do not talk to each other: they meet in the store"],
    ],
    [
      'listener "tcp" {\n address = ":1"\n tls_disable = true\n tls_cert = "x"\n}',
      ["a.hcl:4:2: tls_cert: unknown key, which changes nothing"],
    ],
    [
      "__proto__ = 1\nconstructor = 2",
      [
        "a.hcl:1:1: __proto__: unknown key, which changes nothing",
        "a.hcl:2:1: constructor: unknown key, which changes nothing",
      ],
    ],
  ])("%s", (text, expected) => {
    expect(withText(text).warnings).toEqual(expected);
  });
});

describe("what is refused", () => {
  it.each<[string, string[]]>([
    ["ui = maybe", ['a.hcl:1:6: expected a value (text needs quotes), found "maybe"']],
    ['ui = "maybe"', ["a.hcl:1:6: ui: must be true or false"]],
    ['ui "x" {}', ["a.hcl:1:4: ui: takes no label"]],
    ['cluster_name = ["x"]', ["a.hcl:1:16: cluster_name: must be a string, found a list"]],
    [
      'api_addr = "here"',
      ['a.hcl:1:12: api_addr: must be a URL of scheme, host and port, such as "https://server.example.com:8200"'],
    ],
    ["cache_size = -1", ["a.hcl:1:14: cache_size: must be from 0 to 100000000"]],
    [
      'default_lease_ttl = "2h"\nmax_lease_ttl = "1h"',
      ["a.hcl:1:21: default_lease_ttl: must not be longer than max_lease_ttl"],
    ],
    ["telemetry = 5", ["a.hcl:1:13: telemetry: must be a block"]],
    ['telemetry "x" {}', ["a.hcl:1:11: telemetry: takes no label"]],
    ["telemetry { disable_hostname = 5 }", ["a.hcl:1:32: disable_hostname: must be true or false"]],

    [
      'storage "lmdb" {}',
      ["a.hcl:1:1: path: must be set", "a.hcl:3:1: storage: only one is possible, and there is one at a.hcl:1:1"],
    ],
    ['seal "static" {}', ["a.hcl:1:1: current_key_id: must be set", "a.hcl:1:1: current_key: must be set"]],
    [
      'seal "static" {\n current_key_id = ""\n current_key = 5\n}',
      ["a.hcl:2:19: current_key_id: must be set", "a.hcl:3:16: current_key: must be a string, found a number"],
    ],
    [
      'seal "static" {\n current_key_id = "1"\n current_key = "x"\n previous_key = "y"\n}',
      ["a.hcl:1:1: previous_key_id and previous_key: set both, or neither"],
    ],
    [
      'seal "static" {\n current_key_id = "1"\n current_key = "x"\n previous_key_id = "1"\n previous_key = "y"\n}',
      ["a.hcl:1:1: previous_key_id: must differ from current_key_id"],
    ],
    [
      'seal "awskms" {}',
      ['a.hcl:1:6: seal: the type "awskms" is not supported: use seal "shamir" { … } or seal "static" { … }'],
    ],
    ['seal "shamir" {}\nseal "shamir" {}', ["a.hcl:2:1: seal: only one is possible, and there is one at a.hcl:1:1"]],
    [
      'user_lockout "jwt" {}',
      [
        'a.hcl:1:14: user_lockout: the type "jwt" is not supported: use user_lockout "all" { … } or user_lockout "userpass" { … } or user_lockout "approle" { … } or user_lockout "ldap" { … }',
      ],
    ],
    ['user_lockout "all" { lockout_threshold = 0 }', ["a.hcl:1:42: lockout_threshold: must be from 1 to 1000000"]],

    [
      'audit "file" {}',
      [
        'a.hcl:1:1: audit: needs 2 labels; write audit "file" "name" { … } or audit "socket" "name" { … } or audit "syslog" "name" { … } or audit "http" "name" { … }',
      ],
    ],
    ["seal {}", ['a.hcl:1:1: seal: needs a label; write seal "shamir" { … } or seal "static" { … }']],
    [
      'audit "file" "x" {}\naudit "http" "/x/" {}',
      ['a.hcl:2:14: audit: the path "x" is taken by the device at a.hcl:1:1'],
    ],
    ['audit "file" "" {}', ["a.hcl:1:14: audit: the path must not be empty"]],
    [
      'audit "kafka" "x" {}',
      ['a.hcl:1:7: audit: the type "kafka" is not supported: use one of file, socket, syslog, http'],
    ],
    [
      'audit "file" "x" { options { prefix = "p" } }',
      ["a.hcl:1:28: options: prefix needs allow_audit_log_prefixing = true"],
    ],
    ['audit "file" "x" { options { a = [1] } }', ['a.hcl:1:34: options: "a" must be a string, found a list']],
    [
      'audit = "file"',
      [
        'a.hcl:1:9: audit: "audit" must be a block, found a string; write audit "file" "name" { … } or audit "socket" "name" { … } or audit "syslog" "name" { … } or audit "http" "name" { … }',
      ],
    ],
  ])("%s", (text, expected) => {
    expect(problems(() => withText(text))).toEqual(expected);
  });

  it.each<[string, string[]]>([
    [
      "",
      [
        'a.hcl: listener: must be set, as in listener "tcp" { … }',
        'a.hcl: storage: must be set, as in storage "lmdb" { path = "…" }',
      ],
    ],
    [`listener = []\n${storage}`, ['a.hcl: listener: must be set, as in listener "tcp" { … }']],
    [listener, ['a.hcl: storage: must be set, as in storage "lmdb" { path = "…" }']],
    [
      `${listener}storage "file" { path = "d" }`,
      [
        'a.hcl:2:9: storage: the type "file" is not supported: use storage "lmdb" { path = "…" }, which keeps its data in a local folder',
      ],
    ],
    [
      `${listener}storage "raft" { path = "d" }`,
      [
        'a.hcl:2:9: storage: the type "raft" is not supported: use storage "lmdb" { path = "…" }, which keeps its data in a local folder, or storage "postgresql" for more than one machine',
      ],
    ],
    [
      `${listener}storage "consul" {}`,
      [
        'a.hcl:2:9: storage: the type "consul" is not supported: use storage "lmdb" { … } or storage "postgresql" { … } or storage "inmem" { … }',
      ],
    ],
    [`${listener}storage "postgresql" {}`, ["a.hcl:2:1: connection_url: must be set"]],
    [
      `${listener}storage "postgresql" { connection_url = 5 max_connections = 1 table_prefix = "x;" }`,
      [
        "a.hcl:2:41: connection_url: must be a string, found a number",
        "a.hcl:2:61: max_connections: must be from 2 to 1000",
        "a.hcl:2:78: table_prefix: must be up to 31 of a-z, 0-9 and _, not beginning with a digit",
      ],
    ],
    [
      `${listener}storage { type = "lmdb" }`,
      [
        'a.hcl:2:18: storage: "type" must be a block, found a string; write storage "lmdb" { … } or storage "postgresql" { … } or storage "inmem" { … }',
      ],
    ],
    [
      `${listener}storage = "lmdb"`,
      [
        'a.hcl:2:11: storage: "storage" must be a block, found a string; write storage "lmdb" { … } or storage "postgresql" { … } or storage "inmem" { … }',
      ],
    ],
  ])("for want of a store or a listener: %s", (text, expected) => {
    expect(problems(() => parse(text))).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ["", ["a.hcl:1:1: tls_cert_file and tls_key_file: must be set, unless tls_disable = true"]],
    ['tls_cert_file = "x"', ["a.hcl:1:1: tls_key_file: must be set, unless tls_disable = true"]],
    ['tls_cert_file = "x"\ntls_key_file = ""', ["a.hcl:1:1: tls_key_file: must be set, unless tls_disable = true"]],
    ['tls_disable = "perhaps"', ["a.hcl:2:15: tls_disable: must be true or false"]],
    [
      'tls_disable = true\naddress = "127.0.0.1"',
      [
        'a.hcl:3:11: address: "127.0.0.1" is not an address to listen on: give host and port, such as "127.0.0.1:8200" or "[::1]:8200"',
      ],
    ],
    [
      'tls_disable = true\ntls_min_version = "tls10"',
      ['a.hcl:3:19: tls_min_version: "tls10" is not allowed: use one of "tls12", "tls13"'],
    ],
    [
      'tls_cert_file = "x"\ntls_key_file = "y"\ntls_require_and_verify_client_cert = true',
      ["a.hcl:1:1: tls_client_ca_file: must be set, as tls_require_and_verify_client_cert = true asks for"],
    ],
    [
      "tls_disable = true\ntls_require_and_verify_client_cert = true\ntls_disable_client_certs = true",
      ["a.hcl:4:28: tls_disable_client_certs: cannot be true together with tls_require_and_verify_client_cert"],
    ],
    [
      'tls_disable = true\nx_forwarded_for_authorized_addrs = "proxy"',
      [
        'a.hcl:3:36: x_forwarded_for_authorized_addrs: "proxy" is not an IP address or CIDR range such as 10.0.0.0/8 or fd00::/8',
      ],
    ],
    [
      'tls_disable = true\nproxy_protocol_behavior = "deny_unauthorized"',
      ['a.hcl:3:27: proxy_protocol_behavior: "deny_unauthorized" needs proxy_protocol_authorized_addrs'],
    ],
    [
      'tls_disable = true\nproxy_protocol_behavior = "trust"',
      [
        'a.hcl:3:27: proxy_protocol_behavior: "trust" is not allowed: use one of "use_always", "allow_authorized", "deny_unauthorized"',
      ],
    ],
    [
      'tls_disable = true\ncustom_response_headers { "7xx" = {} }',
      ['a.hcl:3:27: custom_response_headers: "7xx" is not a status: use "default", "2xx" or "404"'],
    ],
    ["tls_disable = true\nmax_request_json_depth = 0", ["a.hcl:3:26: max_request_json_depth: must be from 1 to 500"]],
    ['tls_disable = true\nhttp_read_timeout = "30d"', ["a.hcl:3:21: http_read_timeout: must be at most 596h31m23s"]],
    [
      "tls_disable = true\ntelemetry { unauthenticated_metrics_access = 5 }",
      ["a.hcl:3:46: unauthenticated_metrics_access: must be true or false"],
    ],
    [
      "tls_disable = true\n}\nlistener tcp {\ntls_disable = true",
      ["a.hcl:4:1: address: 127.0.0.1:8200 is taken by the listener at a.hcl:1:1"],
    ],
    [
      'tls_disable = true\naddress = ":8300"\n}\nlistener tcp {\ntls_disable = true\naddress = "0.0.0.0:8300"',
      ["a.hcl:7:11: address: 0.0.0.0:8300 is taken by the listener at a.hcl:1:1"],
    ],
    [
      "tls_disable = true\n}\nlistener unix {",
      ['a.hcl:4:10: listener: the type "unix" is not supported: use listener "tcp" { address = "127.0.0.1:8200" }'],
    ],
    [
      "tls_disable = true\n}\nlistener quic {",
      ['a.hcl:4:10: listener: the type "quic" is not supported: use listener "tcp" { … }'],
    ],
    [
      'tls_disable = true\n}\nlistener "tcp" "x" {',
      ['a.hcl:4:16: listener: "listener" takes 1 label, found 2; write listener "tcp" { … }'],
    ],
  ])("in a listener: %s", (text, expected) => {
    expect(problems(() => parse(`listener "tcp" {\n${text}\n}\n${storage}`))).toEqual(expected);
  });

  it("allows any number of listeners on ports that the system chooses", () => {
    const any = 'listener "tcp" { address = "127.0.0.1:0" tls_disable = true }\n';
    expect(parse(`${any}${any}${storage}`).config.listeners).toHaveLength(2);
  });

  it("is told all at once, in the order of the files", () => {
    const sources = [
      { file: "b.hcl", text: `${storage}ui = 7\nlog_level = "loud"` },
      { file: "a.hcl", text: 'listener "tcp" { tls_disable = 7\naddress = "x" }\nmax_lease_ttl = "long"' },
    ];
    expect(problems(() => parseServerConfig(sources)).map((problem) => problem.split(": ", 2).join(": "))).toEqual([
      "b.hcl:2:6: ui",
      "b.hcl:3:13: log_level",
      "a.hcl:1:32: tls_disable",
      "a.hcl:2:11: address",
      "a.hcl:3:17: max_lease_ttl",
    ]);
  });

  it("is told for every file that cannot be parsed, before anything else", () => {
    const sources = [
      { file: "a.hcl", text: "ui = " },
      { file: "b.json", text: "ui = 1", syntax: "json" as const },
      { file: "c.hcl", text: "ui = 7" },
    ];
    expect(problems(() => parseServerConfig(sources))).toEqual([
      "a.hcl:1:6: expected a value, found the end of the text",
      'b.json:1:1: expected a value, found "u"',
    ]);
  });

  it("is one error that shows every line", () => {
    expect(() => withText("ui = 7")).toThrow("the configuration is wrong:\n  a.hcl:1:6: ui: must be true or false");
    expect(() => withText("ui = 7\ndisable_cache = 7")).toThrow(
      "the configuration has 2 errors:\n  a.hcl:1:6: ui: must be true or false\n  a.hcl:2:17: disable_cache: must be true or false",
    );
  });

  it("never shows a secret", () => {
    const text = `storage "postgresql" { connection_url = ["geheim"] }\nseal "static" { current_key = { geheim = "geheim" } current_key_id = "geheim" previous_key = "geheim" }`;
    expect(problems(() => parse(`${listener}${text}`)).join()).not.toContain("geheim");
  });
});

it("survives any configuration", () => {
  const key = fc.constantFrom(
    "listener",
    "storage",
    "seal",
    "audit",
    "user_lockout",
    "telemetry",
    "ui",
    "log_level",
    "tcp",
    "file",
    "lmdb",
    "static",
    "all",
    "address",
    "path",
    "options",
    "custom_response_headers",
    "__proto__",
    "x",
  );
  const { value } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      tie("object"),
      fc.array(tie("value"), { maxLength: 3 }),
    ),
    object: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value), (document) => {
      try {
        parse(JSON.stringify(document));
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
      }
    }),
    { numRuns: 500 },
  );
});
