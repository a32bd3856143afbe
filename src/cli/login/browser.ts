/** Opens an address in the browser that the person uses. */
import { spawn } from "node:child_process";

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
  linux: ["xdg-open"],
};

/** Whether a browser could be told. No shell is involved: the address comes from a server. */
export async function openBrowser(url: string): Promise<boolean> {
  const { protocol } = new URL(url);
  const [command, ...args] = openers[process.platform] ?? [];
  if (command === undefined || (protocol !== "https:" && protocol !== "http:")) return false;
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
    child.unref();
  });
}
