/** What every database must do, on a real server and through the whole core: one suite, many plugins. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { KernelCaller } from "../../../../test/support/kernel-caller.ts";
import { database } from "../engine.ts";

export interface RealDatabase {
  /** Of `config/:name`, without `allowed_roles`. */
  readonly connection: Readonly<Record<string, unknown>> & { readonly username: string; readonly password: string };
  readonly creation: readonly string[];
  logIn(username: string, password: string): Promise<boolean>;
  createUser(username: string, password: string): Promise<void>;
  /** Lets it manage the others. */
  grantRoot(username: string): Promise<void>;
  exists(username: string): Promise<boolean>;
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const nastyPolicy = `length = 30
rule "charset" { charset = "abcdefghijklmnopqrstuvwxyz" }
rule "charset" { charset = "'\\"\\\\{}$;%@:/#" min-chars = 6 }`;

interface Made {
  readonly data: { readonly username: string; readonly password: string };
  readonly registered: { readonly id: string; readonly seconds: number };
}

/** `missing` says why the server cannot run here. */
export function describeDatabase(name: string, missing: string | undefined, open: () => Promise<RealDatabase>): void {
  describe(name, () => {
    let real: RealDatabase;
    let server: KernelCaller;
    let users = 0;

    beforeAll(async () => {
      if (missing === undefined) real = await open();
    }, 60_000);
    afterAll(() => real?.stop());

    beforeEach(async ({ skip }) => {
      skip(missing !== undefined, missing);
      server = await new KernelCaller([database]).initialize();
      // Jobs run when the test says so, and not beside it.
      await server.kernel.stop();
      await server.call("write", "sys/mounts/database", { type: "database" });
      await server.call("write", "database/config/db", { ...real.connection, allowed_roles: ["*"] });
      await server.call("write", "database/roles/app", {
        db_name: "db",
        creation_statements: real.creation,
        default_ttl: 60,
      });
      return () => server.kernel.stop();
    });

    const make = async () => (await server.call("read", "database/creds/app")).data as Made;
    const runJobs = async () => {
      server.passSeconds(31);
      await server.kernel.jobs.runDue(new AbortController().signal);
    };
    const newUser = async () => {
      users += 1;
      await real.createUser(`static${users}`, "first-password");
      return `static${users}`;
    };
    const refusal = (operation: "read" | "write", path: string, body: object = {}) =>
      server.call(operation, path, body).then(
        () => "accepted",
        (error: { status: number; messages: string[] }) => `${error.status} ${error.messages.join("; ")}`,
      );

    it("makes a user that can log in, live longer, and end", async () => {
      const { data, registered } = await make();
      expect(await real.logIn(data.username, data.password)).toBe(true);
      await server.call("write", "sys/leases/renew", { lease_id: registered.id, increment: 100 });
      server.passSeconds(70);
      await server.kernel.expiry.runOnce();
      expect(await real.logIn(data.username, data.password)).toBe(true);
      server.passSeconds(3_000_000);
      await server.kernel.expiry.runOnce();
      expect(await real.exists(data.username)).toBe(false);
    });

    it("ends a user that is gone already", async () => {
      const { registered, data } = await make();
      await server.call("write", "sys/leases/revoke", { lease_id: registered.id });
      expect(await real.logIn(data.username, data.password)).toBe(false);
      await server.call("write", "sys/leases/revoke", { lease_id: registered.id });
    });

    it("keeps the password of an existing user", async () => {
      const username = await newUser();
      await server.call("write", "database/static-roles/kept", { db_name: "db", username, rotation_period: 60 });
      const first = (await server.call("read", "database/static-creds/kept")).data;
      expect(await real.logIn(username, "first-password")).toBe(false);
      expect(await real.logIn(username, first.password)).toBe(true);
      server.passSeconds(60);
      await runJobs();
      const second = (await server.call("read", "database/static-creds/kept")).data;
      expect(await real.logIn(username, first.password)).toBe(false);
      expect(await real.logIn(username, second.password)).toBe(true);
    });

    it("refuses a static role for nobody", async () => {
      const settings = { db_name: "db", username: "nobody_at_all", rotation_period: 60 };
      expect(await refusal("write", "database/static-roles/none", settings)).toMatch(/^400 error setting credentials/);
    });

    it("refuses a wrong root password, and names no password", async () => {
      const words = await refusal("write", "database/config/other", { ...real.connection, password: "very-wrong" });
      expect(words).toMatch(/^400 error creating database object: error verifying connection: connection "other"/);
      expect(words).not.toContain("very-wrong");
    });

    it.each(["'; DROP TABLE x; --", 'a"b`c', "back\\slash", "{{name}}{{password}}", "päss🔑wörd", "$$;%s"])(
      "makes users whose names hold %s, or refuses",
      async (part) => {
        const literal = JSON.stringify(part);
        await server.call("write", "database/config/db", {
          username_template: `{{ printf "u%s%s" (random 8) ${literal} }}`,
        });
        await server.call("write", "sys/policies/password/nasty", { policy: nastyPolicy });
        await server.call("write", "database/config/db", { password_policy: "nasty" });
        const { data, registered } = await make();
        expect(await real.logIn(data.username, data.password)).toBe(true);
        await server.call("write", "sys/leases/revoke", { lease_id: registered.id });
        expect(await real.exists(data.username)).toBe(false);
      },
    );

    it("makes many users at once through a few connections", async () => {
      const made = await Promise.all(Array.from({ length: 60 }, make));
      expect(new Set(made.map(({ data }) => data.username)).size).toBe(60);
      const last = made.at(-1)!;
      expect(await real.logIn(last.data.username, last.data.password)).toBe(true);
      await server.call("write", "sys/leases/revoke-prefix/database/creds/app");
      expect(await real.exists(last.data.username)).toBe(false);
    });

    it("says so when too many want a user at once, and leaves none behind", async () => {
      await server.call("write", "database/config/db", { max_open_connections: 2 });
      const outcomes = await Promise.allSettled(Array.from({ length: 500 }, make));
      const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
      for (const { status, message } of refusals)
        expect(`${status} ${message}`).toMatch(/^503 connection "db": no free connection/);
      expect(refusals.length).toBeLessThan(500);
      await server.call("write", "sys/leases/revoke-prefix/database/creds/app");
      for (const outcome of outcomes.slice(-5)) {
        if (outcome.status === "fulfilled") expect(await real.exists(outcome.value.data.username)).toBe(false);
      }
    });

    it("ends a user when the database is back, and rotates then too", async () => {
      const username = await newUser();
      await server.call("write", "database/static-roles/back", { db_name: "db", username, rotation_period: 60 });
      const { data, registered } = await make();
      await real.crash();
      try {
        expect(await refusal("read", "database/creds/app")).toMatch(/^50[23] connection "db": /);
        expect(await refusal("write", "database/rotate-role/back")).toMatch(/^50[23] unable to finish rotating/);
        expect(await refusal("write", "database/rotate-root/db")).toMatch(/^50[23] /);
        expect(await refusal("write", "sys/leases/revoke", { lease_id: registered.id })).toMatch(/^[45]/);
      } finally {
        await real.start();
      }
      server.passSeconds(100);
      await server.kernel.expiry.runOnce();
      expect(await real.exists(data.username)).toBe(false);
      await runJobs();
      const { password } = (await server.call("read", "database/static-creds/back")).data;
      expect(await real.logIn(username, password)).toBe(true);
    });

    it("rotates the root credential, and the old one is dead", async () => {
      const root = await newUser();
      await real.grantRoot(root);
      await server.call("write", "database/config/db", { username: root, password: "first-password" });
      await server.call("write", "database/rotate-root/db");
      expect(await real.logIn(root, "first-password")).toBe(false);
      await server.call("write", "database/reset/db");
      await make();
      expect(JSON.stringify((await server.call("read", "database/config/db")).data)).not.toContain("first-password");
    });
  });
}
