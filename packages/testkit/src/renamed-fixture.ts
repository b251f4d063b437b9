// A folder in which the practice model has renamed somebody, in a browser: for what comes after a turn.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { askAgent } from "./ask-agent.ts";
import { type BrowserFixture, type BrowserFixtureOptions, openBrowserFixture } from "./browser.ts";

export const storyFiles = {
  "novel.md":
    "# The Lamp\n\nTobias came late.\n\nThe sea was grey, and it stayed grey for a long time.\n\nMara did not look up.\n\nThe radio was silent.\n\nNobody spoke for an hour.\n\nThen Tobias laughed.\n",
  "notes/people.md": "# People\n\n- Tobias, harbour master\n- Mara, keeper\n",
  "tools/names.js": 'const name = "Tobias";\nconsole.log(name);\n',
};
export const renaming = "Rename Tobias to Elias in all files";

export interface RenamedOptions extends BrowserFixtureOptions {
  /** A file that is open in a tab, and seen, before the agent is asked. */
  readonly tab?: string;
}

/** The page shows it as after a reload. */
export async function openRenamed(t: TestContext, options: RenamedOptions = {}): Promise<BrowserFixture> {
  const fixture = await openBrowserFixture(t, { files: storyFiles, ...options });
  if (options.tab !== undefined) await openTab(fixture, options.tab);
  await askAgent(fixture, renaming);
  return fixture;
}

/** Opens a file in a tab, and looks at it. */
export async function openTab(fixture: BrowserFixture, path: string): Promise<void> {
  await fixture.served.client.call("openTab", { body: { path } });
  await fixture.page.getByRole("tab", { name: new RegExp(path) }).click();
  await fixture.page.locator(".cm-content").waitFor();
}

/** A document as it is now, which opens a tab for it. */
export async function textOf({ served: { client } }: BrowserFixture, path: string): Promise<string> {
  const tab = await client.call("openTab", { body: { path } });
  assert.ok(!isFault(tab));
  const document = await client.call("getDocument", { params: { document: tab.document } });
  assert.ok(!isFault(document));
  return document.text;
}

/** Reads until it is as expected; after ten seconds the difference is an error. */
export async function becomes<T>(read: () => T | Promise<T>, expected: T): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await read()) === expected) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.equal(await read(), expected);
}
