/** Builds CRLs: which entries go into the list of which issuers, and when. */
import { parseDuration } from "../../lib/duration.ts";
import type { Extension } from "../../lib/x509/extension.ts";
import { freshestCrl } from "../../lib/x509/information-access.ts";
import { keyIdOf } from "../../lib/x509/key.ts";
import { authorityKeyId } from "../../lib/x509/key-identifier.ts";
import { crlNumber, deltaCrlIndicator } from "../../lib/x509/revocation-extensions.ts";
import { buildRevocationList, type RevokedEntry } from "../../lib/x509/revocation-list.ts";
import { type Signer, signatureAlgorithmNamed, signerWith } from "../../lib/x509/signature.ts";
import type { CrlSettings } from "./config.ts";
import type { CrlState } from "./crl.ts";
import type { Issuer } from "./issuer.ts";
import type { Key } from "./key.ts";
import type { PkiServices } from "./services.ts";
import { urlsOf } from "./signing.ts";

type Warn = (message: string) => void;

/** Longer lists are built by the job, so that no revocation has to wait for one. */
const mostEntriesAtOnce = 5000;

export interface Group {
  readonly name: string;
  /** The one that signs; undefined where none of them may. */
  readonly signer: { readonly issuer: Issuer; readonly key: Key } | undefined;
  /** Under these ids its entries are kept. */
  readonly ids: readonly string[];
}

/** The default issuer's list also tells what issuers that are gone had revoked. */
export async function groupsOf(services: PkiServices): Promise<Group[]> {
  const issuers = await services.issuers.all();
  const { default: defaultId } = await services.settings.issuers.get();
  const known = new Set(issuers.map(({ id }) => id));
  const orphans = (await services.revocations.issuerIds()).filter((id) => !known.has(id));
  const groups: Group[] = [];
  for (const name of new Set(issuers.map(({ group }) => group))) {
    const members = issuers
      .filter(({ group }) => group === name)
      .sort((a, b) => Number(b.id === defaultId) - Number(a.id === defaultId));
    const isDefault = members[0]?.id === defaultId;
    const ids = [...members.map(({ id }) => id), ...(isDefault ? orphans : [])];
    groups.push({ name, signer: await signerAmong(services, members), ids });
  }
  return groups;
}

async function signerAmong(services: PkiServices, members: readonly Issuer[]): Promise<Group["signer"]> {
  for (const issuer of members) {
    if (!issuer.usage.includes("crl-signing") || issuer.key_id === "") continue;
    const key = await services.keys.byId(issuer.key_id);
    if (key) return { issuer, key };
  }
  return undefined;
}

/** Complete lists of all groups, or of some. */
export async function rebuildCrls(
  services: PkiServices,
  now: Date,
  warn: Warn,
  isWanted: (group: Group) => boolean | Promise<boolean> = () => true,
): Promise<void> {
  for (const group of await groupsOf(services)) {
    if (!(await isWanted(group))) continue;
    if (group.signer) await buildComplete(services, group, now);
    else if (group.ids.length > 0) {
      warn(
        `no issuer of the group of issuer ${group.ids[0]} may sign CRLs, or has its key here: its CRL was not built`,
      );
    }
  }
}

export async function buildComplete(services: PkiServices, group: Group, now: Date): Promise<void> {
  const settings = await services.settings.crl.get();
  const before = await services.crls.state(group.name);
  // Read before the entries: a revocation that comes meanwhile makes this transaction fail, and run again.
  await services.crls.isWaiting(group.name);
  if (settings.disable && before && before.entries === 0) return;
  const number = (before?.number ?? 0) + 1;
  const counted = counting(settings.disable ? nothing() : services.revocations.entries(group.ids));
  const complete = await buildList(services, group.signer!, now, settings, {
    number,
    entries: counted.entries,
    isComplete: true,
  });
  const state: CrlState = {
    number: number + 1,
    completeNumber: number,
    builtAt: now.getTime(),
    endsAt: now.getTime() + parseDuration(settings.expiry) * 1000,
    deltaBuiltAt: now.getTime(),
    entries: counted.count(),
  };
  const delta = await buildList(services, group.signer!, now, settings, {
    number: number + 1,
    base: number,
    entries: nothing(),
  });
  services.crls.put(group.name, state, { complete, delta });
  await services.revocations.forgetNew(group.ids);
  services.crls.stopWaiting(group.name);
}

export async function buildDelta(services: PkiServices, group: Group, now: Date): Promise<void> {
  const settings = await services.settings.crl.get();
  const before = await services.crls.state(group.name);
  if (!before) return buildComplete(services, group, now);
  const number = before.number + 1;
  const entries = services.revocations.newEntries(group.ids);
  const delta = await buildList(services, group.signer!, now, settings, {
    number,
    base: before.completeNumber,
    entries,
  });
  services.crls.put(group.name, { ...before, number, deltaBuiltAt: now.getTime() }, { delta });
}

interface ListWishes {
  readonly number: number;
  readonly base?: number;
  readonly entries: AsyncIterable<RevokedEntry>;
  readonly isComplete?: boolean;
}

async function buildList(
  services: PkiServices,
  { issuer, key }: NonNullable<Group["signer"]>,
  now: Date,
  settings: CrlSettings,
  { number, base, entries, isComplete }: ListWishes,
): Promise<Uint8Array> {
  const { deltaCrl } = await urlsOf(services, issuer).catch(() => ({ deltaCrl: [] as readonly string[] }));
  const extensions: Extension[] = [authorityKeyId(keyIdFor(issuer)), crlNumber(BigInt(number))];
  if (base !== undefined) extensions.push(deltaCrlIndicator(BigInt(base)));
  if (isComplete && deltaCrl.length > 0) extensions.push(freshestCrl(deltaCrl));
  const thisUpdate = new Date(Math.floor(now.getTime() / 1000) * 1000);
  const nextUpdate = new Date(thisUpdate.getTime() + parseDuration(settings.expiry) * 1000);
  return buildRevocationList(
    { issuer: issuer.certificate.subject.der, thisUpdate, nextUpdate, extensions, entries },
    crlSigner(issuer, key),
  );
}

export const keyIdFor = ({ certificate }: Issuer): Uint8Array =>
  certificate.extensions.subjectKeyId ?? keyIdOf(certificate.publicKey);

export function crlSigner({ revocation_signature_algorithm: name }: Issuer, { privateKey }: Key): Signer {
  return signerWith(privateKey, name === "" ? undefined : signatureAlgorithmNamed(name));
}

/** After a revocation: at once, or, where lists are long or built in time by themselves, later. */
export async function afterRevocation(
  services: PkiServices,
  issuerIds: readonly string[],
  now: Date,
  warn: Warn,
): Promise<void> {
  const settings = await services.settings.crl.get();
  if (settings.auto_rebuild) return;
  const isTouched = ({ ids }: Group) => issuerIds.some((id) => ids.includes(id === "" ? "-" : id));
  await rebuildCrls(services, now, warn, async (group) => {
    if (!isTouched(group)) return false;
    const state = await services.crls.state(group.name);
    if (!state || state.entries < mostEntriesAtOnce) return true;
    services.crls.wait(group.name, services.random.bytes(8));
    return false;
  });
}

/** New settings that change what the lists say take effect at once. */
export async function applyCrlSettings(
  services: PkiServices,
  before: CrlSettings,
  after: CrlSettings,
  now: Date,
  warn: Warn,
): Promise<void> {
  const isStale =
    before.disable !== after.disable ||
    (before.auto_rebuild && !after.auto_rebuild) ||
    before.enable_delta !== after.enable_delta ||
    before.expiry !== after.expiry;
  if (isStale) await rebuildCrls(services, now, warn);
}

function counting(entries: AsyncIterable<RevokedEntry>) {
  let seen = 0;
  return {
    count: () => seen,
    entries: (async function* () {
      for await (const entry of entries) {
        seen += 1;
        yield entry;
      }
    })(),
  };
}

async function* nothing(): AsyncGenerator<RevokedEntry> {}
