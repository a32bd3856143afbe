/** What people see who open the server's address in a browser: where they are, and where to go on. */
import type { HttpReply } from "./server.ts";

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Strongroom</title>
<style>
  body { margin: 12vh auto; max-width: 34rem; padding: 0 1.5rem; font: 1rem/1.6 system-ui, sans-serif; color: #1c2530; background: #f7f8fa }
  h1 { font-size: 1.6rem; margin: 0 0 .5rem }
  code { background: #e8ecf1; border-radius: .25rem; padding: .1rem .35rem }
  @media (prefers-color-scheme: dark) { body { color: #dde3ea; background: #161b22 } code { background: #2a323d } }
</style>
<h1>Strongroom is running</h1>
<p>This address answers programs: its API is under <code>/v1/</code>, and has no pages of its own yet.</p>
<p>From a terminal, <code>strongroom status</code> says how the server is, and <code>strongroom login</code> is the way in.</p>
<p><a href="/v1/sys/health">Health</a> &middot; <a href="/v1/sys/internal/specs/openapi">OpenAPI document</a></p>
</html>
`;

export const welcome: HttpReply = {
  status: 200,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "cache-control": "no-store",
  },
  body: page,
};
