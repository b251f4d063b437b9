import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { longConversation } from "@stet/testkit/long-conversation";

const composer = ({ page }: BrowserFixture) => page.getByRole("textbox", { name: "Message to the agent" });
const logOf = ({ page }: BrowserFixture) => page.getByRole("log", { name: "Conversation" });

test("a conversation of 2,000 messages opens at its end, and its beginning is reached by scrolling", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t);
  const { page, served } = fixture;
  const { client } = served;
  await longConversation(fixture, 1000);
  const other = await client.call("createSession", { body: { title: "Short" } });
  assert.ok(!isFault(other));
  await page.reload();
  await page.getByRole("button", { name: "New conversation", exact: true }).click();
  await page.getByRole("heading", { name: "Ask the agent" }).waitFor();
  await page.getByRole("button", { name: "Conversations" }).click();
  const choice = page.getByRole("dialog").getByRole("button", { name: /^Long/ });
  await choice.waitFor();
  const took = await choice.evaluate(async (button) => {
    const start = performance.now();
    if (button instanceof HTMLElement) button.click();
    while (!document.querySelector(".chat-list")?.textContent?.includes("Answer 999"))
      await new Promise((done) => setTimeout(done, 5));
    return performance.now() - start;
  });
  t.diagnostic(`opened in ${Math.round(took)} ms`);
  // The end is in sight, and few of the messages are in the page.
  await logOf(fixture).getByText("Question 999?").waitFor();
  assert.ok((await page.locator(".chat-row").count()) < 60);
  // Up to the beginning, page by page; what is in sight does not jump when older ones come.
  await logOf(fixture).hover();
  const start = logOf(fixture).getByText("Which files are there?");
  for (let tries = 0; tries < 400 && (await start.count()) === 0; tries += 1) {
    await page.mouse.wheel(0, -6000);
    await page.waitForTimeout(25);
  }
  await start.waitFor();
  await page.getByRole("button", { name: "To the end" }).click();
  await logOf(fixture).getByText("Question 999?").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

test("what is typed in the editor while a fast model answers is kept, and whoever reads further up stays there", {
  skip: noChromium,
}, async (t) => {
  const text = Array.from(
    { length: 150 },
    (_, index) => `Paragraph ${index} with some **words** in it.\n\n`,
  ).join("");
  const fixture = await openBrowserFixture(t, {
    script: [{ text, chunkSize: 4, delayMs: 5 }],
    files: { "notes.md": "Start.\n" },
  });
  const { page } = fixture;
  await page.getByRole("treeitem", { name: /notes\.md/ }).dblclick();
  await page.getByRole("tab", { name: /notes\.md/ }).waitFor();
  await composer(fixture).fill("Go");
  await page.keyboard.press("Enter");
  await logOf(fixture).getByText("Paragraph 3 with").waitFor();
  await page.locator(".cm-content").click();
  // From the key to the frame that shows it.
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { times });
    addEventListener("keydown", () => {
      const start = performance.now();
      requestAnimationFrame(() => requestAnimationFrame(() => times.push(performance.now() - start)));
    });
  });
  await page.keyboard.type("These are forty letters or a bit more of it.", { delay: 20 });
  const times = await page.evaluate(() => Reflect.get(window, "times") as number[]);
  times.sort((one, other) => one - other);
  const middle = times[Math.floor(times.length / 2)] ?? Number.NaN;
  t.diagnostic(`a key is shown after ${middle.toFixed(1)} ms`);
  await page.getByText("These are forty letters").waitFor();

  await logOf(fixture).hover();
  await page.mouse.wheel(0, -400);
  const toEnd = page.getByRole("button", { name: /To the end|New messages/ });
  await toEnd.waitFor();
  // The wheel comes to rest.
  await page.waitForTimeout(400);
  const place = await logOf(fixture).evaluate((list) => list.scrollTop);
  await page.waitForTimeout(500);
  const later = await logOf(fixture).evaluate((list) => list.scrollTop);
  assert.ok(Math.abs(later - place) < 4, `what is being read stays in its place: ${place}, ${later}`);
  await toEnd.click();
  await logOf(fixture).getByText("Paragraph 149 with").waitFor();
  await toEnd.waitFor({ state: "detached" });
  assert.deepEqual(fixture.complaints, []);
});

test("what a model says can neither run nor load anything", { skip: noChromium }, async (t) => {
  const text = [
    "<img src=x onerror=\"document.title='run'\"> <script>document.title='run'</script>",
    "![a picture](http://127.0.0.1:9/picture.png)",
    "[evil](javascript:document.title='run') and [site](https://example.com) and [file](notes.md)",
    '<b style="position:fixed">raw</b>',
    "```js\nlet x = 1;\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
  ].join("\n\n");
  const fixture = await openBrowserFixture(t, { script: [{ text }], files: { "notes.md": "Here.\n" } });
  const { page } = fixture;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await composer(fixture).fill("Go");
  await page.keyboard.press("Enter");
  const site = logOf(fixture).getByRole("link", { name: "site" });
  await site.waitFor();
  assert.equal(await site.getAttribute("target"), "_blank");
  assert.match((await site.getAttribute("rel")) ?? "", /noopener/);
  assert.equal(await logOf(fixture).getByText("<b style=").count(), 1, "HTML is shown as it is written");
  assert.equal(await page.locator(".chat-list [src]").count(), 0);
  assert.equal(await page.locator(".chat-list a[href^='javascript']").count(), 0);
  await logOf(fixture).getByRole("link", { name: "file" }).click();
  await page.getByRole("tab", { name: /notes\.md/ }).waitFor();
  assert.notEqual(await page.title(), "run");
  assert.deepEqual(
    asked.filter((url) => url.includes("picture") || url.endsWith("/x")),
    [],
  );
  assert.deepEqual(fixture.complaints, []);
});
