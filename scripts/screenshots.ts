// `npm run screenshots`: pictures of every main view, in light and in dark, into docs/images. The page is the real one, on
// the sample project, with the practice model; those of the terminal are made by terminal-pictures.ts.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openBrowserFixture } from "../packages/testkit/src/browser.ts";
import { mainViews } from "../packages/testkit/src/main-views.ts";

const folder = join(import.meta.dirname, "../docs/images");
mkdirSync(folder, { recursive: true });

for (const theme of ["light", "dark"] as const) {
  const cleanups: (() => unknown)[] = [];
  const life = { after: (cleanup: unknown) => void cleanups.push(cleanup as () => unknown) };
  const fixture = await openBrowserFixture(life, {
    as: "process",
    isSample: true,
    theme,
    width: 1280,
    height: 800,
  });
  try {
    for (const view of mainViews) {
      process.stderr.write(`${view.name} (${theme}) …\n`);
      await view.show(fixture.page);
      // What still moves or loads comes to rest.
      await fixture.page.waitForTimeout(700);
      await fixture.page.screenshot({ path: join(folder, `${view.name}-${theme}.png`), caret: "initial" });
    }
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

await import("./terminal-pictures.ts");
