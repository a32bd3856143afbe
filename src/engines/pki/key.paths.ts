/** Declares keys of issuers. What is secret of them never leaves, but where a new one is made to be exported. */
import { invalidRequest } from "../../api/errors.ts";
import { type Fields, flag, integer, named, sensitive, text, type Values } from "../../api/fields.ts";
import { keysField, pageFields, pageOf } from "../../api/list-fields.ts";
import { pathsFor } from "../../api/path.ts";
import { Answered } from "../../api/reply.ts";
import { keyIdOf } from "../../lib/x509/key.ts";
import { parsePem, pemText } from "../../lib/x509/pem.ts";
import { parsePrivateKeyPem } from "../../lib/x509/private-key.ts";
import { linkKeys } from "./import.ts";
import { shownKey } from "./issued.ts";
import type { Key } from "./key.ts";
import { keyKind } from "./key-type.ts";
import { refusing } from "./refusal.ts";
import type { PkiServices } from "./services.ts";

const path = pathsFor<PkiServices>();

const keyFields = {
  key_id: text("Id of the key"),
  key_name: text("Name of the key"),
  key_type: text("Type of the key"),
} satisfies Fields;

const shown = ({ id, name, publicKey }: Key) => ({ key_id: id, key_name: name, key_type: publicKey.kind.type });

const keys = path({
  pattern: "keys",
  summary: "Keys of issuers",
  list: {
    summary: "List keys",
    input: pageFields,
    output: {
      ...keysField,
      key_info: named("What is known of each", {
        key_name: text("Name of the key"),
        is_default: flag("Whether it is the default"),
      }),
    },
    async handler(page, { services }) {
      const ids = await services.keys.list(pageOf(page));
      const { default: defaultId } = await services.settings.keys.get();
      const key_info: Record<string, { key_name: string; is_default: boolean }> = {};
      for (const id of ids) {
        const key = await services.keys.byId(id);
        key_info[id] = { key_name: key?.name ?? "", is_default: id === defaultId };
      }
      return { keys: ids, key_info };
    },
  },
});

const key = path({
  pattern: "key/:key_ref",
  summary: "One key of an issuer",
  params: { key_ref: text("Id or name of the key, or default") },
  read: {
    summary: "Read what is known of a key; the key itself stays here",
    output: { ...keyFields, subject_key_id: text("Identifier that certificates carry, as octets with colons") },
    async handler({ key_ref }, { services }) {
      const found = await services.keys.require(key_ref);
      const octets = Buffer.from(keyIdOf(found.publicKey)).toString("hex").match(/../g)!;
      return { ...shown(found), subject_key_id: octets.join(":") };
    },
  },
  write: {
    summary: "Rename a key",
    input: { key_name: text("New name; empty for none").default("") },
    output: keyFields,
    async handler({ key_ref, key_name }, { services, warn }) {
      const found = await services.keys.require(key_ref);
      if (key_name === "") warn("the key has no name now");
      return shown(await services.keys.rename(found, key_name));
    },
  },
  delete: {
    summary: "Delete a key that no issuer uses",
    async handler({ key_ref }, { services, warn }) {
      const found = await services.keys.find(key_ref);
      if (!found) return;
      const user = (await services.issuers.all()).find(({ key_id }) => key_id === found.id);
      if (user) throw invalidRequest(`Failed to Delete Key.  Key in Use by Issuer: ${user.id}`);
      if (await services.keys.delete(found)) {
        warn(`Deleted key ${found.id} was the default key. Please set a new default with /config/keys.`);
        return new Answered(200, undefined);
      }
    },
  },
  examples: [{ operation: "write", request: { key_name: "root-2030" } }],
});

const generate = path({
  pattern: "keys/generate/:exported",
  summary: "Make a key",
  params: { exported: text("internal, or exported (the key is shown, this once)") },
  write: {
    summary: "Make a key",
    input: {
      key_name: text("Name for the key").default(""),
      key_type: text("Type of the key: rsa, ec, ed25519 or ml-dsa").default("rsa"),
      key_bits: integer("Size of the key; 0 for the usual").default(0),
    },
    output: { ...keyFields, private_key: sensitive(text("The private key: given out once")) },
    async handler({ exported, key_name, key_type, key_bits }, { services }) {
      if (exported !== "internal" && exported !== "exported") throw invalidRequest("Unknown type of key to generate");
      await services.keys.requireFreeName(key_name);
      const privateKey = await services.keyPool.take(keyKind(key_type, key_bits));
      const { key: made } = await services.keys.add(privateKey, key_name);
      const { private_key } = shownKey(privateKey, "pem", "der");
      return { ...shown(made), ...(exported === "exported" && { private_key }) } as Values<typeof generated>;
    },
  },
  examples: [{ operation: "write", request: { key_name: "root-2030", key_type: "ec", key_bits: 384 } }],
});

const generated = { ...keyFields, private_key: text("The private key") };

const importKey = path({
  pattern: "keys/import",
  summary: "Bring in a key",
  write: {
    summary: "Bring in one key",
    input: {
      pem_bundle: sensitive(text("The key, in PEM")).default(""),
      key_name: text("Name for the key").default(""),
    },
    output: keyFields,
    async handler({ pem_bundle, key_name }, { services, warn }) {
      if (pem_bundle.trim() === "") throw invalidRequest("'pem_bundle' parameter was empty");
      if (pem_bundle.length < 64) {
        throw invalidRequest(
          "provided data for import was too short; perhaps a path was passed to the API rather than the contents of a PEM file",
        );
      }
      const blocks = refusing(() => parsePem(pem_bundle)).filter(({ kind }) => kind !== "EC PARAMETERS");
      if (blocks.length !== 1) {
        throw invalidRequest("only a single key can be present within the pem_bundle for importing");
      }
      const [block] = blocks;
      const privateKey = refusing(() => parsePrivateKeyPem(pemText(block!.kind, block!.der)));
      const { key: found, isNew } = await services.keys.add(privateKey, key_name);
      if (!isNew) warn("Key already imported, use key/ endpoint to update name.");
      else await linkKeys(services);
      return shown(found);
    },
  },
  examples: [{ operation: "write", request: { pem_bundle: "-----BEGIN PRIVATE KEY-----\n…" } }],
});

export const keyPaths = [keys, key, generate, importKey];
