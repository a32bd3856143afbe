/** The pages that people see in their browser at the end of a login. They load nothing, run nothing and fit into no frame. */
import { hash } from "node:crypto";
import { RawReply } from "../../../api/reply.ts";
import { escapeHtml } from "../../../lib/template/escaping.ts";
import type { FlowFailure } from "./failure.ts";

const style = `
:root { color-scheme: light dark; --ink: #1b2430; --soft: #5b6776; --paper: #f4f6f8; --card: #fff; --line: #dde3ea; --go: #1f6f5c; --stop: #a4343a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --soft: #9fb0c0; --paper: #12181f; --card: #1b232c; --line: #2c3844; --go: #4db39a; --stop: #e2757b; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 30rem; padding: 2.25rem; background: var(--card); border: 1px solid var(--line); border-top: 4px solid var(--go); border-radius: .75rem; }
main.stop { border-top-color: var(--stop); }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.3; }
p { margin: 0 0 1rem; color: var(--soft); }
p:last-child { margin-bottom: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; margin: 0 0 1.5rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .5rem; }
dt { color: var(--soft); }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
form { margin-bottom: 1.25rem; }
button, a.button { display: inline-block; padding: .65rem 1.4rem; border: 0; border-radius: .5rem; background: var(--go); color: var(--card); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
button:focus-visible, a.button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
small { color: var(--soft); }
`;

const headers = {
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", style, "base64")}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

function page(title: string, content: string, { status = 200, kind = "go", head = "" } = {}): RawReply {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>${head}
<style>${style}</style>
</head>
<body>
<main class="${kind}">
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;
  return new RawReply(html, "text/html; charset=utf-8", { status, headers });
}

export interface Confirmation {
  readonly role: string;
  /** Address of the client that asked for the login. */
  readonly requester: string;
  readonly isPost: boolean;
  /** Sent again when the person agrees. They are known to this page only: whoever began the login cannot send them. */
  readonly fields: Readonly<Record<string, string>>;
}

export function confirmationPage({ role, requester, isPost, fields }: Confirmation): RawReply {
  const hidden = Object.entries({ ...fields, confirmation: "1" })
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`);
  return page(
    "Did you ask to log in?",
    `<p>A program wants to log in to Strongroom in your name. Go on only if you started this yourself, a moment ago.</p>
<dl>
<dt>Asked from</dt><dd>${escapeHtml(requester)}</dd>
<dt>Role</dt><dd>${escapeHtml(role)}</dd>
</dl>
<form method="${isPost ? "post" : "get"}">
${hidden.join("\n")}
<button type="submit" id="confirm">Yes, log in</button>
</form>
<p><small>If somebody sent you a link to this page, close it: they would get your access.</small></p>`,
  );
}

export const successPage = (role: string): RawReply =>
  page(
    "You are logged in",
    `<p>The login as <strong>${escapeHtml(role)}</strong> is done. Go back to the program that asked for it; this window can be closed.</p>`,
  );

export const failurePage = ({ message, status }: FlowFailure): RawReply =>
  page(
    "The login did not work",
    `<p>${escapeHtml(message)}</p>
<p>Close this window and start the login again.</p>`,
    { status, kind: "stop" },
  );

/** After a form was taken: on to the web interface, or back to the program that waits. */
export function continuePage(uri: string, state: string): RawReply {
  if (uri === "") {
    return page("Almost done", "<p>Go back to the program that asked for the login; this window can be closed.</p>");
  }
  const url = `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams({ state, code: "no_code" })}`;
  const safe = escapeHtml(url);
  return page(
    "One moment",
    `<p>The provider has let you in. If nothing happens, go on by hand.</p>
<p><a class="button" href="${safe}">Go on</a></p>`,
    { head: `\n<meta http-equiv="refresh" content="0; url=${safe}">` },
  );
}
