// The page of the browser workspace, built once for each state of its sources.
//
//   node scripts/build-page.ts          builds it where that is needed, and prints the folder
//
// A build goes into a folder of its own and is then moved to its name, so two builds at once do not meet, and a name that
// exists is a build that is whole.

import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const builds = join(root, "node_modules", ".cache", "stet-page");
/** Builds that are kept; others may be in use. */
const keptBuilds = 12;

const sources = [
  "packages/web/index.html",
  "packages/web/vite.config.ts",
  "packages/web/public/**",
  "packages/{web,client,protocol,text}/src/**/*.{ts,tsx,css,svg}",
  "package-lock.json",
];

function sourceHash(): string {
  const hash = createHash("sha256");
  const files = globSync(sources, { cwd: root }).filter((path) => !path.endsWith(".test.ts"));
  for (const path of files.sort()) {
    if (!statSync(join(root, path)).isFile()) continue;
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/** The folder that holds the page; built first where there is none for the sources as they are. */
export async function buildPage(say: (text: string) => void = () => {}): Promise<string> {
  const folder = join(builds, sourceHash());
  if (existsSync(join(folder, "index.html"))) {
    const now = new Date();
    utimesSync(folder, now, now);
    return folder;
  }
  say("Building the page (once, a few seconds) …\n");
  mkdirSync(builds, { recursive: true });
  const unfinished = `${folder}.${process.pid}`;
  const { build } = await import("vite");
  await build({
    configFile: join(root, "packages/web/vite.config.ts"),
    build: { outDir: unfinished, emptyOutDir: true },
  });
  if (existsSync(folder)) rmSync(unfinished, { recursive: true, force: true });
  else renameSync(unfinished, folder);
  removeOld();
  return folder;
}

function removeOld(): void {
  const byAge = readdirSync(builds)
    .map((name) => ({ name, at: statSync(join(builds, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  for (const { name } of byAge.slice(keptBuilds))
    rmSync(join(builds, name), { recursive: true, force: true });
}

if (import.meta.main) {
  process.stdout.write(`${await buildPage((text) => process.stderr.write(text))}\n`);
}
