// The workspace in a real browser, from the click to the picture. Without Chromium, these say so and measure nothing.
//
// Chromium draws frames as fast as it can here, instead of 60 a second: a wait for the next frame would hide what is
// measured. Times are taken inside the page.

import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import {
  type BrowserFixture,
  type BrowserFixtureOptions,
  chromiumPath,
  openBrowserFixture,
} from "../packages/testkit/src/browser.ts";
import { largeReview, makeLargeReview } from "../packages/testkit/src/large-review.ts";
import { longConversation } from "../packages/testkit/src/long-conversation.ts";
import type { Bench, Measured } from "./bench.ts";
import { book, slowTalk } from "./browser-fixtures.ts";

const runs = 3;
const flags = ["--disable-frame-rate-limit", "--disable-gpu-vsync"];

/** Something to do in a room of its own; the room is gone afterwards. */
async function inRoom<T>(
  options: BrowserFixtureOptions,
  action: (fixture: BrowserFixture) => Promise<T>,
): Promise<T> {
  const cleanups: (() => unknown)[] = [];
  const fixture = await openBrowserFixture(
    { after: (cleanup) => void cleanups.push(cleanup as () => unknown) },
    { flags, as: "process", ...options },
  );
  try {
    return await action(fixture);
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

function bench(
  name: string,
  what: string,
  goal: string,
  limit: number,
  unit: string,
  measure: () => Promise<number>,
): Bench {
  return {
    name,
    what,
    versus: "",
    goal,
    isReached: ({ value }: Measured) => value <= limit,
    measure: async () => ({ value: await measure(), unit, against: null, ratio: null }),
  };
}

async function least(times: number, measure: () => Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < times; run += 1) shortest = Math.min(shortest, await measure());
  return shortest;
}

/** Milliseconds from now, in the page, until there is a picture in which the condition holds. */
function untilPainted(page: Page, condition: string, start = "performance.now()"): Promise<number> {
  return page.evaluate(
    `(async () => {
      const start = ${start};
      while (!(${condition})) {
        if (performance.now() - start > 30_000) throw new Error("it did not come");
        await new Promise((done) => setTimeout(done, 1));
      }
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
      return performance.now() - start;
    })()`,
  );
}

/** Remembers when the person last did something, as `actedAt`. */
async function watchActions(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const type of ["pointerup", "keydown"]) {
      const remember = ({ timeStamp }: Event) => Object.assign(globalThis, { actedAt: timeStamp });
      addEventListener(type, remember, { capture: true });
    }
  });
}

const isEditable = `document.querySelector(".document-view .cm-content")?.textContent?.includes("Call me Ishmael")`;

/** Cold: a browser that has seen nothing, from the beginning of the navigation. */
function firstLoad(): Promise<number> {
  return least(runs, () =>
    inRoom({ files: { "book.md": "# One\n\nCall me Ishmael.\n" } }, async ({ served, page, context }) => {
      await served.client.call("openTab", { body: { path: "book.md" } });
      await page.close();
      const fresh = await context.newPage();
      const session = await context.newCDPSession(fresh);
      await session.send("Network.clearBrowserCache");
      await fresh.goto(served.url, { waitUntil: "commit" });
      return untilPainted(fresh, isEditable, "0");
    }),
  );
}

/** Everything that the first screen loads, as a server that compresses would send it. */
function firstScript(): Promise<number> {
  return inRoom(
    { files: { "book.md": "# One\n\nCall me Ishmael.\n" } },
    async ({ served, page, context }) => {
      await served.client.call("openTab", { body: { path: "book.md" } });
      await page.close();
      const fresh = await context.newPage();
      let bytes = 0;
      const bodies: Promise<void>[] = [];
      fresh.on("response", (response) => {
        if (!response.url().endsWith(".js")) return;
        bodies.push(
          response.body().then((body) => {
            bytes += gzipSync(body).length;
          }),
        );
      });
      await fresh.goto(served.url);
      await untilPainted(fresh, isEditable);
      await Promise.all(bodies);
      return bytes / 1000;
    },
  );
}

const editorText = `document.querySelector(".document-view .cm-content")?.textContent ?? ""`;

/** From the click on the file to a painted text, and from there to its painted end. */
function openBook(name: string, content: string, ending: string): Promise<number> {
  return least(runs, () =>
    inRoom({ files: { [name]: content, "other.md": "Nothing.\n" } }, async ({ page }) => {
      const item = page.getByRole("treeitem", { name: new RegExp(name) });
      await item.waitFor();
      await watchActions(page);
      await item.click();
      const opened = await untilPainted(page, `(${editorText}).length > 200`, "globalThis.actedAt");
      await page.locator(".cm-content").focus();
      await page.keyboard.press("Control+End");
      const end = `(${editorText}).includes(${JSON.stringify(ending)})`;
      const jumped = await untilPainted(page, end, "globalThis.actedAt");
      return opened + jumped;
    }),
  );
}

/** The 95th percentile of what lies between a key and its text laid out, or its picture, while the agent talks. */
function typing(until: "laid out" | "painted"): Promise<number> {
  return least(runs, () =>
    inRoom({ files: { "moby.txt": book() }, script: slowTalk(200), flags: [] }, async ({ page }) => {
      await page.getByRole("treeitem", { name: /moby/ }).click();
      await page.locator(".cm-content").waitFor();
      await page.getByRole("textbox", { name: "Message to the agent" }).fill("Talk.");
      await page.keyboard.press("Enter");
      await page.getByText("word 100 ", { exact: false }).first().waitFor();
      await page.locator(".cm-content").click();
      await page.evaluate((isPainted) => {
        const latencies: number[] = [];
        Object.assign(globalThis, { latencies });
        let pressedAt = 0;
        const isThere = () => {
          document.querySelector(".cm-content")?.getBoundingClientRect();
          latencies.push(performance.now() - pressedAt);
        };
        const remember = ({ timeStamp }: Event) => {
          pressedAt = timeStamp;
        };
        // The editor has taken the key over when its own listener is done, which comes before this one.
        const wait = () => {
          if (isPainted) requestAnimationFrame(() => setTimeout(isThere, 0));
          else isThere();
        };
        addEventListener("keydown", remember, { capture: true });
        addEventListener("input", wait);
      }, until === "painted");
      const sentence = "The sea was calm, and nobody on the island had seen it so for years. ";
      await page.keyboard.type(sentence.repeat(3), { delay: 40 });
      const latencies: number[] = await page.evaluate("globalThis.latencies");
      latencies.sort((one, other) => one - other);
      return latencies[Math.floor(latencies.length * 0.95)] ?? Number.POSITIVE_INFINITY;
    }),
  );
}

/** The panel of a review of 1,000 changes in 50 files: opened, scrolled, and all of it accepted. */
async function review(part: "open" | "frames" | "accept"): Promise<number> {
  return inRoom(largeReview, async (fixture) => {
    await makeLargeReview(fixture);
    const { page } = fixture;
    const rows = `document.querySelectorAll(".left-panel del").length > 3`;
    await page.reload();
    const button = page.getByRole("button", { name: /^Review, 1000|^Review, 1,000|^Review/ }).first();
    await button.waitFor();
    await page.waitForTimeout(1500);
    await watchActions(page);
    await button.click();
    const opened = await untilPainted(page, rows, "globalThis.actedAt");
    if (part === "open") return opened;
    if (part === "frames") return slowestFrames(page);
    await page.getByRole("button", { name: /Accept all/ }).click();
    const confirm = page.getByRole("dialog").getByRole("button", { name: /Accept/ });
    if ((await confirm.count()) > 0) await confirm.click();
    return untilPainted(page, `!(${rows})`, "globalThis.actedAt");
  });
}

/** How long the frames of a scroll through the whole list take, the 95th percentile. */
async function slowestFrames(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const list = [...document.querySelectorAll<HTMLElement>(".left-panel *")].find(
      (element) => element.scrollHeight > 4 * element.clientHeight && element.clientHeight > 200,
    );
    if (list === undefined) throw new Error("there is no long list to scroll");
    const times: number[] = [];
    let last = performance.now();
    for (let step = 0; step < 200; step += 1) {
      list.scrollTop += 120;
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
      const now = performance.now();
      times.push(now - last);
      last = now;
    }
    times.sort((one, other) => one - other);
    return times[Math.floor(times.length * 0.95)] ?? 0;
  });
}

function chat(): Promise<number> {
  return least(runs, () =>
    inRoom({}, async (fixture) => {
      await longConversation(fixture, 1000);
      const { page } = fixture;
      await page.reload();
      await page.getByRole("button", { name: "Conversations" }).click();
      const choice = page.getByRole("dialog").getByRole("button", { name: /^Long/ });
      await choice.waitFor();
      await watchActions(page);
      await choice.click();
      return untilPainted(
        page,
        `document.querySelector(".chat-list")?.textContent?.includes("Answer 999")`,
        "globalThis.actedAt",
      );
    }),
  );
}

const big = () =>
  `${"The quick brown fox jumps over the lazy dog again.\n".repeat(205_000)}The last line of all.\n`;

const all: readonly Bench[] = [
  bench(
    "browser/load",
    "first load to a usable editor, cold cache",
    "at most 1,000 ms",
    1000,
    "ms",
    firstLoad,
  ),
  bench(
    "browser/script",
    "JavaScript of the first screen, gzipped",
    "at most 350 KB",
    350,
    "KB",
    firstScript,
  ),
  bench("browser/book", "open Moby-Dick and jump to its end, painted", "at most 300 ms", 300, "ms", () =>
    openBook("moby.txt", book(), "End of the book."),
  ),
  bench(
    "browser/typing",
    "a key to its text laid out, p95, while 200 tokens a second stream",
    "at most 16 ms",
    16,
    "ms",
    () => typing("laid out"),
  ),
  bench(
    "browser/picture",
    "the same to the next picture, of which there are 60 a second",
    "at most 33 ms",
    33,
    "ms",
    () => typing("painted"),
  ),
  bench("browser/review", "open a review of 1,000 changes in 50 files", "at most 1,000 ms", 1000, "ms", () =>
    review("open"),
  ),
  bench("browser/scroll", "a frame while scrolling through it, p95", "at most 20 ms", 20, "ms", () =>
    review("frames"),
  ),
  bench("browser/accept", "accept all of it", "at most 1,000 ms", 1000, "ms", () => review("accept")),
  bench("browser/large", "open a file of 10 MB and jump to its end", "at most 2,000 ms", 2000, "ms", () =>
    openBook("large.txt", big(), "The last line of all."),
  ),
  bench("browser/chat", "open a conversation of 2,000 messages", "at most 1,000 ms", 1000, "ms", chat),
];

export const benches: readonly Bench[] = chromiumPath() === undefined ? [] : all;
