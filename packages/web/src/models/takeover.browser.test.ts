import assert from "node:assert/strict";
import { test } from "node:test";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { startScriptedModel } from "@stet/testkit/scripted-model";

test("where the far model takes over from the local one, the turn says so and why, also after a reload", {
  skip: noChromium,
}, async (t) => {
  const local = await startScriptedModel(() => ({ fault: { status: 500 } }), { models: ["here"] });
  t.after(() => local.close());
  const fixture = await openBrowserFixture(t, {
    script: () => ({ text: "From far away.", usage: { input: 100, output: 5, cacheRead: 300 } }),
    environment: { OLLAMA_HOST: local.url },
  });
  const { page, served } = fixture;
  for (const [name, value] of [
    ["localModel", "ollama/here"],
    ["agentMode", "hybrid_auto"],
  ] as const)
    await served.client.call("changeSetting", { body: { name, value } });
  await page.locator(".composer-foot").getByText("here").waitFor();
  const composer = page.getByRole("textbox", { name: "Message to the agent" });
  await composer.fill("Hello");
  await composer.press("Enter");
  const log = page.getByRole("log");
  await log.getByText("Answered by scripted").waitFor();
  const takeover = log.getByText(/^openai-compatible\/scripted answers\. ./);
  await takeover.waitFor();
  const words = await takeover.innerText();
  t.diagnostic(words);
  await page.reload();
  await log.getByText("Answered by scripted").waitFor();
  await takeover.waitFor();
  assert.equal(await takeover.innerText(), words);
  // What came from the cache is told with the rest of what was used.
  await page.getByText(/75% from the cache/).waitFor();
  assert.deepEqual(fixture.complaints, []);
});
