import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { startChromium } from "@stet/testkit/browser";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { serve } from "@stet/testkit/served";
import { temporaryFolder } from "@stet/testkit/temporary";
import { hasDisplay, redirectHtml } from "./open-browser.ts";

test("a real browser comes from the page in a file to the server, and is signed in there", async (t) => {
  const browser = await startChromium();
  if (browser === undefined)
    return t.skip("there is no Chromium here; install it or set CHROMIUM to its place");
  t.after(() => browser.close());
  const model = await startScriptedModel([]);
  t.after(() => model.close());
  const root = temporaryFolder(t, { "notes.md": "One.\n" });
  const { url, token, kill } = await serve({
    root,
    dataFolder: temporaryFolder(t),
    modelUrl: model.url,
    as: "call",
  });
  t.after(kill);
  const file = join(temporaryFolder(t), "open.html");
  writeFileSync(file, redirectHtml(`${url}/#token=${token}`));
  const page = await browser.newPage();
  const asked: (string | undefined)[] = [];
  page.on("request", async (request) => {
    if (request.isNavigationRequest() && request.url().startsWith("http"))
      asked.push((await request.allHeaders())["sec-fetch-site"]);
  });
  await page.goto(pathToFileURL(file).href);
  await page.waitForURL(`${url}/`);
  await page.getByText("this browser is signed in").waitFor();
  assert.equal(await page.getByText(root).count(), 1);
  assert.equal(await page.getByText("npm start").count(), 1, "the plain page says what is missing");
  assert.deepEqual(asked, ["cross-site"]);
  await page.goBack();
  assert.ok(!page.url().startsWith("file:"), "the page in the file is not in the history");
});

test("a link cannot become anything but a link in the page that leads to it", () => {
  const html = redirectHtml('http://127.0.0.1:1/#token=</script><b>"&');
  assert.equal(html.match(/<\/script>/g)?.length, 1);
  assert.ok(html.includes('href="http://127.0.0.1:1/#token=&lt;/script>&lt;b>&quot;&amp;"'));
});

test("a window is expected only where someone is likely to see it", () => {
  const cases: [NodeJS.ProcessEnv, NodeJS.Platform, boolean][] = [
    [{}, "linux", false],
    [{ DISPLAY: ":0" }, "linux", true],
    [{ WAYLAND_DISPLAY: "wayland-0" }, "linux", true],
    [{ DISPLAY: ":0", CI: "true" }, "linux", false],
    [{ DISPLAY: ":0", CI: "false" }, "linux", true],
    [{}, "darwin", true],
    [{ SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, "darwin", false],
    [{}, "win32", true],
  ];
  for (const [environment, platform, expected] of cases) {
    assert.equal(hasDisplay(environment, platform), expected, `${platform} ${JSON.stringify(environment)}`);
  }
});
