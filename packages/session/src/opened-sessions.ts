// Which sessions of a project were opened last, so that the latest ones are found without looking at every file.
//
// `<project>/.opened` has one file name a line, the last one opened at its end. A session's file changes when it is created, and
// its name says when that was, or after it was opened, and then it is listed here. So the latest sessions are among the
// newest names and the names in this list; their own times decide. Where the list is missing, nothing is known of any file.

import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ignoreFault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { replaceFile, writeAll } from "@stet/storage/durable-file";
import { writePrivateFile } from "@stet/storage/private-files";

const listName = ".opened";
const maxBytes = 64 * 1024;
/** So many names remain when the list has become too long. */
const namesAfterTrim = 200;

/** Notes that a session is open and may change from here on. */
export function noteOpened(sessionPath: string): void {
  const folder = dirname(sessionPath);
  const names = readNames(folder);
  const name = basename(sessionPath);
  if (names === undefined || names.at(-1) === name) return;
  const path = join(folder, listName);
  const noted = attempt("written", path, () => {
    if (names.length * (name.length + 1) < maxBytes) writePrivateFile(path, `${name}\n`, "a");
    else keepOpened(folder, [...new Set([...names, name].reverse())].slice(0, namesAfterTrim).reverse());
  });
  // It is a shortcut: a session that cannot be noted can still be used.
  ignoreFault(noted);
}

/** Begins the list anew with these names, the last one opened at the end. */
export function keepOpened(folder: string, names: readonly string[]): void {
  const path = join(folder, listName);
  const content = Buffer.from(names.map((name) => `${name}\n`).join(""));
  const written = attempt("written", path, () =>
    replaceFile(path, `${path}.${process.pid}`, (descriptor) => writeAll(descriptor, content)),
  );
  // A list that is missing or old only makes looking for sessions slower.
  ignoreFault(written);
}

/** Undefined where there is no list. */
export function openedNames(folder: string): ReadonlySet<string> | undefined {
  const names = readNames(folder);
  return names === undefined ? undefined : new Set(names);
}

function readNames(folder: string): string[] | undefined {
  const path = join(folder, listName);
  const content = attempt("read", path, () => readFileSync(path, "utf8"));
  return isFault(content) ? undefined : content.split("\n").filter((name) => name !== "");
}
