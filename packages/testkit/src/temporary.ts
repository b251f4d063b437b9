// A temporary folder for one test, removed when the test ends.

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

/** Creates the folder, with the given files in it. Names may contain folders. */
export function temporaryFolder(
  t: Pick<TestContext, "after">,
  files: Record<string, string | Uint8Array> = {},
): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "stet-test-")));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
}

/** The same on another disk than other temporary folders are on; undefined where there is only one. */
export function folderOnOtherDisk(t: Pick<TestContext, "after">): string | undefined {
  const { dev } = statSync(tmpdir());
  const other = ["/dev/shm", "/tmp"].find((path) => existsSync(path) && statSync(path).dev !== dev);
  if (other === undefined) return undefined;
  const folder = mkdtempSync(join(other, "stet-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Whether every user of the machine may enter a folder and all folders above it. */
export function isOpenToAll(folder: string): boolean {
  const { mode } = statSync(folder);
  const parent = dirname(folder);
  return (mode & 0o001) !== 0 && (parent === folder || isOpenToAll(parent));
}
