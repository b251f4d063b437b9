// A plain file, whole. Who replaces an existing file has seen all of it; its lines that stay the same stay untouched, with
// their line ends, and so does its byte order mark.

import { closeSync } from "node:fs";
import type { Text } from "@codemirror/state";
import type { ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { countLines } from "@stet/text/lines";
import type { Location } from "@stet/workspace/files/containment";
import { openRegular } from "@stet/workspace/files/files";
import { confirmHint } from "../../sight/unseen-text.ts";
import type { CodeContext } from "../code-context.ts";
import type { FileStep, OpenFile } from "../code-files.ts";
import { detailsOf, type EditDetails } from "../edit/edit-outcome.ts";
import { generatedFault } from "../edit/generated-file.ts";
import { makeExecutable } from "../executable.ts";
import { hugeFileBytes } from "../read/huge-file.ts";
import { parseSelector } from "../read/selector.ts";
import { sizeName } from "../read/size-name.ts";
import { withoutPastedAnchors } from "./pasted-anchors.ts";
import { snapshotHeader } from "./snapshot-header.ts";

export interface WriteDetails extends EditDetails {
  /** The file begins with `#!` and can be run since this write. */
  readonly madeExecutable: boolean;
}

export async function writeFile(
  context: CodeContext,
  path: string,
  given: string,
  removeUnseen: boolean,
): Promise<ToolOutcome | Fault> {
  const location = context.workspace.documents.locate(path);
  if (isFault(location)) return location;
  const wrongPath = location.exists ? undefined : selectorFault(context, path);
  if (wrongPath !== undefined) return wrongPath;
  const { content, wasStripped } =
    context.display === "anchors"
      ? withoutPastedAnchors(given, location.path, textAt(context, location))
      : { content: given, wasStripped: false };
  const notes = wasStripped ? ["[Anchors that were copied from an answer of read were left out.]"] : [];
  const step = stepAt(context, location, content, removeUnseen);
  if (isFault(step)) return step;
  const results = await context.files.apply([step]);
  if (isFault(results)) return results.error === "no_change" ? unchanged(location.path) : results;
  const [result] = results;
  if (result === undefined) return unchanged(location.path);
  context.sight.wroteAll(result);
  context.conflicts.note(result);
  const madeExecutable = content.startsWith("#!") ? makeExecutable(context.workspace, result.path) : false;
  if (madeExecutable === true) notes.push("[It begins with #!, so it was made executable.]");
  if (isFault(madeExecutable)) notes.push(`[It was not made executable: ${madeExecutable.message}]`);
  const details: WriteDetails = { ...detailsOf(result), madeExecutable: madeExecutable === true };
  const header = context.display === "anchors" ? [snapshotHeader(result)] : [];
  const said = `Successfully wrote ${content.length} bytes to ${result.path}`;
  return { content: [...header, said, ...notes].join("\n"), details };
}

/** What writing this content comes to, without doing it. */
export function writeStep(
  context: CodeContext,
  path: string,
  content: string,
  removeUnseen: boolean,
): FileStep | Fault {
  const location = context.workspace.documents.locate(path);
  return isFault(location) ? location : stepAt(context, location, content, removeUnseen);
}

/** A range behind the path of an existing file was meant to be a part of it, not a name. */
function selectorFault({ workspace }: CodeContext, path: string): Fault | undefined {
  const selected = parseSelector(path);
  if (isFault(selected) || selected.path === path) return undefined;
  const file = workspace.documents.locate(selected.path);
  if (isFault(file) || !file.exists) return undefined;
  return new Fault(
    "invalid_path",
    `write replaces whole files, and ${path} names a part of ${file.path}. Nothing was changed.`,
    "Use edit to change lines of a file.",
    { path },
  );
}

/** What the file holds; undefined where there is none, or none that could be replaced. */
function textAt(context: CodeContext, location: Location): Text | undefined {
  if (!location.exists || sizeFault(context, location) !== undefined) return undefined;
  const file = context.files.open(location.path);
  return isFault(file) ? undefined : file.history.text;
}

function stepAt(
  context: CodeContext,
  location: Location,
  content: string,
  removeUnseen: boolean,
): FileStep | Fault {
  if (!location.exists) return { kind: "create", path: location.path, content };
  const tooLarge = sizeFault(context, location);
  if (tooLarge !== undefined) return tooLarge;
  const file = context.files.open(location.path);
  if (isFault(file)) return file;
  const { history } = file;
  const refusal =
    generatedFault(file.path, history.text) ?? (removeUnseen ? undefined : partlyRead(context, file));
  if (refusal !== undefined) return refusal;
  // The mark is part of the file's format, which stays.
  const text = content.replace(/^\ufeff/, "");
  const edits = [{ op: "set", content: text } as const];
  return { kind: "edit", file, revision: history.revision, edits, rewrite: true };
}

function sizeFault({ workspace }: CodeContext, location: Location): Fault | undefined {
  const opened = openRegular(workspace.root, location);
  if (isFault(opened)) return opened;
  closeSync(opened.descriptor);
  const size = Number(opened.stats.size);
  if (size <= hugeFileBytes) return undefined;
  return new Fault(
    "too_large",
    `${location.path} has ${sizeName(size)}, more than can be replaced and undone. Nothing was changed.`,
    "Write to another path, or change it with a command.",
    { path: location.path, size },
  );
}

const maxNamed = 6;

function partlyRead({ sight }: CodeContext, file: OpenFile): Fault | undefined {
  const { path, history } = file;
  const unknown = sight.unknown(file);
  if (unknown.length === 0) return undefined;
  const total = countLines(history.text);
  const ranges = unknown.map(({ start, end }) => `${path}:${start + 1}-${end + 1}`);
  const [only] = unknown;
  const isAll = unknown.length === 1 && only?.start === 0 && only.end === total - 1;
  const named = ranges.slice(0, maxNamed).join(", ");
  const more = ranges.length > maxNamed ? `, and ${ranges.length - maxNamed} more` : "";
  return new Fault(
    "partly_read",
    isAll
      ? `${path} exists, and you have not read it as it is now (${total} lines). Nothing was changed.`
      : `You have not read all of ${path} as it is now: ${named}${more} are missing. Nothing was changed.`,
    isAll
      ? `Read ${path} first, or use edit to change lines of it; ${confirmHint}.`
      : `Read these ranges first, or use edit to change lines of the file; ${confirmHint}.`,
    { path, ranges: ranges.slice(0, 50) },
  );
}

function unchanged(path: string): ToolOutcome {
  return { content: `${path} holds exactly this content already; nothing was changed.`, details: { path } };
}
