/** The end of a login in direct mode, in a real browser: the page asks, refuses to be framed, and a click lets the client in. */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientId, clientSecret, TestProvider } from "../../src/auth/jwt/oidc/provider-fixture.suite.ts";
import { HttpCaller } from "../support/http-caller.ts";
import { ServerProcess } from "../support/server-process.ts";

const program = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((file) =>
  existsSync(file),
);
if (program === undefined) console.warn("pages are not tried in a browser: Chromium is not installed");

describe.skipIf(program === undefined)("direct mode in Chromium", () => {
  let server: ServerProcess;
  let provider: TestProvider;
  let caller: HttpCaller;
  let browser: Browser;
  let callback: string;

  beforeAll(async () => {
    server = await ServerProcess.start({
      flags: ["-dev", "-dev-root-token-id=root", "-dev-listen-address=127.0.0.1:0"],
    });
    callback = `${server.url}/v1/auth/oidc/oidc/callback`;
    provider = await new TestProvider({ redirectUris: [callback] }).start();
    caller = new HttpCaller(server.url, "root");
    browser = await chromium.launch({ executablePath: program!, args: ["--no-sandbox"] });
    await caller.demand("POST", "sys/auth/oidc", { type: "oidc" });
    const role = {
      user_claim: "sub",
      allowed_redirect_uris: [callback],
      callback_mode: "direct",
      token_policies: "staff",
    };
    await caller.demand("POST", "auth/oidc/role/staff", role);
  });

  afterAll(async () => {
    await browser?.close();
    caller?.close();
    await provider?.stop();
    await server?.[Symbol.asyncDispose]();
  });

  const begin = async () => {
    const body = { role: "staff", redirect_uri: callback, client_nonce: "mine" };
    return (await caller.demand("POST", "auth/oidc/oidc/auth_url", body, { token: "" })).json.data;
  };
  const poll = (state: string) =>
    caller.call("POST", "auth/oidc/oidc/poll", { state, client_nonce: "mine" }, { token: "" });

  test.each(["query", "form_post"])("a person confirms the login (%s)", async (oidc_response_mode) => {
    await caller.demand("POST", "auth/oidc/config", {
      oidc_discovery_url: provider.issuer,
      oidc_client_id: clientId,
      oidc_client_secret: clientSecret,
      oidc_response_mode,
    });
    const { auth_url, state } = await begin();
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => /policy|refused|blocked/i.test(message.text()) && complaints.push(message.text()));
    page.setDefaultTimeout(90_000);
    await page.goto(auth_url);
    await page.fill('input[name="login"]', "ann");
    await page.fill('input[name="password"]', "x");
    await page.click('button[type="submit"]');
    await page.waitForSelector('input[value="consent"]', { state: "attached" });
    complaints.length = 0;
    await page.click('button[type="submit"]');
    await page.waitForSelector("#confirm");
    expect(await page.textContent("h1")).toBe("Did you ask to log in?");
    expect(await page.textContent("dl")).toContain("127.0.0.1");
    // The style is let in by its hash, and nothing else is.
    expect(await page.evaluate("getComputedStyle(document.querySelector('#confirm')).borderRadius")).not.toBe("0px");
    expect((await poll(state)).json.errors).toEqual(["authorization_pending"]);
    await page.click("#confirm");
    await page.waitForSelector("text=You are logged in");
    expect(complaints).toEqual([]);
    const { status, json } = await poll(state);
    expect([status, json.auth?.policies]).toEqual([200, ["default", "staff"]]);
    await page.close();
  });

  test("nobody can lay another page over the question", async () => {
    const { state } = await begin();
    const framed = `${callback}?${new URLSearchParams({ state, code: "x" })}`;
    const thief = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end(`<iframe src="${framed.replaceAll("&", "&amp;")}"></iframe>`);
    });
    await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
    const page = await browser.newPage();
    const refused = page.waitForEvent("console", { predicate: (message) => message.text().includes("frame") });
    await page.goto(`http://127.0.0.1:${(thief.address() as AddressInfo).port}/`);
    expect((await refused).text()).toMatch(/frame-ancestors|X-Frame-Options/);
    expect(
      await page
        .frames()[1]
        ?.$("#confirm")
        .catch(() => null),
    ).toBeFalsy();
    await page.close();
    thief.close();
  });
});
