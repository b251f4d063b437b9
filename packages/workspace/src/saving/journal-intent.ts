// The record of a group save: one file in the journal folder, whose name is the state of the group.
//
//   <group>.intent   temporary files may exist, no target was touched   → take back
//   <group>.ready    every new byte is safe in a temporary file         → finish
//   <group>.back     targets may have been replaced, and are restored   → take back
//
// The first is written under another name, synced and renamed, and a state is changed by renaming, so a record is
// never torn and going back needs no space. The content is one JSON object. It holds no name of a temporary file:
// those follow from the group and the place in the list, so that a forged record cannot name a file to remove.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { isRecord } from "@stet/protocol/json-record";
import { attempt } from "@stet/protocol/system-fault";
import { makeDurableFolder, syncFolder } from "@stet/storage/durable-file";
import { parsePath } from "../files/containment.ts";

export type IntentState = "intent" | "ready" | "back";

/** Called with a step's name before the step takes effect. Tests end the process there. */
export type Step = (name: string) => void;

export interface IntentFile {
  /** As the caller named it, relative to the root. */
  readonly path: string;
  /** Where the file really is, relative to the root, with forward slashes: no link on the way. */
  readonly target: string;
  /** The hash of the bytes before, or null when the file is created. */
  readonly old: string | null;
  /** The hash of the bytes after, or null when the file is removed. */
  readonly new: string | null;
  /** Null: as the system gives it to a new file. */
  readonly mode: number | null;
  /** `create` must not meet a file, `replace` renames over it, `copy` writes into it, so that its other names and
   * its owner stay. `remove` gives the file the name of what is kept. */
  readonly method: "create" | "replace" | "copy" | "remove";
  /** The caller's, kept for recovery. */
  readonly tag: string | null;
}

export interface Intent {
  readonly group: string;
  readonly root: string;
  readonly tag: string | null;
  /** Folders that did not exist, relative to the root, outermost first. */
  readonly folders: readonly string[];
  readonly files: readonly IntentFile[];
}

const format = 1;
const recordName = /^([0-9a-z]{17})\.(intent|ready|back)$/;
const hashPattern = /^sha256:[0-9a-f]{64}$/;

/** The new bytes of the file at this place in the group, beside its target. */
export function temporaryName(group: string, index: number): string {
  return `.stet-${group}-${index}.tmp`;
}

/** The old file, kept beside its target until the group is safe. */
export function keptName(group: string, index: number): string {
  return `.stet-${group}-${index}.old`;
}

export function writeIntent(journalFolder: string, intent: Intent, step: Step): Fault | undefined {
  const draft = join(journalFolder, `${intent.group}.draft`);
  const fault = attempt("written", "The journal", () => {
    // A journal that a power cut could make vanish as a whole would guard nothing.
    makeDurableFolder(journalFolder);
    step("intent");
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(descriptor, `${JSON.stringify({ format, ...intent })}\n`);
      step("intent-sync");
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    step("intent-rename");
    renameSync(draft, recordPath(journalFolder, intent.group, "intent"));
    step("intent-folder-sync");
    syncFolder(journalFolder);
    return undefined;
  });
  if (isFault(fault)) {
    // No target was touched: what may remain is found and removed by the next recovery.
    const removed = attempt("removed", "The journal", () => {
      rmSync(draft, { force: true });
      rmSync(recordPath(journalFolder, intent.group, "intent"), { force: true });
    });
    ignoreFault(removed);
  }
  return fault;
}

export function moveIntent(
  journalFolder: string,
  group: string,
  to: "ready" | "back",
  step: Step,
): Fault | undefined {
  return attempt("written", "The journal", () => {
    const ready = recordPath(journalFolder, group, "ready");
    const from = to === "back" && existsSync(ready) ? ready : recordPath(journalFolder, group, "intent");
    step(to);
    renameSync(from, recordPath(journalFolder, group, to));
    step(`${to}-sync`);
    syncFolder(journalFolder);
    return undefined;
  });
}

/** The end of a group: whatever its state, nothing is left to do. */
export function removeIntent(journalFolder: string, group: string, step: Step): Fault | undefined {
  return attempt("written", "The journal", () => {
    step("done");
    for (const state of ["intent", "ready", "back"] as const) {
      rmSync(recordPath(journalFolder, group, state), { force: true });
    }
    step("done-sync");
    syncFolder(journalFolder);
    return undefined;
  });
}

/** The groups on record, oldest first. Drafts, which no effect ever followed, are removed on the way. */
export function listIntents(journalFolder: string): { group: string; state: IntentState }[] | Fault {
  const names = attempt("listed", "The journal", () => readdirSync(journalFolder));
  if (isFault(names)) return names.error === "file_not_found" ? [] : names;
  const records: { group: string; state: IntentState }[] = [];
  for (const name of names.sort()) {
    const [, group, state] = recordName.exec(name) ?? [];
    if (group !== undefined && (state === "intent" || state === "ready" || state === "back")) {
      records.push({ group, state });
    } else if (name.endsWith(".draft")) {
      // A draft is no record: the next recovery tries again.
      ignoreFault(
        attempt("removed", "The journal", () => rmSync(join(journalFolder, name), { force: true })),
      );
    }
  }
  return records;
}

/** A record is trusted in nothing: every field is checked, and every path as if a model had named it. */
export function readIntent(journalFolder: string, group: string, state: IntentState): Intent | Fault {
  const file = recordPath(journalFolder, group, state);
  const text = attempt("read", "The journal", () => readFileSync(file, "utf8"));
  if (isFault(text)) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return damaged(file, "is not JSON");
  }
  if (!isIntent(value) || value.group !== group) return damaged(file, "does not have the fields of a record");
  for (const path of [...value.folders, ...value.files.flatMap((entry) => [entry.path, entry.target])]) {
    const plain = parsePath(path, "found");
    if (isFault(plain)) return plain;
    if (plain !== path || plain === ".") return damaged(file, `names ${JSON.stringify(path)}`);
  }
  return value;
}

function isIntent(value: unknown): value is Intent {
  return (
    isRecord(value) &&
    value.format === format &&
    typeof value.group === "string" &&
    typeof value.root === "string" &&
    isTag(value.tag) &&
    Array.isArray(value.folders) &&
    value.folders.every((folder) => typeof folder === "string") &&
    Array.isArray(value.files) &&
    value.files.every(isIntentFile)
  );
}

function isIntentFile(value: unknown): value is IntentFile {
  if (!isRecord(value) || typeof value.path !== "string" || typeof value.target !== "string") return false;
  const isCreated = value.method === "create";
  const isRemoved = value.method === "remove";
  return (
    (isCreated || isRemoved || value.method === "replace" || value.method === "copy") &&
    (isCreated ? value.old === null : isHash(value.old)) &&
    (isRemoved ? value.new === null : isHash(value.new)) &&
    (value.mode === null || Number.isInteger(value.mode)) &&
    isTag(value.tag)
  );
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && hashPattern.test(value);
}

function isTag(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function recordPath(journalFolder: string, group: string, state: IntentState): string {
  return join(journalFolder, `${group}.${state}`);
}

function damaged(file: string, problem: string): Fault {
  const message = `The journal's record ${file} ${problem}, so the save it describes was left alone.`;
  const suggestion =
    "Look at the files you saved last; then remove the record, and any file named .stet-*.tmp or .stet-*.old.";
  return new Fault("ledger_damaged", message, suggestion, { file });
}
