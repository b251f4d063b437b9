// Opening the page and a tab in a real browser, in a folder that was used for a long time and in a new one.

import type { Page } from "playwright-core";
import { startChromium } from "../packages/testkit/src/browser.ts";
import { must } from "../packages/testkit/src/workspace.ts";
import { buildPage } from "../scripts/build-page.ts";
import type { MeasurePage } from "./growth.ts";

/** Milliseconds of the page's own clock until the editor shows a text. */
function untilShown(page: Page, text: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const shown = () => document.querySelector(".document-view .cm-content")?.textContent ?? "";
    for (const started = performance.now(); !shown().includes(wanted); ) {
      if (performance.now() - started > 30_000) throw new Error(`${wanted} was not shown`);
      await new Promise((done) => setTimeout(done, 1));
    }
    await new Promise((done) => requestAnimationFrame(done));
    return performance.now();
  }, text);
}

export const measurePage: MeasurePage = async (what, compare, withServers) => {
  const browser = await startChromium();
  if (browser === undefined)
    throw new Error("there is no Chromium here; install it or set CHROMIUM to its place");
  const STET_PAGE = process.env.STET_PAGE ?? (await buildPage());
  try {
    return await withServers(
      (both) =>
        compare(7, async (which) => {
          const { url, token, client } = both[which];
          const context = await browser.newContext({ viewport: { width: 1280, height: 1200 } });
          const page = await context.newPage();
          try {
            const { tab_id } = must(await client.call("openTab", { body: { path: "part-1/note-1.md" } }));
            await page.goto(`${url}/#token=${token}`);
            await untilShown(page, "Line 31 of");
            if (what === "page") {
              await page.goto("about:blank");
              await page.goto(url, { waitUntil: "commit" });
              return await untilShown(page, "Line 31 of");
            }
            must(await client.call("closeTab", { params: { tab_id } }));
            await page.getByRole("treeitem", { name: "part-2", exact: true }).click();
            const file = page.getByRole("treeitem", { name: /note-2\.md/ }).first();
            await file.waitFor();
            await page.waitForTimeout(300);
            const before = await page.evaluate(() => performance.now());
            await file.click();
            return (await untilShown(page, "of a note")) - before;
          } finally {
            await context.close();
          }
        }),
      { STET_PAGE },
    );
  } finally {
    await browser.close();
  }
};
