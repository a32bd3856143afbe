/** Declares `sys/internal/ui/mounts`: which mounts a caller can see, and which one owns a path. */
import { ApiError } from "../../api/errors.ts";
import { object, text } from "../../api/fields.ts";
import { pathsFor } from "../../api/path.ts";
import { isAuth, type MountEntry } from "../mounts/mount-entry.ts";
import { readMountTable } from "../mounts/mount-table.ts";
import { describeMount, mountFields } from "./mount-fields.ts";
import type { SystemServices } from "./system-core.ts";
import { systemEntryOf } from "./system-entry.ts";

const path = pathsFor<SystemServices>();

const visible = path({
  pattern: "internal/ui/mounts",
  summary: "Mounts that the caller can see; without a token those that show themselves to everybody",
  access: "optional",
  read: {
    summary: "List visible mounts",
    output: { auth: object("Auth methods by path"), secret: object("Secrets engines by path") },
    async handler(_input, { services, now }) {
      const { token } = services.exchange;
      const acl = token && (await services.access.aclOf(token, services.storage, now));
      const { entries } = await readMountTable(services.storage);
      const { namespace } = services.exchange;
      const shown = entries.filter((entry) => isPublic(entry) || acl?.reaches(entry.path, now));
      const described = (wanted: readonly MountEntry[], prefix: string) =>
        Object.fromEntries(
          wanted.map((entry) => [
            entry.path.slice(prefix.length),
            acl?.reaches(entry.path, now) ? describeMount(entry, services.version, namespace) : publicView(entry),
          ]),
        );
      return {
        auth: described(shown.filter(isAuth), "auth/"),
        secret: described(
          shown.filter((entry) => !isAuth(entry)),
          "",
        ),
      };
    },
  },
});

const owning = path({
  pattern: "internal/ui/mounts/:path*",
  summary: "The mount that owns a path",
  access: "optional",
  params: { path: text("Any path inside the mount") },
  read: {
    summary: "Read which mount owns a path",
    output: { ...mountFields, path: text("Path of the mount") },
    async handler({ path }, { services, now }) {
      const { token, namespace } = services.exchange;
      const acl = token && (await services.access.aclOf(token, services.storage, now));
      const entry = path.startsWith("sys/")
        ? systemEntryOf(namespace)
        : (await readMountTable(services.storage)).owning(path);
      if (!acl || !entry || !acl.reaches(entry.path, now)) throw preflightDenied(path);
      return { ...describeMount(entry, services.version, namespace), path: entry.path };
    },
  },
});

const isPublic = ({ config }: MountEntry) => config.listing_visibility === "unauth";

const publicView = ({ type, description, options }: MountEntry) => ({ type, description, options });

/** Says the same whether the mount exists or not. */
const preflightDenied = (path: string) =>
  new ApiError(
    403,
    "preflight capability check returned 403, please ensure client's policies grant access to path " +
      JSON.stringify(`${path.replace(/\/$/, "")}/`),
  );

export const interfaceMountPaths = [visible, owning];
