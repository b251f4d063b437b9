// Every main view, as people see it who see well, little, or not at all: nothing serious stands in their way.

import assert from "node:assert/strict";
import { test } from "node:test";
import { seriousViolations } from "@stet/testkit/accessibility";
import { openRoom, type Room } from "@stet/testkit/browser";
import { mainViews } from "@stet/testkit/main-views";
import { renaming } from "@stet/testkit/renamed-room";

const themes = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  contrast: { contrast: "more" },
} as const;
type Theme = keyof typeof themes;

async function putOn({ page }: Room, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", contrast: "no-preference", ...themes[theme] });
  await page.locator(`html[data-theme="${theme}"]`).waitFor();
}

async function assertUsable(room: Room, view: string): Promise<void> {
  // What fades in has its colours only when it is there.
  await room.page.waitForTimeout(300);
  assert.deepEqual(await seriousViolations(room.page), [], view);
  assert.equal(await room.page.getByRole("heading", { level: 1 }).count(), 1, `the heading of ${view}`);
}

for (const theme of ["light", "dark", "contrast"] as const) {
  test(`every main view can be used by everyone in ${theme} colours`, async (t) => {
    const room = await openRoom(t, { isSample: true });
    if (room === undefined) return;
    await putOn(room, theme);
    for (const view of mainViews) {
      await view.show(room.page);
      await assertUsable(room, `${view.name}, ${theme}`);
    }
    assert.deepEqual(room.complaints, []);
  });
}

test("files, editor, review and agent can be used by everyone at 390 pixels", async (t) => {
  const room = await openRoom(t, { isSample: true, width: 390, height: 780 });
  if (room === undefined) return;
  const { page } = room;
  const place = (name: string) =>
    page.getByRole("navigation", { name: "What is shown" }).getByRole("button", { name });
  const inAllThemes = async (view: string) => {
    for (const theme of ["light", "dark", "contrast"] as const) {
      await putOn(room, theme);
      await assertUsable(room, `${view}, ${theme}, narrow`);
    }
  };
  await page.getByRole("button", { name: "Close the tour" }).click();
  await place("Agent").click();
  await page.getByRole("textbox", { name: "Message to the agent" }).fill(renaming);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("button", { name: "Review changes" }).waitFor();
  await inAllThemes("agent");
  await page.getByRole("button", { name: "Review changes" }).click();
  await page.locator(".cm-content").getByText("Elias").first().waitFor();
  await inAllThemes("editor");
  await place("Review").click();
  await page.getByRole("button", { name: "Accept all" }).waitFor();
  await inAllThemes("review");
  await place("Files").click();
  await page.getByRole("treeitem", { name: "novel.md" }).waitFor();
  await inAllThemes("files");
  assert.deepEqual(room.complaints, []);
});
