/** What the handlers of this auth method work with. */
import type { Single } from "../../api/collection.ts";
import type { Clock, Mount, MountInfo, Random } from "../../api/engine.ts";
import { Lockouts } from "../../api/lockout.ts";
import { Roles } from "./role.ts";
import { SecretIds } from "./secret-id.ts";
import { type Tidying, type TidyPoint, tidyPointIn } from "./tidy.ts";

export interface ApproleServices {
  readonly roles: Roles;
  readonly secretIds: SecretIds;
  readonly lockouts: Lockouts;
  readonly tidying: Tidying;
  readonly tidyPoint: Single<TidyPoint>;
  readonly mount: MountInfo;
  readonly random: Random;
  readonly clock: Clock;
}

export const approleServices = ({ storage, host, state }: Mount<Tidying>): ApproleServices => ({
  roles: new Roles(storage),
  secretIds: new SecretIds(storage),
  lockouts: new Lockouts(storage, host.mount.lockout),
  tidying: state,
  tidyPoint: tidyPointIn(storage),
  mount: host.mount,
  random: host.random,
  clock: host.clock,
});
