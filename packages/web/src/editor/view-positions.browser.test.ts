import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { becomes, openTab } from "@stet/testkit/renamed-fixture";

test("a reload keeps cursor and scroll, a narrower window the tab in front, and the palette what was deleted outside", {
  skip: noChromium,
}, async (t) => {
  const names = ["a", "b", "c", "d", "e", "f"].map((letter) => `a-rather-long-name-${letter}.md`);
  const text = Array.from({ length: 400 }, (_, index) => `Line ${index + 1}.`).join("\n\n");
  const fixture = await openBrowserFixture(t, {
    files: Object.fromEntries(names.map((name) => [name, text])),
  });
  const { page } = fixture;
  for (const name of names) await openTab(fixture, name);
  const last = names.at(-1) ?? "";
  const isAtTop = () => page.locator(".cm-scroller").evaluate(({ scrollTop }) => scrollTop === 0);
  await becomes(isAtTop, true);
  await page.reload();
  await page.getByText("Line 1.", { exact: true }).waitFor();
  await page.waitForTimeout(500);
  assert.equal(await isAtTop(), true, "the top of a document stays its top");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+g");
  await page.getByRole("textbox", { name: /Line, from 1 to/ }).fill("401");
  await page.keyboard.press("Enter");
  const place = page.getByRole("contentinfo").getByText("401:1");
  await place.waitFor();
  await page.getByText("Line 201.").waitFor();
  await page.reload();
  await place.waitFor();
  await page.getByText("Line 201.").waitFor();

  await page.setViewportSize({ width: 960, height: 700 });
  const tab = page.getByRole("tab", { name: last });
  const isInSight = async () => {
    const [bar, box] = [await page.getByRole("tablist").first().boundingBox(), await tab.boundingBox()];
    return bar !== null && box !== null && box.x >= bar.x - 1 && box.x + box.width <= bar.x + bar.width + 1;
  };
  await becomes(isInSight, true);

  rmSync(join(fixture.root, last));
  await page.getByText("The file was deleted. Save writes it again.").waitFor();
  await page.getByRole("tab", { name: names[0] ?? "" }).click();
  await page.keyboard.press("Control+p");
  await page.getByRole("combobox").fill("name-f");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("tab", { name: last, selected: true }).waitFor();
  assert.deepEqual(fixture.complaints, []);
});
