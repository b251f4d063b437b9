// Characters that turn text around or cannot be seen: nothing on the page holds one, wherever it comes from.

import assert from "node:assert/strict";
import { test } from "node:test";
import { askAgent } from "@stet/testkit/ask-agent";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";

const evil = "\u202e\u200b\u2066\u00ad";
const name = `a${evil}.md`;
const text = `# Title ${evil}\n\none ${evil} harbour\n\ntwo\n\nthree 👩‍🚒 ${evil}\n`;

/** Every text and every label of the page that holds one, with where it stands. */
function hiddenIn({ page }: BrowserFixture): Promise<string[]> {
  return page.evaluate(() => {
    const hidden = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (hidden.test(node.nodeValue ?? ""))
        found.push(`${node.parentElement?.className}: ${escape(node.nodeValue ?? "")}`);
    }
    for (const element of document.querySelectorAll("[title], [aria-label], [placeholder]"))
      for (const attribute of ["title", "aria-label", "placeholder"])
        if (hidden.test(element.getAttribute(attribute) ?? ""))
          found.push(
            `${attribute} of ${element.className}: ${escape(element.getAttribute(attribute) ?? "")}`,
          );
    if (hidden.test(document.title)) found.push(`title: ${escape(document.title)}`);
    return found;
  });
}

test("names, lines, changes, messages and calls show what would turn them around or hide in them", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, {
    files: { [name]: text, [`b${evil}/c.md`]: "harbour\n" },
    script: [
      { toolCalls: [{ name: "read_file", arguments: { file_path: name } }] },
      { toolCalls: [{ name: `tool${evil}`, arguments: { path: evil, [evil]: evil } }] },
      {
        toolCalls: [
          {
            name: "edit_file",
            arguments: {
              file_path: name,
              operation: "replace",
              start_line: 5,
              end_line: 5,
              new_text: `2 ${evil}`,
              rationale: evil,
            },
          },
        ],
      },
      { text: `Said **${evil}**.\n\n- \`${evil}\`\n` },
    ],
  });
  const { page } = fixture;
  await askAgent(fixture, `Change ${evil}`);
  await fixture.served.client.call("openTab", { body: { path: name } });
  await page.reload();
  const shown = async (where: string) => {
    assert.deepEqual(await hiddenIn(fixture), [], where);
    assert.match(await page.locator("body").innerText(), /⟨U\+202E⟩/, where);
  };
  await page.getByRole("tab", { name: /^a⟨U\+202E⟩/ }).click();
  await page.locator(".cm-content").waitFor();
  await shown("files and editor");
  await page.keyboard.press("Alt+4");
  const panel = page.getByRole("complementary", { name: "Review" });
  await panel.getByRole("button", { name: /^Line/ }).first().waitFor();
  await shown("review");
  assert.match(await panel.innerText(), /2 ⟨U\+202E⟩⟨U\+200B⟩/);
  await page.keyboard.press("Alt+5");
  await page.getByRole("tab", { name: "All checkpoints" }).click();
  await page
    .getByRole("button", { name: /Change ⟨U\+202E⟩/ })
    .first()
    .click();
  await shown("checkpoints");
  await page.getByRole("tab", { name: "This document" }).click();
  await page.locator(".history-turn").first().waitFor();
  await shown("turns");
  await page.keyboard.press("Alt+2");
  await page.getByLabel("Search for exact text").fill("harbour");
  await page.locator(".search-line").first().waitFor();
  await shown("search");
  assert.match(await page.locator(".search-results").innerText(), /one ⟨U\+202E⟩/);
  assert.match(await page.locator("body").innerText(), /👩‍🚒/);
  await page.keyboard.press("Alt+d");
  await page.getByRole("textbox", { name: "Before the open changes" }).waitFor();
  await shown("changes side by side");
  await page.getByRole("button", { name: "In one column" }).click();
  await page.getByRole("textbox", { name: "Open changes" }).waitFor();
  await shown("changes in one column");
  assert.equal(fixture.read(name), text);
  assert.deepEqual(fixture.complaints, []);
});

test("what a model offers as an answer shows it, too, on its button", { skip: noChromium }, async (t) => {
  const asked = { question: `Which ${evil}?`, options: [`This ${evil}`, "That"] };
  const fixture = await openBrowserFixture(t, {
    files: { "a.md": "one\n" },
    script: [{ toolCalls: [{ name: "clarify_user", arguments: asked }] }, { text: "Good." }],
  });
  const { page } = fixture;
  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.fill("Ask me.");
  await composer.press("Enter");
  await page.getByRole("button", { name: /^This ⟨U\+202E⟩/ }).waitFor();
  assert.deepEqual(await hiddenIn(fixture), []);
});
