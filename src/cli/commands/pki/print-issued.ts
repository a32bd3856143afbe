/** Prints what was issued, what would be, or where its files are. */
import type { Answer } from "../../../client/client.ts";
import { isJsonObject } from "../../../lib/json.ts";
import type { Printer } from "../../output/printer.ts";
import { writeCertificateFiles } from "./certificate-files.ts";

export interface FileWishes {
  readonly "out-dir": string | undefined;
  readonly "out-name": string | undefined;
}

export async function printIssued(print: Printer, answer: Answer, wishes: FileWishes): Promise<number> {
  const { data, secret } = answer;
  if (secret.wrap_info) return print.secret(answer);
  if (isJsonObject(data["dry_run"])) {
    print.warn(secret.warnings);
    return print.data(data["dry_run"]);
  }
  const folder = wishes["out-dir"];
  if (folder === undefined) return print.secret(answer);
  print.warn(secret.warnings);
  return print.data(await writeCertificateFiles(data, folder, wishes["out-name"]));
}
