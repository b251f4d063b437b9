import assert from "node:assert/strict";
import { test } from "node:test";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";

test("while the agent holds all documents they are read only, until it is cancelled", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, {
    files: { "notes.md": "one\n" },
    script: () => ({ text: "Wait", fault: { stallAfterBytes: 0 } }),
  });
  const { page } = fixture;
  const { client } = fixture.served;
  await client.call("openTab", { body: { path: "notes.md" } });
  const text = page.getByRole("textbox", { name: "Text of notes.md" });
  await text.waitFor();
  const session = await client.call("createSession", { body: {} });
  assert.ok("session_id" in session);
  await client.call("run", {
    body: { session_id: session.session_id, instruction: "Rename everyone", toolset: "tabs" },
  });
  await page.getByText("The agent is working on all documents.").waitFor();
  await text.focus();
  await page.keyboard.type("x");
  assert.equal(await text.getAttribute("aria-readonly"), "true");
  assert.equal(await text.innerText().then((shown) => shown.trim()), "one");

  await page.locator(".document-strip").getByRole("button", { name: "Cancel" }).click();
  await page.getByText("The agent is working on all documents.").waitFor({ state: "detached" });
  await text.focus();
  await page.keyboard.type("x");
  await page.locator(".cm-line", { hasText: "xone" }).waitFor();
  assert.deepEqual(fixture.complaints, []);
});
