import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import { seriousViolations } from "@stet/testkit/accessibility";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { startScriptedModel } from "@stet/testkit/scripted-model";

/** Nobody has set a model, and no server of this machine is asked but the one that the test starts. */
const fresh = {
  STET_MODEL: "",
  OPENAI_COMPATIBLE_BASE_URL: "",
};

const dialogOf = ({ page }: BrowserFixture, name: string | RegExp) => page.getByRole("dialog", { name });

async function startDialog(fixture: BrowserFixture) {
  await fixture.page.getByRole("button", { name: "Connect a model" }).click();
  const dialog = dialogOf(fixture, "Connect a model");
  await dialog.waitFor();
  return dialog;
}

/** Everything that the server sent to the page, until now. */
function recordReplies({ page }: BrowserFixture): () => Promise<string> {
  const replies: Promise<string>[] = [];
  // A stream never ends.
  page.on("requestfinished", (request) => {
    replies.push(
      request
        .response()
        .then((response) => response?.text() ?? "")
        .catch(() => ""),
    );
  });
  return async () => (await Promise.all(replies)).join("\n");
}

/** A server that wants this key, and says so as OpenAI does. */
async function startKeyed(t: TestContext, key: string, models: readonly string[]) {
  const model = await startScriptedModel(() => ({ text: "At your service." }), { models });
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== `Bearer ${key}`) {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ error: { message: "Incorrect API key provided.", code: "invalid_api_key" } }),
      );
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const reply = await fetch(model.url + request.url, {
      method: request.method ?? "GET",
      headers: { "content-type": "application/json" },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await reply.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await model.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

test("from a first start, a local server that runs gives its first answer after three clicks", {
  skip: noChromium,
}, async (t) => {
  const local = await startScriptedModel(() => ({ text: "Good morning." }), {
    models: ["qwen3:8b", "small"],
  });
  t.after(() => local.close());
  const fixture = await openBrowserFixture(t, { environment: { ...fresh, OLLAMA_HOST: local.url } });
  const { page } = fixture;
  await page.evaluate(`window.clicks = 0; addEventListener("click", () => { window.clicks += 1 }, true)`);
  const dialog = await startDialog(fixture);
  await dialog.getByText("Ollama answers on this machine").waitFor();
  await dialog.getByText("qwen3:8b, small").waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("Use") === true);
  assert.deepEqual(await seriousViolations(page), []);
  await dialog.getByRole("button", { name: "Use qwen3:8b" }).click();
  await dialog.waitFor({ state: "detached" });
  // The field has the focus by itself.
  await page.waitForFunction(() => document.activeElement?.classList.contains("composer-text"));
  await page.keyboard.type("Hello");
  await page.getByRole("button", { name: "Send" }).click();
  const log = page.getByRole("log", { name: "Conversation" });
  await log.getByText("Good morning.").waitFor();
  await log.getByText("Answered by qwen3:8b").waitFor();
  const clicks = Number(await page.evaluate("window.clicks"));
  t.diagnostic(`${clicks} clicks`);
  assert.ok(clicks <= 3);
  // It is the default of new conversations, also in another window.
  const other = await fixture.newWindow();
  await other.locator(".composer-foot").getByText("qwen3:8b").waitFor();
  await page.reload();
  await log.getByText("Answered by qwen3:8b").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("a provider is connected by its key: a wrong one is refused at its field, and no key comes back", {
  skip: noChromium,
}, async (t) => {
  const [wrong, right] = ["sk-wrong-0123456789abcdef", "sk-right-fedcba9876543210"];
  const url = await startKeyed(t, right, ["large", "larger"]);
  const fixture = await openBrowserFixture(t, { environment: { ...fresh, OPENAI_BASE_URL: `${url}/v1` } });
  const { page } = fixture;
  const replies = recordReplies(fixture);
  await startDialog(fixture);
  await page.getByRole("textbox", { name: "Find a provider" }).fill("openai");
  await page
    .getByRole("button", { name: /^OpenAI It|^OpenAI$|^OpenAI [^(]/ })
    .first()
    .click();
  const dialog = dialogOf(fixture, "Connect OpenAI");
  const key = dialog.getByLabel("Key", { exact: true });
  assert.equal(await key.getAttribute("type"), "password");
  await key.fill(wrong);
  await key.press("Enter");
  const refusal = dialog.getByRole("alert").getByText(/refused the key/);
  await refusal.waitFor();
  assert.doesNotMatch(await refusal.innerText(), /stet login|OPENAI_API_KEY/, "another one is typed here");
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "key");
  assert.equal(await key.getAttribute("aria-invalid"), "true");
  assert.equal(await key.inputValue(), wrong, "what was typed is not lost");
  assert.deepEqual(await seriousViolations(page), []);
  await key.fill(right);
  await key.press("Enter");
  const chosen = dialogOf(fixture, "Models of OpenAI");
  await chosen.getByText(/The key is in/).waitFor();
  await chosen.getByRole("option", { name: /larger/ }).waitFor();
  const html = await page.content();
  const values = await page.evaluate(() =>
    [...document.querySelectorAll("input")].map(({ value }) => value).join("\n"),
  );
  for (const text of [html, values, await replies()]) {
    assert.equal(text.includes(wrong), false);
    assert.equal(text.includes(right), false);
  }
  await chosen.getByRole("combobox", { name: "Find a model" }).fill("larger");
  await page.keyboard.press("Enter");
  await chosen.waitFor({ state: "detached" });
  await page.locator("textarea.composer-text:focus").waitFor();
  await page.keyboard.type("Hello");
  await page.keyboard.press("Enter");
  await page.getByRole("log").getByText("At your service.").waitFor();
  await page.getByRole("log").getByText("Answered by larger").waitFor();

  // It can be forgotten again.
  await page.getByRole("button", { name: "Switch model" }).click();
  await page.getByRole("button", { name: "Connect a model" }).click();
  await page.getByRole("button", { name: "Change OpenAI" }).first().click();
  await dialog.getByText(/Key 1: in /).waitFor();
  await dialog.getByRole("button", { name: "Forget key 1" }).click();
  await page
    .getByRole("dialog", { name: /Forget this key/ })
    .getByRole("button", { name: "Forget" })
    .click();
  await dialog.getByText(/Key 1: in /).waitFor({ state: "detached" });
  assert.deepEqual(
    fixture.complaints.filter((text) => !/status of [45]\d\d/.test(text)),
    [],
  );
});

test("a gateway is connected by its address, and a web page there is refused at that field", {
  skip: noChromium,
}, async (t) => {
  const gateway = await startScriptedModel(() => ({ text: "Through the gateway." }), {
    models: ["vendor/large"],
  });
  const site = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><title>Welcome</title><p>A page.");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    site.closeAllConnections();
    site.close();
    await gateway.close();
  });
  const at = site.address();
  const port = typeof at === "object" && at !== null ? at.port : 0;
  const fixture = await openBrowserFixture(t, { environment: fresh });
  const { page } = fixture;
  await startDialog(fixture);
  await page.getByRole("button", { name: /Another server/ }).click();
  const dialog = dialogOf(fixture, "Connect another server");
  await dialog.getByLabel("Name").fill("openai");
  const address = dialog.getByLabel("Address");
  await address.fill(`http://127.0.0.1:${port}/`);
  await address.press("Enter");
  await dialog.getByText("There is a provider called openai already.").waitFor();
  await dialog.getByLabel("Name").fill("Our gateway");
  await address.press("Enter");
  await page.waitForFunction(
    () =>
      document.activeElement?.getAttribute("name") === "address" &&
      document.activeElement.getAttribute("aria-invalid") === "true",
  );
  assert.equal(await dialog.getByLabel("Name").inputValue(), "Our gateway");
  await address.fill(`${gateway.url}/v1`);
  await address.press("Enter");
  const models = dialogOf(fixture, "Models of our-gateway");
  await models.getByRole("option", { name: /vendor\/large/ }).waitFor();
  await models.getByRole("button", { name: "Try it" }).click();
  await models.getByText(/It answered “Through the gateway\.”/).waitFor();
  // What it said stays where the list is read again.
  const read = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/models");
  await fixture.served.client.call("changeSetting", { body: { name: "agentMode", value: "remote" } });
  await read;
  await models.getByText(/It answered “Through the gateway\.”/).waitFor();
  await models.getByRole("button", { name: "Use vendor/large" }).click();
  await models.waitFor({ state: "detached" });
  await page.locator("textarea.composer-text:focus").waitFor();
  await page.keyboard.type("Hello");
  await page.keyboard.press("Enter");
  await page.getByRole("log").getByText("Answered by vendor/large").waitFor();
  assert.deepEqual(
    fixture.complaints.filter((text) => !/status of [45]\d\d/.test(text)),
    [],
  );
});
