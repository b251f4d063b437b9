// OAuth's device flow against a server on loopback that answers as RFC 8628 says.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";
import { keptKeys } from "./kept-keys.ts";

type Answer = readonly [status: number, body: unknown];

/** Plays one answer for each poll; the requests' forms are kept. */
async function serveOauth(t: TestContext, polls: readonly Answer[], renewals: readonly Answer[] = []) {
  const forms: URLSearchParams[] = [];
  const [polling, renewing] = [[...polls], [...renewals]];
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await bodyOf(request));
    forms.push(form);
    const device = {
      device_code: "device-1",
      user_code: "WDJB-MJHT",
      verification_uri: "https://login.example/device",
      expires_in: 600,
      interval: 0.02,
    };
    const next = form.get("grant_type") === "refresh_token" ? renewing : polling;
    const [status, body] = request.url === "/device" ? [200, device] : (next.shift() ?? [500, {}]);
    if (request.url === "/v1/models") {
      response.end("{}");
      return;
    }
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return { url, forms };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return text;
}

async function setUp(t: TestContext, url: string) {
  const place = new TestWorkspace(t, { "a.md": "one\n" });
  const oauth = { deviceURL: `${url}/device`, tokenURL: `${url}/token`, clientId: "stet", scope: "models" };
  const api = await TestService.configured(t, place, {
    providers: { corp: { baseURL: `${url}/v1`, oauth } },
  });
  const environment = { STET_DATA_DIR: place.dataFolder, STET_KEYCHAIN: "off" };
  return { api, place, environment };
}

const pending: Answer = [400, { error: "authorization_pending" }];

test("a provider is connected by a code: it is asked until the person has typed it", async (t) => {
  const { url, forms } = await serveOauth(t, [
    pending,
    pending,
    [200, { access_token: "token-1", token_type: "bearer", expires_in: 3600, refresh_token: "refresh-1" }],
  ]);
  const { api, environment, place } = await setUp(t, url);
  const begun = await api.ok("POST", "/api/models/device-login", { provider: "corp" });
  assert.equal(begun.code, "WDJB-MJHT");
  assert.equal(begun.page, "https://login.example/device");
  const finished = await api.ok("POST", `/api/models/device-login/${begun.login_id}`);
  assert.equal(finished.kept_in, "file");
  assert.equal(finished.provider.has_device_login, true);
  assert.equal(await keptKeys(environment).of("corp")[0]?.secret(), "token-1");
  assert.deepEqual(
    forms.filter((form) => form.has("device_code")).map((form) => form.get("grant_type")),
    Array(3).fill("urn:ietf:params:oauth:grant-type:device_code"),
  );
  assert.equal(forms[0]?.get("scope"), "models");
  assert.doesNotMatch(JSON.stringify(finished), /token-1|refresh-1/);
  assert.match(readFileSync(join(place.dataFolder, "credentials.json"), "utf8"), /refresh-1/);
});

test("who refuses on the provider's page is told so, and nothing is kept", async (t) => {
  const { url } = await serveOauth(t, [pending, [400, { error: "access_denied" }]]);
  const { api, environment } = await setUp(t, url);
  const begun = await api.ok("POST", "/api/models/device-login", { provider: "corp" });
  const replied = await api.call("POST", `/api/models/device-login/${begun.login_id}`);
  assert.match(replied.body.message, /refused on the provider's page/);
  assert.deepEqual(keptKeys(environment).of("corp"), []);
  assert.equal(await api.refusal("POST", `/api/models/device-login/${begun.login_id}`), "invalid_arguments");
});

test("a token that has ended is renewed once for all who need it, and the new one is kept", async (t) => {
  const { url, forms } = await serveOauth(
    t,
    [[200, { access_token: "old", expires_in: 1, refresh_token: "refresh-1" }]],
    [[200, { access_token: "new", expires_in: 3600 }]],
  );
  const { api, environment } = await setUp(t, url);
  const begun = await api.ok("POST", "/api/models/device-login", { provider: "corp" });
  await api.ok("POST", `/api/models/device-login/${begun.login_id}`);
  const [key] = keptKeys(environment).of("corp");
  assert.deepEqual(await Promise.all([key?.secret(), key?.secret()]), ["new", "new"]);
  assert.equal(await keptKeys(environment).of("corp")[0]?.secret(), "new");
  const renewals = forms.filter((form) => form.get("grant_type") === "refresh_token");
  assert.deepEqual(
    renewals.map((form) => form.get("refresh_token")),
    ["refresh-1"],
  );
});

test("a login that cannot be renewed says how to log in again", async (t) => {
  const { url } = await serveOauth(
    t,
    [[200, { access_token: "old", expires_in: 1, refresh_token: "refresh-1" }]],
    [[400, { error: "invalid_grant" }]],
  );
  const { api, environment } = await setUp(t, url);
  const begun = await api.ok("POST", "/api/models/device-login", { provider: "corp" });
  await api.ok("POST", `/api/models/device-login/${begun.login_id}`);
  const secret = await keptKeys(environment).of("corp")[0]?.secret();
  assert.ok(typeof secret === "object");
  assert.match(secret.problem, /no longer valid\. Log in again: stet login corp --device/);
});

test("a provider without a login by code says so", async (t) => {
  const { url } = await serveOauth(t, []);
  const { api } = await setUp(t, url);
  const replied = await api.call("POST", "/api/models/device-login", { provider: "openai" });
  assert.match(replied.body.message, /openai has no login by a code/);
});
