// Opening the page and a tab in a real browser, in a folder that was used for a long time and in a new one.

import type { BrowserContext, Page } from "playwright-core";
import { startChromium } from "../packages/testkit/src/browser.ts";
import type { Served } from "../packages/testkit/src/served.ts";
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
  // High enough for a line that no turn has changed.
  const viewport = { width: 1280, height: 1200 };
  const signedIn = new Map<string, BrowserContext>();
  /** A link signs one browser in, once. */
  const contextAt = async ({ url, token }: Served): Promise<BrowserContext> => {
    const known = signedIn.get(url);
    if (known !== undefined) return known;
    const context = await browser.newContext({ viewport });
    signedIn.set(url, context);
    const page = await context.newPage();
    await page.goto(`${url}/#token=${token}`);
    await untilShown(page, "Line 31 of");
    await page.close();
    return context;
  };
  try {
    return await withServers(
      (both) =>
        compare(7, async (which) => {
          const { url, client } = both[which];
          must(await client.call("openTab", { body: { path: "part-1/note-1.md" } }));
          const page = await (await contextAt(both[which])).newPage();
          try {
            await page.goto(url, { waitUntil: "commit" });
            const opened = await untilShown(page, "Line 31 of");
            if (what === "page") return opened;
            for (const { tab_id } of must(await client.call("listTabs")).tabs)
              must(await client.call("closeTab", { params: { tab_id } }));
            const file = page.getByRole("treeitem", { name: /note-51\.md/ }).first();
            if ((await file.count()) === 0)
              await page.getByRole("treeitem", { name: "part-1", exact: true }).click();
            await file.waitFor();
            await page.locator(".document-view").waitFor({ state: "detached" });
            const before = await page.evaluate(() => performance.now());
            await file.click();
            return (await untilShown(page, "Line 31 of")) - before;
          } finally {
            await page.close();
          }
        }),
      { STET_PAGE },
    );
  } finally {
    await browser.close();
  }
};
