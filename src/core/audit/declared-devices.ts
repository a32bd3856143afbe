/** Brings the stored table in line with the devices that the configuration declares. */
import type { Random, Storage } from "../../api/engine.ts";
import { type AuditEntry, readAuditTable, writeAuditTable } from "./audit-table.ts";
import type { DeviceOptions } from "./device.ts";

export interface DeclaredDevice {
  readonly type: string;
  readonly path: string;
  readonly description: string;
  readonly options: DeviceOptions;
}

/** A device keeps its salt for as long as it keeps its name, so that its hashes stay comparable. */
export async function reconcileDevices(declared: readonly DeclaredDevice[], random: Random, storage: Storage) {
  const table = await readAuditTable(storage);
  const wanted = declared.map((device): AuditEntry => {
    const path = `${device.path}/`;
    const known = table.find((entry) => entry.path === path);
    const salt = known?.salt ?? Buffer.from(random.bytes(32)).toString("base64");
    const { type, description, options } = device;
    return { path, type, description, options, local: false, salt, declared: true };
  });
  const kept = table.filter((entry) => !entry.declared && !wanted.some(({ path }) => path === entry.path));
  const after = [...wanted, ...kept];
  if (JSON.stringify(after) !== JSON.stringify(table)) writeAuditTable(after, storage);
}
