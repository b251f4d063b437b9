// Ways to connect a provider besides one key: a code on its own page, several keys, and what hangs.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { seriousViolations } from "@stet/testkit/accessibility";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";

const alone = {
  STET_MODEL: "",
  OPENAI_COMPATIBLE_BASE_URL: "",
};

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

/** With Enter on whatever has the focus, as somebody without a pointer does it. */
async function tabTo({ page }: BrowserFixture, name: RegExp): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    const label = await page.evaluate(() => {
      const { activeElement: element } = document;
      const labels = element instanceof HTMLInputElement ? element.labels : null;
      return element?.getAttribute("aria-label") ?? labels?.[0]?.textContent ?? element?.textContent ?? "";
    });
    if (name.test(label)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${name}`);
}

/** What has the focus, in words; "BODY" where nothing has. */
const focused = ({ page }: BrowserFixture) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element === document.body ? "BODY" : (element?.getAttribute("aria-label") ?? element?.textContent);
  });

const keyFile = ({ dataFolder }: BrowserFixture) => join(dataFolder, "credentials.json");

test("a provider is connected by a code with the keyboard alone: a refusal is told, waiting can be stopped, and it goes on to its models", {
  skip: noChromium,
}, async (t) => {
  const answers: [number, object][] = [];
  const address = await serve(t, (request, response) => {
    const [status, body]: [number, object] =
      request.url === "/device"
        ? [
            200,
            {
              device_code: "device-1",
              user_code: "WDJB-MJHT",
              verification_uri: "https://login.example/device",
              expires_in: 600,
              interval: 0.02,
            },
          ]
        : request.url === "/token"
          ? (answers.shift() ?? [400, { error: "authorization_pending" }])
          : [200, { data: [{ id: "house-model" }] }];
    request.resume();
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  const fixture = await openBrowserFixture(t, { environment: alone });
  const { page, dataFolder } = fixture;
  const oauth = { deviceURL: `${address}/device`, tokenURL: `${address}/token`, clientId: "stet" };
  mkdirSync(join(dataFolder, "stet"), { recursive: true });
  writeFileSync(
    join(dataFolder, "stet", "config.json"),
    JSON.stringify({ providers: { corp: { baseURL: `${address}/v1`, oauth } } }),
  );
  await page.getByRole("button", { name: "Connect a model" }).waitFor();
  await tabTo(fixture, /^Connect a model$/);
  await page.keyboard.press("Enter");
  const start = page.getByRole("dialog", { name: "Connect a model" });
  await start.getByText("corp").first().waitFor();
  await tabTo(fixture, /^(Change corp|corp)/);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Connect corp" });
  await dialog.waitFor();
  // Its address is known, so that nobody has to type it again.
  assert.equal(await dialog.getByLabel(/^Address/).getAttribute("required"), null);
  await tabTo(fixture, /^Sign in at corp$/);
  await page.keyboard.press("Enter");
  await dialog.getByText("WDJB-MJHT").waitFor();
  await dialog.getByRole("status").getByText("WDJB-MJHT").waitFor();
  await dialog.getByText(/valid until \d\d:\d\d\./).waitFor();
  assert.notEqual(await focused(fixture), "BODY", "the focus stays in the dialog");
  assert.deepEqual(await seriousViolations(page), []);
  await tabTo(fixture, /^Cancel$/);
  await page.keyboard.press("Enter");
  await dialog.getByText("WDJB-MJHT").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.textContent === "Sign in at corp");
  answers.push([400, { error: "access_denied" }]);
  await page.keyboard.press("Enter");
  await dialog
    .getByRole("alert")
    .getByText(/refused on the provider's page/)
    .waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === "Sign in at corp");
  assert.equal(existsSync(keyFile(fixture)), false);
  answers.push([200, { access_token: "token-1", token_type: "bearer", expires_in: 3600 }]);
  await page.keyboard.press("Enter");
  const models = page.getByRole("dialog", { name: "Models of corp" });
  await models.getByRole("option", { name: /house-model/ }).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "combobox");
  assert.match(readFileSync(keyFile(fixture), "utf8"), /token-1/);
  assert.equal((await page.content()).includes("token-1"), false);
  assert.deepEqual(
    fixture.complaints.filter((text) => !/status of [45]\d\d/.test(text)),
    [],
  );
});

test("a second key takes turns with the first, one is forgotten alone, and no key is left anywhere in the page", {
  skip: noChromium,
}, async (t) => {
  const seen = new Set<string>();
  const address = await serve(t, (request, response) => {
    seen.add(request.headers.authorization ?? "");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: [{ id: "one" }] }));
  });
  const keys = ["sk-first-0123456789abcdef", "sk-second-fedcba98765432"];
  const fixture = await openBrowserFixture(t, {
    environment: { ...alone, GROQ_BASE_URL: `${address}/v1` },
  });
  const { page } = fixture;
  const dialog = page.getByRole("dialog", { name: "Connect Groq" });
  const key = dialog.getByLabel("Key", { exact: true });
  await page.getByRole("button", { name: "Connect a model" }).click();
  await page.getByRole("button", { name: /^Groq/ }).click();
  for (const [index, secret] of keys.entries()) {
    await key.fill(secret);
    if (index > 0) await dialog.getByRole("checkbox", { name: /Another key/ }).check();
    await key.press("Enter");
    await page.getByRole("dialog", { name: "Models of Groq" }).getByRole("option").first().waitFor();
    await page.getByRole("button", { name: "Back to all providers" }).click();
    await page.getByRole("button", { name: "Change Groq" }).click();
    await dialog.getByText(`Key ${index + 1}: in a private file`).waitFor();
  }
  assert.deepEqual([...seen].sort(), keys.map((secret) => `Bearer ${secret}`).sort());
  await dialog.getByRole("heading", { name: "Its keys take turns" }).waitFor();
  assert.deepEqual(await seriousViolations(page), []);
  await dialog.getByRole("button", { name: "Forget key 1" }).focus();
  await page.keyboard.press("Enter");
  // The window lists them after its own change, and again when it hears of it as every other one does.
  const areListedTwice = new Promise<void>((resolve) => {
    let lists = 0;
    page.on("response", (response) => {
      if (response.url().endsWith("/api/models")) lists += 1;
      if (lists === 2) resolve();
    });
  });
  const question = page.getByRole("dialog", { name: /Forget this key of Groq/ });
  await question.getByRole("button", { name: "Forget" }).click();
  await dialog.getByRole("heading", { name: "Its key", exact: true }).waitFor();
  assert.equal(await focused(fixture), "Forget key 1", "the focus stays near what was forgotten");
  await areListedTwice;
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  assert.equal(await focused(fixture), "Forget key 1", "what is listed anew keeps the focus");
  const kept = readFileSync(keyFile(fixture), "utf8");
  assert.deepEqual(
    keys.map((secret) => kept.includes(secret)),
    [false, true],
  );
  const traces = await page.evaluate(() =>
    JSON.stringify([
      document.documentElement.outerHTML,
      [...document.querySelectorAll("input")].map(({ value }) => value),
      performance.getEntries(),
      { ...localStorage },
      { ...sessionStorage },
      location.href,
      history.state,
    ]),
  );
  for (const secret of keys) assert.equal(traces.includes(secret), false);
  await dialog.getByRole("button", { name: "Forget key 1" }).focus();
  await page.keyboard.press("Enter");
  await question.getByRole("button", { name: "Forget" }).click();
  await dialog.getByRole("heading", { name: "Its key", exact: true }).waitFor({ state: "detached" });
  assert.notEqual(await focused(fixture), "BODY");
  assert.deepEqual(fixture.complaints, []);
});

test("a connection that hangs says that it is at work, and when it is cancelled nothing of it is kept", {
  skip: noChromium,
}, async (t) => {
  const secret = "sk-hanging-0123456789abcdef";
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const address = await serve(t, (request, response) => {
    response.on("close", end);
    request.resume();
    begin();
  });
  const fixture = await openBrowserFixture(t, { environment: alone });
  const { page, served } = fixture;
  await page.getByRole("button", { name: "Connect a model" }).click();
  await page.getByRole("button", { name: /Another server/ }).click();
  const dialog = page.getByRole("dialog", { name: "Connect another server" });
  await dialog.getByLabel("Name").fill("slow");
  await dialog.getByLabel("Address").fill(`${address}/v1`);
  await dialog.getByLabel(/^Key/).fill(secret);
  await page.keyboard.press("Enter");
  await begun;
  await dialog
    .getByRole("status")
    .getByText(/^Asking /)
    .waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await ended;
  await page.waitForFunction(() => document.activeElement?.textContent?.trim() === "Connect");
  assert.equal(await dialog.getByLabel(/^Key/).inputValue(), secret, "what was typed is not lost");
  const models = await served.client.call("listModels");
  assert.equal("providers" in models && models.providers.some(({ name }) => name === "slow"), false);
  assert.equal(existsSync(keyFile(fixture)), false);
  // Closing the dialog does the same, and nothing is left in the page.
  await page.keyboard.press("Enter");
  await dialog
    .getByRole("status")
    .getByText(/^Asking /)
    .waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal((await page.content()).includes(secret), false);
  assert.equal(existsSync(keyFile(fixture)), false);
});
