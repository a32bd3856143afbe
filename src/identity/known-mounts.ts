/** Mounts by their accessors, each looked up once in a transaction. */
import { ApiError, invalidRequest } from "../api/errors.ts";
import type { IdentityHost, KnownMount } from "./host.ts";

export class KnownMounts {
  readonly #host: IdentityHost;
  readonly #found = new Map<string, Promise<KnownMount | undefined>>();

  constructor(host: IdentityHost) {
    this.#host = host;
  }

  /** Undefined for a mount that is gone: what it called somebody stays until it is deleted. */
  find(accessor: string): Promise<KnownMount | undefined> {
    const known = this.#found.get(accessor);
    if (known) return known;
    const found = this.#host.mountByAccessor(accessor);
    this.#found.set(accessor, found);
    return found;
  }

  /** One that something new may refer to. */
  async require(accessor: string): Promise<KnownMount> {
    const mount = await this.find(accessor);
    if (!mount) throw invalidRequest(`invalid mount accessor ${JSON.stringify(accessor)}`);
    const { namespaceId = this.#host.namespaceId } = mount;
    if (namespaceId !== this.#host.namespaceId) {
      throw new ApiError(403, "matching mount is in a different namespace than request");
    }
    return mount;
  }
}
