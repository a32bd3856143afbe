/** The requests that are measured, each under the name that tables show. */
import type { Load } from "./load.ts";
import { secret } from "./prepared-server.ts";
import { whole } from "./table.ts";

export interface StoreSize {
  /** Secrets in the folder `big`. */
  readonly big: number;
  readonly small: number;
}

export interface Work {
  readonly name: string;
  /** Whether it waits for the disk, and is compared with others that do. */
  readonly isDurable?: true;
  readonly load: Omit<Load, "milliseconds">;
}

export const connections = 32;

export function worksFor(ports: readonly number[], token: string, size: StoreSize): Work[] {
  const get = { ports, connections, method: "GET", token };
  const page = (folder: string, range: number) => ({
    ...get,
    path: `/v1/secret/metadata/${folder}?list=true&limit=100&after={random}`,
    range: Math.max(1, range - 100),
  });
  return [
    { name: "sys/health", load: { ...get, path: "/v1/sys/health" } },
    { name: "token lookup-self", load: { ...get, path: "/v1/auth/token/lookup-self" } },
    {
      name: "KV v2 read, of 1,000 secrets",
      load: { ...get, path: "/v1/secret/data/big/{random}", range: Math.min(1000, size.big) },
    },
    {
      name: "KV v2 write, durable, new secrets",
      isDurable: true,
      load: { ...get, method: "POST", path: "/v1/secret/data/new/{unique}", body: secret },
    },
    { name: `page of 100 of ${whole(size.big)} keys`, load: page("big", size.big) },
    { name: `page of 100 of ${whole(size.small)} keys`, load: page("small", size.small) },
  ];
}
