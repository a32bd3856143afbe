/** Declares the making of users: each answer has a lease, and its user ends with it. */
import { ApiError, invalidRequest } from "../../api/errors.ts";
import { sensitive, text } from "../../api/fields.ts";
import { type Context, pathsFor } from "../../api/path.ts";
import { Leased } from "../../api/reply.ts";
import type { Connection } from "./connection.ts";
import { type MadeCredential, makeCredential, requireSupported } from "./credential.ts";
import type { CertificateConfig } from "./credential-config.ts";
import { DatabaseFailure } from "./failure.ts";
import { connectionFor, withCurrentConnection } from "./find-connection.ts";
import { endUser, putIntent } from "./intent.ts";
import { nameField, requireName } from "./name.ts";
import type { Role } from "./role.ts";
import { settleRoot } from "./root-rotation.ts";
import type { DatabaseServices } from "./services.ts";
import { hasOwnTemplate, makeUsername } from "./username.ts";

const path = pathsFor<DatabaseServices>();

const secretFields = {
  password: sensitive(text("Password, or key that the database made; of roles of the type password")).optional(),
  rsa_private_key: sensitive(text("PEM (PKCS #8); of roles of the type rsa_private_key")).optional(),
  client_certificate: text("PEM; of roles of the type client_certificate").optional(),
  private_key: sensitive(text("PEM of the key of client_certificate")).optional(),
  private_key_type: text("rsa, ec or ed25519").optional(),
};

const credentials = path({
  pattern: "creds/:name",
  summary: "Make a database user",
  params: { name: nameField("role") },
  read: {
    summary: "Make a user by a role; it ends with its lease",
    effects: true,
    output: { username: text("Name of the new user"), ...secretFields },
    async handler({ name }, context) {
      requireName(name);
      const plan = await makePlan(name, context);
      const { shown } = await createUser(plan, context);
      const { role, seconds, username, id } = plan;
      return new Leased(
        { username, ...shown },
        {
          kind: "credential",
          seconds: role.default_ttl || seconds,
          maxSeconds: role.max_ttl,
          renewable: true,
          secret: {
            id,
            username,
            role: name,
            db_name: role.db_name,
            revocation_statements: role.revocation_statements,
          },
        },
      );
    },
  },
});

export const credentialPaths = [credentials];

interface Plan {
  readonly id: string;
  readonly role: Role;
  readonly connection: Connection;
  readonly username: string;
  readonly seconds: number;
  readonly expires: Date;
  readonly made: MadeCredential;
}

/** A root rotation that was left half-way is settled first; there hardly ever is one. */
async function makePlan(name: string, context: Context<DatabaseServices>): Promise<Plan> {
  const attempt = () => context.transaction((services) => planOrUnsettled(name, services, context));
  const plan = await attempt();
  if (typeof plan !== "string") return plan;
  await settleRoot(context.transaction, plan);
  const again = await attempt();
  if (typeof again !== "string") return again;
  throw new ApiError(503, `the root credential of the connection ${JSON.stringify(again)} is being rotated; try again`);
}

/** Everything that can be refused is refused before the database hears of it; then the intent is kept. */
async function planOrUnsettled(
  name: string,
  services: DatabaseServices,
  { caller, now }: Context<DatabaseServices>,
): Promise<Plan | string> {
  const role = await services.roles.get(name);
  if (!role) throw invalidRequest(`unknown role: ${name}`);
  const connection = await connectionFor(name, role.db_name, services);
  if (await services.rootIntents.get(role.db_name)) return role.db_name;
  const plugin = services.databases.pluginOf(connection);
  const { credential_type: type, credential_config: config } = role;
  requireSupported(type, plugin);
  const seconds = lifetime(role, services);
  const expires = new Date(now.getTime() + seconds * 1000);
  const named = { displayName: caller?.displayName ?? "", roleName: name };
  const template = (config as CertificateConfig).common_name_template || undefined;
  const username = makeUsername(connection, plugin, named, services, template);
  const made = await makeCredential({ type, config, username, expires }, connection, services);
  const { db_name, revocation_statements } = role;
  const id = putIntent({ db_name, role: name, username, revocation_statements }, services);
  return { id, role, connection, username, seconds, expires, made };
}

function lifetime({ default_ttl, max_ttl }: Role, { mount }: DatabaseServices): number {
  const most = Math.min(max_ttl || mount.maxLeaseSeconds, mount.maxLeaseSeconds);
  return Math.min(default_ttl || mount.defaultLeaseSeconds, most);
}

async function createUser(plan: Plan, { services, transaction }: Context<DatabaseServices>): Promise<MadeCredential> {
  const { id, role, username, expires, made } = plan;
  const user = {
    username,
    mayExist: hasOwnTemplate(plan.connection),
    credential: made.forDatabase,
    statements: role.creation_statements,
    rollbackStatements: role.rollback_statements,
    expires,
  };
  try {
    const secret = await withCurrentConnection(transaction, role.db_name, plan.connection, (connection) =>
      services.databases.use(
        role.db_name,
        connection,
        (database) => database.createUser(user),
        Object.values(made.shown),
      ),
    );
    return secret === undefined ? made : { ...made, shown: { password: secret } };
  } catch (error) {
    await giveUp(id, error, transaction);
    throw error;
  }
}

/**
 * Where nobody knows whether the user was made, it is ended now as far as possible. The intent stays then, and the job ends the
 * user again: a database that is slow may make it only after it was told to delete it.
 */
async function giveUp(
  id: string,
  error: unknown,
  transaction: Context<DatabaseServices>["transaction"],
): Promise<void> {
  const isCertain = error instanceof DatabaseFailure && error.isCertain;
  await transaction(async (services) => {
    const intent = await services.intents.get(id);
    if (isCertain) services.intents.delete(id);
    else if (intent) await endUser(intent, services);
  }).catch(() => undefined);
}
