// The page for a server that is started from the repository: built where that is needed, then named in STET_PAGE.
//
//   node scripts/prepare-page.ts serve …          stet serve, with the page
//
// It is built by a process of its own, because the tools that do it would stay in the server's memory.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { start } from "../packages/cli/src/main.ts";

/** A page that cannot be built is told, and the server starts without it. */
export function preparePage(): void {
  if (process.env.STET_PAGE) return;
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "build-page.ts")],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  const folder = (stdout ?? "").trim().split("\n").at(-1) ?? "";
  if (status === 0 && folder !== "") process.env.STET_PAGE = folder;
  else
    process.stderr.write(
      "The page could not be built, so there is only the API. What went wrong is above.\n",
    );
}

if (import.meta.main) {
  preparePage();
  await start();
}
