import fc from "fast-check";
import { expect, test } from "vitest";
import type { EngineCaller } from "../../test/support/engine-caller.ts";
import { ApiError } from "../api/errors.ts";
import { hostOf, identityCaller } from "./identity-fixture.suite.ts";
import { brokenInvariants, parsed } from "./invariants.suite.ts";
import { loginAlias } from "./login.ts";

/** Identity against a model that is too simple to be wrong: lists of people and groups, and rules as sentences. */

interface Person {
  id: string;
  name: string;
  policies: Set<string>;
  /** Names by mount. */
  aliases: Map<string, { id: string; name: string }>;
  merged: string[];
}

interface Team {
  id: string;
  name: string;
  external: boolean;
  people: Set<Person>;
  teams: Set<Team>;
  alias: { id: string; mount: string; name: string } | undefined;
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

class Model {
  people: Person[] = [];
  teams: Team[] = [];

  named = (name: string) => this.people.find((person) => same(person.name, name));
  teamNamed = (name: string) => this.teams.find((team) => same(team.name, name));

  called(mount: string, name: string): Person | undefined {
    return this.people.find(({ aliases }) => same(aliases.get(mount)?.name ?? "", name));
  }

  teamCalled(mount: string, name: string): Team | undefined {
    return this.teams.find(({ alias }) => alias?.mount === mount && same(alias.name, name));
  }

  isBelow(team: Team, top: Team): boolean {
    return [...top.teams].some((child) => child === team || this.isBelow(team, child));
  }

  forget(person: Person): void {
    this.people = this.people.filter((each) => each !== person);
    for (const { people } of this.teams) people.delete(person);
  }
}

/** Answers whether the model accepts the request; if so, it has followed. Given what the server answered, if it did. */
interface Step {
  readonly title: string;
  request(model: Model): { path: string; operation: "write" | "delete"; body: object } | undefined;
  /** Undefined for a request that must be refused; else what to do with the answer. */
  follow(model: Model): ((data: { id: string; canonical_id: string; name: string } | undefined) => void) | undefined;
}

const mounts = fc.constantFrom("users", "tokens");
const names = fc.constantFrom("ann", "Ann", "bob", "c.d", "c/d");
const index = fc.nat(5);
const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(items.length, 1)];
const unknown = "00000000-0000-4000-8000-000000000000";

const newPerson = (id: string, name: string): Person => ({
  id,
  name,
  policies: new Set(),
  aliases: new Map(),
  merged: [],
});

const makePerson = fc.tuple(names, fc.constantFrom("p", "q")).map(
  ([name, policy]): Step => ({
    title: `person ${name} with ${policy}`,
    request: () => ({ path: "entity", operation: "write", body: { name, policies: [policy] } }),
    follow: (model) => (data) => {
      const person = model.named(name) ?? newPerson(data!.id, name);
      if (!model.people.includes(person)) model.people.push(person);
      person.name = name;
      person.policies = new Set([policy]);
    },
  }),
);

const renamePerson = fc.tuple(index, names).map(
  ([at, name]): Step => ({
    title: `rename person ${at} to ${name}`,
    request: ({ people }) => ({
      path: `entity/id/${pick(people, at)?.id ?? unknown}`,
      operation: "write",
      body: { name },
    }),
    follow: (model) => {
      const person = pick(model.people, at);
      const other = model.named(name);
      if (!person || (other && other !== person)) return undefined;
      return () => {
        person.name = name;
      };
    },
  }),
);

const deletePerson = index.map(
  (at): Step => ({
    title: `delete person ${at}`,
    request: ({ people }) => ({ path: `entity/id/${pick(people, at)?.id ?? unknown}`, operation: "delete", body: {} }),
    follow: (model) => () => {
      const person = pick(model.people, at);
      if (person) model.forget(person);
    },
  }),
);

const writeAlias = fc.tuple(fc.option(index), mounts, names).map(
  ([at, mount, name]): Step => ({
    title: `person ${at} is ${name} on ${mount}`,
    request: ({ people }) => ({
      path: "entity-alias",
      operation: "write",
      body: {
        name,
        mount_accessor: mount,
        ...(at !== null && { canonical_id: pick(people, at)?.id ?? unknown }),
      },
    }),
    follow: (model) => {
      const person = at === null ? undefined : pick(model.people, at);
      const owner = model.called(mount, name);
      if (at !== null && !person) return undefined;
      if (person && person !== owner && person.aliases.has(mount)) return undefined;
      return (data) => {
        const old = owner?.aliases.get(mount);
        const target = person ?? owner ?? newPerson(data!.canonical_id, "");
        if (!model.people.includes(target)) model.people.push(target);
        owner?.aliases.delete(mount);
        target.aliases.set(mount, { id: old?.id ?? data!.id, name });
      };
    },
  }),
);

/** The owner, the mount and the alias, of the alias with this number. */
const aliasAt = ({ people }: Model, at: number) =>
  pick(
    people.flatMap((person) => [...person.aliases].map(([mount, alias]) => ({ person, mount, alias }))),
    at,
  );

const changeAlias = fc.tuple(index, fc.option(index), fc.option(mounts), fc.option(names)).map(
  ([at, to, mount, name]): Step => ({
    title: `alias ${at} becomes ${name} on ${mount} of ${to}`,
    request: (model) => ({
      path: `entity-alias/id/${aliasAt(model, at)?.alias.id ?? unknown}`,
      operation: "write",
      body: {
        ...(to !== null && { canonical_id: pick(model.people, to)?.id ?? unknown }),
        ...(mount && { mount_accessor: mount }),
        ...(name && { name }),
      },
    }),
    follow: (model) => {
      const found = aliasAt(model, at);
      if (!found) return undefined;
      const next = { mount: mount ?? found.mount, name: name ?? found.alias.name };
      const target = to === null ? found.person : pick(model.people, to);
      const owner = model.called(next.mount, next.name);
      const isFree = !owner || (owner === found.person && next.mount === found.mount);
      const hasRoom = !target?.aliases.has(next.mount) || (target === found.person && next.mount === found.mount);
      if (!target || !isFree || !hasRoom) return undefined;
      return () => {
        found.person.aliases.delete(found.mount);
        target.aliases.set(next.mount, { id: found.alias.id, name: next.name });
      };
    },
  }),
);

const deleteAlias = index.map(
  (at): Step => ({
    title: `delete alias ${at}`,
    request: (model) => ({
      path: `entity-alias/id/${aliasAt(model, at)?.alias.id ?? unknown}`,
      operation: "delete",
      body: {},
    }),
    follow: (model) => () => {
      const found = aliasAt(model, at);
      found?.person.aliases.delete(found.mount);
    },
  }),
);

const merge = fc.tuple(index, index, fc.boolean(), fc.boolean()).map(
  ([to, from, force, keep]): Step => ({
    title: `merge ${from} into ${to}${force ? " by force" : ""}${keep ? ", keeping what comes" : ""}`,
    request: ({ people }) => ({
      path: "entity/merge",
      operation: "write",
      body: {
        to_entity_id: pick(people, to)?.id ?? unknown,
        from_entity_ids: [pick(people, from)?.id ?? unknown],
        force,
        conflicting_alias_ids_to_keep: keep
          ? [...(pick(people, from)?.aliases.values() ?? [])].map(({ id }) => id)
          : [],
      },
    }),
    follow: (model) => {
      const [target, source] = [pick(model.people, to), pick(model.people, from)];
      if (!target || !source || target === source) return undefined;
      const clashes = [...source.aliases.keys()].some((mount) => target.aliases.has(mount));
      if (clashes && !force && !keep) return undefined;
      return () => {
        for (const [mount, alias] of source.aliases) {
          if (keep || !target.aliases.has(mount)) target.aliases.set(mount, alias);
        }
        for (const policy of source.policies) target.policies.add(policy);
        for (const { people } of model.teams) if (people.has(source)) people.add(target);
        target.merged.push(...source.merged, source.id);
        model.forget(source);
      };
    },
  }),
);

const makeTeam = fc.tuple(names, fc.boolean()).map(
  ([name, external]): Step => ({
    title: `${external ? "external" : "internal"} team ${name}`,
    request: () => ({ path: "group", operation: "write", body: { name, type: external ? "external" : "internal" } }),
    follow: (model) => {
      const before = model.teamNamed(name);
      if (before && before.external !== external) return undefined;
      return (data) => {
        if (before) before.name = name;
        else model.teams.push({ id: data!.id, name, external, people: new Set(), teams: new Set(), alias: undefined });
      };
    },
  }),
);

const setMembers = fc.tuple(index, fc.array(index, { maxLength: 3 }), fc.array(index, { maxLength: 3 })).map(
  ([at, people, teams]): Step => ({
    title: `team ${at} has people ${people} and teams ${teams}`,
    request: (model) => ({
      path: `group/id/${pick(model.teams, at)?.id ?? unknown}`,
      operation: "write",
      body: {
        member_entity_ids: people.map((each) => pick(model.people, each)?.id ?? unknown),
        member_group_ids: teams.map((each) => pick(model.teams, each)?.id ?? unknown),
      },
    }),
    follow: (model) => {
      const team = pick(model.teams, at);
      const members = people.map((each) => pick(model.people, each));
      if (!team || team.external || members.includes(undefined)) return undefined;
      const children = teams.map((each) => pick(model.teams, each)!);
      if (children.some((child) => child === team || model.isBelow(team, child))) return undefined;
      return () => {
        team.people = new Set(members as Person[]);
        team.teams = new Set(children);
      };
    },
  }),
);

const deleteTeam = index.map(
  (at): Step => ({
    title: `delete team ${at}`,
    request: ({ teams }) => ({ path: `group/id/${pick(teams, at)?.id ?? unknown}`, operation: "delete", body: {} }),
    follow: (model) => () => {
      const team = pick(model.teams, at);
      model.teams = model.teams.filter((each) => each !== team);
      for (const { teams } of model.teams) teams.delete(team!);
    },
  }),
);

const writeTeamAlias = fc.tuple(index, mounts, names).map(
  ([at, mount, name]): Step => ({
    title: `team ${at} is ${name} on ${mount}`,
    request: ({ teams }) => ({
      path: "group-alias",
      operation: "write",
      body: { name, mount_accessor: mount, canonical_id: pick(teams, at)?.id ?? unknown },
    }),
    follow: (model) => {
      const team = pick(model.teams, at);
      if (!team?.external || model.teamCalled(mount, name)) return undefined;
      return (data) => {
        team.alias = { id: data!.id, mount, name };
      };
    },
  }),
);

const deleteTeamAlias = index.map(
  (at): Step => ({
    title: `team ${at} has no alias`,
    request: ({ teams }) => ({
      path: `group-alias/id/${pick(teams, at)?.alias?.id ?? unknown}`,
      operation: "delete",
      body: {},
    }),
    follow: (model) => () => {
      const team = pick(model.teams, at);
      if (team) team.alias = undefined;
    },
  }),
);

interface LoginStep {
  readonly title: string;
  readonly login: { mount: string; name: string; groups: string[] };
}

const login = fc
  .tuple(mounts, names, fc.array(names, { maxLength: 2 }))
  .map(([mount, name, groups]): LoginStep => ({ title: `${name} of ${mount}`, login: { mount, name, groups } }));

async function logIn({ mount, name, groups }: LoginStep["login"], model: Model, caller: EngineCaller): Promise<void> {
  const request = { mountAccessor: mount, aliasName: name, metadata: {}, groupAliases: groups };
  const { entityId, created } = await loginAlias(request, caller.storage, hostOf(), new Date(caller.now));
  let person = model.called(mount, name);
  expect(created).toBe(person === undefined);
  if (!person) {
    person = newPerson(entityId, "");
    const entity = (await caller.call("read", `entity/id/${entityId}`)).data;
    person.aliases.set(mount, { id: entity.aliases[0].id, name });
    model.people.push(person);
  }
  expect(entityId).toBe(person.id);
  const told = new Set(groups.map((group) => model.teamCalled(mount, group)));
  for (const team of model.teams) {
    if (told.has(team)) team.people.add(person);
    else if (team.external && (!team.alias || team.alias.mount === mount)) team.people.delete(person);
  }
}

async function compare({ people, teams }: Model, caller: EngineCaller): Promise<void> {
  const records = new Map([...caller.storage.entries].map(([key, record]) => [key, parsed(record)]));
  expect(brokenInvariants(records)).toEqual([]);
  const ids = people.map(({ id }) => id).sort();
  expect((await caller.call("list", "entity/id")).data.keys).toEqual(ids);
  for (const person of people) {
    const { data } = await caller.call("read", `entity/id/${person.id}`);
    if (person.name === "") person.name = data.name;
    expect(shown(data)).toEqual({
      name: person.name,
      policies: [...person.policies].sort(),
      merged: person.merged,
      aliases: [...person.aliases].map(([mount, { id, name }]) => `${mount} ${id} ${name}`).sort(),
      groups: teams.flatMap((team) => (team.people.has(person) ? [team.id] : [])).sort(),
    });
  }
  for (const team of teams) {
    const { data } = await caller.call("read", `group/id/${team.id}`);
    expect([data.name, data.alias.id, data.member_entity_ids, data.member_group_ids.toSorted()]).toEqual([
      team.name,
      team.alias?.id,
      [...team.people].map(({ id }) => id).sort(),
      [...team.teams].map(({ id }) => id).sort(),
    ]);
  }
}

type Alias = Record<"mount_accessor" | "id" | "name", string>;

// biome-ignore lint/suspicious/noExplicitAny: an answer as clients see it.
const shown = (data: any) => ({
  name: data.name,
  policies: data.policies,
  merged: data.merged_entity_ids,
  aliases: data.aliases.map(({ mount_accessor, id, name }: Alias) => `${mount_accessor} ${id} ${name}`).sort(),
  groups: data.direct_group_ids.toSorted(),
});

async function run(step: Step, model: Model, caller: EngineCaller): Promise<void> {
  const { path, operation, body } = step.request(model)!;
  const accepted = step.follow(model);
  const before = new Map(caller.storage.entries);
  const answer = await caller.call(operation, path, body).catch((error: unknown) => error);
  if (answer instanceof ApiError) {
    expect(accepted, `${step.title}: ${answer.message}`).toBeUndefined();
    expect(answer.status).toBe(400);
    expect(caller.storage.entries, "what is refused changes nothing").toEqual(before);
    return;
  }
  if (answer instanceof Error) throw answer;
  expect(accepted, `${step.title} was accepted`).toBeDefined();
  accepted!((answer as { data: never }).data);
}

const steps = fc.oneof(
  { arbitrary: makePerson, weight: 3 },
  { arbitrary: renamePerson, weight: 1 },
  { arbitrary: deletePerson, weight: 1 },
  { arbitrary: writeAlias, weight: 4 },
  { arbitrary: changeAlias, weight: 3 },
  { arbitrary: deleteAlias, weight: 1 },
  { arbitrary: merge, weight: 2 },
  { arbitrary: makeTeam, weight: 3 },
  { arbitrary: setMembers, weight: 4 },
  { arbitrary: deleteTeam, weight: 1 },
  { arbitrary: writeTeamAlias, weight: 2 },
  { arbitrary: deleteTeamAlias, weight: 1 },
  { arbitrary: login, weight: 4 },
);

test("any sequence of requests leaves identity as it leaves the model, and every invariant holds", async () => {
  const caller = identityCaller();
  const property = fc.asyncProperty(fc.array(steps, { maxLength: 40, size: "max" }), async (sequence) => {
    caller.storage.entries.clear();
    const model = new Model();
    for (const step of sequence) {
      if ("login" in step) await logIn(step.login, model, caller);
      else await run(step, model, caller);
      await compare(model, caller);
    }
  });
  await fc.assert(property, { numRuns: 40 });
});
