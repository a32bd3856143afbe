/** Ids and names that are made up here. Outside of the root namespace they end in the namespace they belong to. */
import { randomHex, randomUuid } from "../lib/random-name.ts";
import { type IdentityHost, rootNamespaceId } from "./host.ts";

type Maker = Pick<IdentityHost, "random" | "namespaceId">;

export const newId = ({ random, namespaceId }: Maker): string => randomUuid(random) + suffix(namespaceId);

export const randomName = (kind: "entity" | "group", { random, namespaceId }: Maker): string =>
  `${kind}_${randomHex(4, random)}${suffix(namespaceId)}`;

const suffix = (namespaceId: string) => (namespaceId === rootNamespaceId ? "" : `.${namespaceId}`);
