// The workspace in a real browser: `stet serve`, the page as it is built, and Chromium.
//
// Where there is no Chromium, a test with `{ skip: noChromium }` says so in one line. CHROMIUM names another place for it.

import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestContext } from "node:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { buildPage } from "../../../scripts/build-page.ts";
import { type ModelScript, type ScriptedModel, startScriptedModel } from "./scripted-model.ts";
import { type Served, serve } from "./served.ts";
import { temporaryFolder } from "./temporary.ts";

export interface BrowserFixtureOptions {
  readonly files?: Record<string, string | Uint8Array>;
  /** The practice model, unless there is a script. */
  readonly script?: ModelScript;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  readonly environment?: Readonly<Record<string, string>>;
  /** For the browser, beside the usual ones. */
  readonly flags?: readonly string[];
  /** The sample project, as `stet serve --sample` serves it, instead of files. */
  readonly isSample?: boolean;
  /** The server: in this process unless it is to be killed. */
  readonly as?: "call" | "process";
}

export interface BrowserFixture {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly served: Served;
  readonly root: string;
  readonly dataFolder: string;
  readonly model: ScriptedModel;
  /** What the browser said went wrong: exceptions, refused styles and scripts. A test should end with none. */
  readonly complaints: readonly string[];
  /** Another window of the same browser. */
  newWindow(): Promise<Page>;
  /** A file of the folder, as it is on disk. */
  read(path: string): string;
}

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function chromiumPath(): string | undefined {
  const { CHROMIUM, PATH = "" } = process.env;
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const places = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...(CHROMIUM ? [CHROMIUM] : []), ...places].find((path) => existsSync(path));
}

/** Why a test that needs it is skipped; false where it is there. */
export const noChromium =
  chromiumPath() === undefined && "there is no Chromium here; install it or set CHROMIUM to its place";

export async function startChromium(more: readonly string[] = []): Promise<Browser | undefined> {
  const executablePath = chromiumPath();
  return executablePath === undefined
    ? undefined
    : chromium.launch({ executablePath, args: [...flags, ...more] });
}

/** A browser for one room, and what gives it back. */
interface Borrowed {
  readonly browser: Browser | undefined;
  giveBack(): void | Promise<void>;
}

/** One browser for all rooms of a process that need no flags of their own: each is a context, which shares nothing with others. */
let shared: { readonly browser: Promise<Browser | undefined>; rooms: number } | undefined;

/** How long it waits for the next test. */
const grace = 500;

async function borrowChromium(): Promise<Borrowed> {
  shared ??= { browser: startChromium(), rooms: 0 };
  const borrowed = shared;
  borrowed.rooms += 1;
  const closeUnlessUsed = async () => {
    if (borrowed.rooms > 0 || shared !== borrowed) return;
    shared = undefined;
    await (await borrowed.browser)?.close();
  };
  return {
    browser: await borrowed.browser,
    giveBack() {
      borrowed.rooms -= 1;
      setTimeout(closeUnlessUsed, grace);
    },
  };
}

async function ownChromium(more: readonly string[]): Promise<Borrowed> {
  const browser = await startChromium(more);
  return { browser, giveBack: () => browser?.close() };
}

/** With STET_TEST_JITTER=400 each request is up to 400 ms late: finds what only happens where replies come in another order. */
async function jitter(context: BrowserContext): Promise<void> {
  const most = Number(process.env.STET_TEST_JITTER ?? 0);
  if (!(most > 0)) return;
  await context.route("**/api/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * most));
    await route.continue();
  });
}

/** What a person would see of a page at the end of a test that failed. */
async function looksOf(page: Page): Promise<string> {
  const tree = await page.locator("body").ariaSnapshot({ timeout: 5000 }).catch(String);
  return `${page.url()} when the test failed:\n${tree}`.slice(0, 20_000);
}

/** A folder served to a browser, all of it gone when the test ends. */
export async function openBrowserFixture(
  t: Pick<TestContext, "after"> & Partial<Pick<TestContext, "diagnostic">> & { readonly error?: unknown },
  options: BrowserFixtureOptions = {},
): Promise<BrowserFixture> {
  const { flags: more } = options;
  const { browser, giveBack } = await (more === undefined ? borrowChromium() : ownChromium(more));
  let context: BrowserContext | undefined;
  const asked: string[] = [];
  let served: Served | undefined;
  // Before the folders are removed: what is registered first is done first.
  t.after(async () => {
    if (t.error) {
      for (const page of context?.pages() ?? []) t.diagnostic?.(await looksOf(page));
      t.diagnostic?.(["What was asked for last:", ...asked].join("\n"));
    }
    await context?.close();
    await giveBack();
    await served?.kill();
  });
  if (browser === undefined) throw new Error("there is no Chromium");
  const { isSample = false, as = "call" } = options;
  const folder = temporaryFolder(t, options.files ?? { "notes.md": "# Notes\n\nOne.\nTwo.\nThree.\n" });
  const dataFolder = temporaryFolder(t);
  const root = isSample ? join(dataFolder, "samples", "lighthouse") : folder;
  const model = await startScriptedModel(options.script ?? []);
  t.after(() => model.close());
  served = await serve({
    root: folder,
    isSample,
    as,
    dataFolder,
    modelUrl: model.url,
    environment: {
      STET_PAGE: process.env.STET_PAGE ?? (await buildPage()),
      ...(options.script === undefined ? { STET_MODEL: "practice" } : {}),
      ...options.environment,
    },
  });
  const { url, token } = served;
  const { width = 1280, height = 800, theme = "light" } = options;
  context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  const complaints: string[] = [];
  context.on("response", (response) => {
    const request = response.request();
    if (request.method() === "GET") return;
    const { pathname } = new URL(request.url());
    asked.push(
      `${response.status()} ${request.method()} ${pathname} ${request.postData()?.slice(0, 200) ?? ""}`,
    );
    if (asked.length > 40) asked.shift();
  });
  const watch = (page: Page) => {
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    return page;
  };
  await jitter(context);
  const page = watch(await context.newPage());
  await page.goto(`${url}/#token=${token}`);
  return {
    page,
    context,
    served,
    root,
    dataFolder,
    model,
    complaints,
    async newWindow() {
      const other = watch(await context.newPage());
      await other.goto(`${url}/`);
      return other;
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
  };
}
