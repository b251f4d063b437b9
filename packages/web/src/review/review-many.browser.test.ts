// What a review of a thousand hunks in fifty files costs. Printed, not asserted: the machine decides.

import assert from "node:assert/strict";
import { test } from "node:test";
import { askAgent } from "@stet/testkit/ask-agent";
import { noChromium, openBrowserFixture } from "@stet/testkit/browser";
import { largeReview, makeLargeReview, paragraph } from "@stet/testkit/large-review";

const book = Array.from({ length: 1000 }, (_, index) => paragraph(index)).join("\nAnother line.\n\n");

test("a thousand changes in fifty files open, scroll and are accepted without a wait", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, largeReview);
  const { page } = fixture;
  page.setDefaultTimeout(20_000);
  await makeLargeReview(fixture);
  await page
    .getByText(/1.?000 changes to review/)
    .first()
    .waitFor();
  const opened = performance.now();
  await page.keyboard.press("Alt+4");
  const panel = page.getByRole("complementary", { name: "Review" });
  await panel.getByText("1,000 changes in 50 files").waitFor();
  await panel.locator("del").first().waitFor();
  const openedMs = performance.now() - opened;
  const frames = await page.evaluate(async () => {
    const list = document.querySelector(".review-rows");
    const times: number[] = [];
    let last = performance.now();
    for (let step = 0; step < 60 && list !== null; step += 1) {
      list.scrollTop += 700;
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - last);
      last = performance.now();
    }
    return times.sort((one, other) => one - other);
  });
  const accepted = performance.now();
  await panel.getByRole("button", { name: "Accept all" }).click();
  await panel.getByText("1,000 changes").waitFor({ state: "detached" });
  const shownMs = performance.now() - accepted;
  await page.getByText("Accepted 1,000 changes in 50 documents.").waitFor();
  const acceptedMs = performance.now() - accepted;
  t.diagnostic(
    `panel ${openedMs.toFixed(0)} ms; scroll p50 ${frames[30]?.toFixed(1)} ms, p95 ${frames[Math.floor(frames.length * 0.95)]?.toFixed(1)} ms; ` +
      `accept all: gone after ${shownMs.toFixed(0)} ms, decided after ${acceptedMs.toFixed(0)} ms`,
  );
  assert.deepEqual(fixture.complaints, []);
});

test("a thousand changes in one document can be typed in and gone through", {
  skip: noChromium,
}, async (t) => {
  const fixture = await openBrowserFixture(t, { files: { "book.md": book } });
  const { page } = fixture;
  page.setDefaultTimeout(20_000);
  await fixture.served.client.call("openTab", { body: { path: "book.md" } });
  await page.getByRole("tab", { name: /book.md/ }).click();
  await askAgent(fixture, "Rename Tobias to Elias in book.md", { toolset: "tabs" });
  await page.getByText("1,000 changes by the agent").waitFor();
  await page.locator(".cm-content").click();
  const times = await page.evaluate(async () => {
    const found: number[] = [];
    for (let key = 0; key < 60; key += 1) {
      const start = performance.now();
      document.execCommand("insertText", false, "x");
      await new Promise(requestAnimationFrame);
      found.push(performance.now() - start);
      await new Promise((done) => setTimeout(done, 20));
    }
    return found.sort((one, other) => one - other);
  });
  const start = performance.now();
  for (let step = 0; step < 20; step += 1) await page.keyboard.press("F7");
  await page.locator(".review-strip-at", { hasText: / of 1000/ }).waitFor();
  t.diagnostic(
    `typing p50 ${times[30]?.toFixed(1)} ms, p95 ${times[57]?.toFixed(1)} ms; ` +
      `20 × next ${(performance.now() - start).toFixed(0)} ms`,
  );
  assert.deepEqual(fixture.complaints, []);
});
