// Every main view, as people see it who see well, little, or not at all: nothing serious stands in their way.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { colourViolations, seriousViolations } from "@stet/testkit/accessibility";
import { type BrowserFixture, noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { sample } from "@stet/testkit/depth";
import { mainViews } from "@stet/testkit/main-views";
import { renaming } from "@stet/testkit/renamed-fixture";

const themes = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  contrast: { contrast: "more" },
} as const;
type Theme = keyof typeof themes;

async function putOn({ page }: BrowserFixture, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", contrast: "no-preference", ...themes[theme] });
  await page.locator(`html[data-theme="${theme}"]`).waitFor();
}

/** All rules in light colours, and in the others (one of them in `npm test`) those that are about colours. */
async function assertUsable(t: TestContext, fixture: BrowserFixture, view: string): Promise<void> {
  for (const theme of ["light", ...sample(t, ["dark", "contrast"] as const, 1)] as const) {
    await putOn(fixture, theme);
    const look = theme === "light" ? seriousViolations : colourViolations;
    assert.deepEqual(await look(fixture.page), [], `${view}, ${theme}`);
  }
  assert.equal(await fixture.page.getByRole("heading", { level: 1 }).count(), 1, `the heading of ${view}`);
}

test("every main view can be used by everyone, in all colours", { skip: noChromium }, async (t) => {
  const fixture = await openBrowserFixture(t, { isSample: true });
  for (const view of mainViews) {
    await view.show(fixture.page);
    await assertUsable(t, fixture, view.name);
  }
  assert.deepEqual(fixture.complaints, []);
});

test("files, editor, review and agent can be used by everyone at 390 pixels", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { isSample: true, width: 390, height: 780 });
  const { page } = fixture;
  const place = (name: string) =>
    page.getByRole("navigation", { name: "What is shown" }).getByRole("button", { name });
  await page.getByRole("button", { name: "Close the tour" }).click();
  await place("Agent").click();
  await page.getByRole("textbox", { name: "Message to the agent" }).fill(renaming);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("button", { name: "Review changes" }).waitFor();
  await assertUsable(t, fixture, "narrow agent");
  await page.getByRole("button", { name: "Review changes" }).click();
  await page.locator(".cm-content").getByText("Elias").first().waitFor();
  await assertUsable(t, fixture, "narrow editor");
  await place("Review").click();
  await page.getByRole("button", { name: "Accept all" }).waitFor();
  await assertUsable(t, fixture, "narrow review");
  await place("Files").click();
  await page.getByRole("treeitem", { name: "novel.md" }).waitFor();
  await assertUsable(t, fixture, "narrow files");
  assert.deepEqual(fixture.complaints, []);
});
