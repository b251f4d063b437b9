// Every main view of the browser workspace on the sample project, one after another as a person would come to it. For
// pictures, and for checks that hold in all of them.

import type { Page } from "playwright-core";
import { renaming } from "./renamed-fixture.ts";

export interface MainView {
  readonly name: string;
  /** Goes there from the view before. */
  show(page: Page): Promise<void>;
}

const panel = (page: Page, name: RegExp) =>
  page.getByRole("navigation", { name: "Panels" }).getByRole("button", { name });
const file = (page: Page, name: string) => page.getByRole("treeitem", { name: new RegExp(`^${name}`) });

const reading = "Run `wc -w novel.md notes/*.md`";
const sending =
  "Send three agents (@task): Rename Mara to Nora in notes/characters.md; Where is the lamp mentioned?; Which files are there?";
const writing = "Run `node tools/count-words.js > notes/words.txt`";

export const mainViews: readonly MainView[] = [
  {
    name: "tour",
    async show(page) {
      await page.getByRole("button", { name: "Start the tour" }).waitFor();
      await file(page, "novel.md").click();
      await page.getByText("Chapter 1: The Lamp").first().waitFor();
    },
  },
  {
    name: "editor",
    async show(page) {
      await page.getByRole("button", { name: "Close the tour" }).click();
      await panel(page, /^Outline/).click();
      await page.getByRole("treeitem", { name: /Chapter 3/ }).click();
    },
  },
  {
    name: "asked",
    async show(page) {
      await panel(page, /^Files/).click();
      await page.getByRole("textbox", { name: "Message to the agent" }).fill(renaming);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Review changes" }).waitFor();
    },
  },
  {
    name: "review",
    async show(page) {
      await page.getByRole("button", { name: "Review changes" }).click();
      await page.getByRole("button", { name: "Accept all" }).waitFor();
      await page.locator(".cm-content").getByText("Ketteridge").first().waitFor();
    },
  },
  {
    name: "diff",
    async show(page) {
      await page.keyboard.press("Alt+d");
      await page.getByRole("tab", { name: /\(changes\)/ }).waitFor();
      await page.locator(".cm-merge-b, .cm-changedLine").first().waitFor();
    },
  },
  {
    name: "history",
    async show(page) {
      await page.keyboard.press("Alt+w");
      await panel(page, /^History/).click();
      await page.getByRole("region", { name: /Turns/ }).getByText(renaming).first().click();
    },
  },
  {
    name: "checkpoints",
    async show(page) {
      await page.getByRole("tab", { name: "All checkpoints" }).click();
      // Not the conversation, which has the same name.
      const history = page.getByRole("complementary", { name: "History" });
      await history.getByText(renaming).first().click();
      await page.getByRole("button", { name: "Compare novel.md three ways" }).waitFor();
    },
  },
  {
    name: "compare",
    async show(page) {
      await page.getByRole("button", { name: "Compare novel.md three ways" }).click();
      await page.getByRole("region", { name: "Three sides of the file" }).waitFor();
    },
  },
  {
    name: "conversation",
    async show(page) {
      await page.keyboard.press("Alt+w");
      await page.getByRole("button", { name: "Show the conversation as a tree" }).click();
      await page.getByRole("tree", { name: "The conversation as a tree" }).waitFor();
    },
  },
  {
    name: "search",
    async show(page) {
      await page.keyboard.press("Alt+w");
      await page.keyboard.press("Control+Shift+f");
      await page
        .getByRole("searchbox", { name: "Search for exact text" })
        .or(page.getByRole("textbox", { name: "Search for exact text" }))
        .fill("Mara");
      // Rows are hidden until they are measured, and what is hidden cannot be reached by keyboard.
      await page.locator(".search-line").first().waitFor();
    },
  },
  {
    name: "palette",
    async show(page) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("> review");
      await page.getByRole("option").first().waitFor();
    },
  },
  {
    // A command that only reads has run; one that writes waits for permission.
    name: "code",
    async show(page) {
      await page.keyboard.press("Escape");
      await panel(page, /^Files/).click();
      await page.getByRole("button", { name: "Hide this note" }).click();
      await page.getByRole("button", { name: "New conversation", exact: true }).click();
      await page.getByRole("button", { name: "Switch toolset" }).click();
      await page.getByRole("button", { name: /^Code/ }).click();
      const message = page.getByRole("textbox", { name: "Message to the agent" });
      await message.fill(reading);
      await page.keyboard.press("Enter");
      await page.getByText("notes/timeline.md").last().waitFor();
      await page.getByRole("button", { name: "Stop the agent" }).waitFor({ state: "detached" });
      await message.fill(writing);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Deny", exact: true }).waitFor();
    },
  },
  {
    // Two agents have found what they were sent for; the third asks whether it may edit.
    name: "agents",
    async show(page) {
      await page.getByRole("button", { name: "Deny", exact: true }).click();
      await page.getByRole("button", { name: "Stop the agent" }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "New conversation", exact: true }).click();
      await page.getByRole("textbox", { name: "Message to the agent" }).fill(sending);
      await page.keyboard.press("Enter");
      const section = page.getByRole("region", { name: "Agents and background" });
      await section.getByText(/done/).nth(1).waitFor();
      await section.locator(".chat-question.open").waitFor();
    },
  },
];
