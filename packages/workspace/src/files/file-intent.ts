// What is being moved, taken away or brought back, written down before the disk is touched.
//
// There is one such record at most: whoever moves files holds the lock of saving. Where it is found, a process ended in
// between; the disk then says how far it came, and the ledger follows the disk. One that is damaged cannot be followed: it
// is moved aside, and that is told.

import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "@stet/protocol/fault";
import { isRecord } from "@stet/protocol/json-record";
import { attempt } from "@stet/protocol/system-fault";
import { replaceFile, writeAll } from "@stet/storage/durable-file";
import { tellNotice } from "@stet/storage/notices";
import { setAside } from "@stet/storage/set-aside";
import type { Step } from "../ledger/database.ts";

/** A document and the path that it had. */
export interface DocumentPath {
  readonly document: number;
  readonly path: string;
}

export type FileIntent =
  /** The documents are named as they were before. */
  | {
      readonly kind: "rename";
      readonly from: string;
      readonly to: string;
      readonly documents: readonly DocumentPath[];
    }
  /**
   * Something is taken away or brought back; the record of the deletion says what. `copy` is the inode of a copy that is
   * whole and about to take its place, where it comes back from another disk.
   */
  | { readonly kind: "deletion"; readonly id: string; readonly copy: number | null };

const intentPath = (stateFolder: string) => join(stateFolder, "file-intent.json");

export function writeFileIntent(stateFolder: string, intent: FileIntent, step: Step): Fault | undefined {
  step(`intent ${intent.kind}`);
  return writeDurably(intentPath(stateFolder), intent);
}

export function hasFileIntent(stateFolder: string): boolean {
  return lstatSync(intentPath(stateFolder), { throwIfNoEntry: false }) !== undefined;
}

/** What was under way when a process ended; undefined where nothing was. Only with the lock of saving. */
export function takeFileIntent(stateFolder: string): FileIntent | Fault | undefined {
  const path = intentPath(stateFolder);
  if (!hasFileIntent(stateFolder)) return undefined;
  const text = attempt("read", path, () => readFileSync(path, "utf8"));
  if (text instanceof Fault && !notAFile.has(String(text.details.code))) return text;
  const value = typeof text === "string" ? parsed(text) : undefined;
  if (isFileIntent(value)) return value;
  return attempt("moved aside", path, () => {
    tellNotice(damagedIntent(path, setAside(path)));
    return undefined;
  });
}

/** What reading a folder or a broken link is refused with. */
const notAFile = new Set(["EISDIR", "ENOENT", "ELOOP"]);

function damagedIntent(path: string, aside: string): Fault {
  return new Fault(
    "store_damaged",
    `${path} says what was being renamed, deleted or brought back when Stet was interrupted, and it is damaged. It is kept as ${aside}.`,
    "If something was, look whether it is in its old or its new place, or among what was deleted, and move it by hand.",
    { path, aside },
  );
}

export function removeFileIntent(stateFolder: string, step: Step): void {
  step("intent done");
  rmSync(intentPath(stateFolder), { force: true });
}

/** Writes a value as JSON, such that after a power cut it is there as a whole or not at all. */
export function writeDurably(path: string, value: unknown): Fault | undefined {
  return attempt("written", path, () => {
    replaceFile(path, `${path}.draft`, (descriptor) => {
      writeAll(descriptor, Buffer.from(`${JSON.stringify(value)}\n`));
    });
    return undefined;
  });
}

/** Undefined where there is none, or it is no JSON. */
export function readStored(path: string): unknown {
  const text = attempt("read", path, () => readFileSync(path, "utf8"));
  return text instanceof Fault ? undefined : parsed(text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFileIntent(value: unknown): value is FileIntent {
  if (!isRecord(value)) return false;
  const { copy } = value;
  if (value.kind === "deletion")
    return typeof value.id === "string" && (copy === null || Number.isInteger(copy));
  const areNamed = typeof value.from === "string" && typeof value.to === "string";
  return value.kind === "rename" && areNamed && areDocumentPaths(value.documents);
}

export function areDocumentPaths(value: unknown): value is DocumentPath[] {
  if (!Array.isArray(value)) return false;
  return value.every((item: unknown) => {
    return isRecord(item) && Number.isInteger(item.document) && typeof item.path === "string";
  });
}
