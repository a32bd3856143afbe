/** An engine that hands out numbered things and remembers which of them are alive: stands in for the outside world. */
import { engine } from "../../src/api/engine.ts";
import { duration, text } from "../../src/api/fields.ts";
import { pathsFor } from "../../src/api/path.ts";
import { Leased } from "../../src/api/reply.ts";

export interface OutsideWorld {
  readonly alive: Set<string>;
  readonly renewed: string[];
  /** Makes every ending fail, as a database that is away does. */
  isDown: boolean;
  /** How often an ending was tried. */
  endings: number;
  /** What an ending waits for before it does anything. */
  beforeEnding?: (thing: string) => Promise<void>;
}

export function leasingEngine() {
  const world: OutsideWorld = { alive: new Set(), renewed: [], isDown: false, endings: 0 };
  const path = pathsFor<OutsideWorld>();
  let made = 0;
  const things = path({
    pattern: "things/:name",
    summary: "Things with a lease",
    params: { name: text("Name") },
    read: {
      summary: "Get a thing",
      effects: true,
      input: { ttl: duration("Lifetime").default(0), max_ttl: duration("Longest life").default(0) },
      output: { thing: text("The thing") },
      async handler({ name, ttl, max_ttl }, { services }) {
        made += 1;
        const thing = `${name}-${made}`;
        services.alive.add(thing);
        const lease = {
          kind: "thing",
          seconds: ttl,
          maxSeconds: max_ttl,
          renewable: name !== "fixed",
          secret: { thing },
        };
        return new Leased({ thing }, lease);
      },
    },
  });
  const declared = engine<OutsideWorld>({
    type: "leasing",
    kind: "secrets",
    summary: "Things with a lease",
    paths: [things],
    leases: {
      thing: {
        async revoke({ thing }, services) {
          services.endings += 1;
          await services.beforeEnding?.(String(thing));
          if (services.isDown) throw new Error("the outside world is away");
          services.alive.delete(String(thing));
        },
        async renew({ thing }, services, { seconds }) {
          services.renewed.push(`${thing} for ${seconds}`);
        },
      },
    },
    services: () => world,
  });
  return { engine: declared, world };
}
