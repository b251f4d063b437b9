// `conflict://`: what there is, one conflict, one of its sides; and their resolution by writing.
//
//   conflict://            all that are known (also conflict://*)
//   conflict://1           both sides, or three
//   conflict://1/ours      one side: ours, theirs or base; can only be read
//   write conflict://1     replaces exactly that block, by text or by @ours, @theirs, @both, @base on lines of their own
//   write conflict://*     all of them, by @ours, @theirs, @both or @base; in all files or in none

import type { ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import type { CodeContext } from "../code-context.ts";
import type { FileStep, OpenFile } from "../code-files.ts";
import { shownLines } from "../display.ts";
import { editOutcome } from "../edit/edit-outcome.ts";
import { snapshotHeader } from "../write/snapshot-header.ts";
import {
  type ConflictBlock,
  type ConflictSide,
  type KnownConflict,
  linesText,
  parseConflicts,
  placeOf,
} from "./conflicts.ts";
import { maxPageBytes, maxPageLines } from "./page.ts";
import { pagedText } from "./paged-text.ts";
import { parseSelector } from "./selector.ts";
import type { Source } from "./source.ts";

const sides = ["ours", "theirs", "base"] as const;
type SideName = (typeof sides)[number];

interface ConflictAddress {
  readonly id: number | "*";
  readonly side: SideName | undefined;
}

const form = /^conflict:\/\/(?:(\*|\d+)?\/?|(\d+)\/(ours|theirs|base))$/i;

/** Undefined where it is no address of a conflict. */
export function conflictAddress(address: string): ConflictAddress | Fault | undefined {
  if (!/^conflict:/i.test(address)) return undefined;
  const [, whole, part, side] = form.exec(address) ?? [];
  if (!form.test(address)) {
    return new Fault(
      "unknown_address",
      `${address} names no conflict.`,
      "Use conflict://N, conflict://N/ours, conflict://N/theirs, conflict://N/base, or conflict:// for a list.",
      { address },
    );
  }
  if (part !== undefined)
    return { id: Number(part), side: sides.find((name) => name === side?.toLowerCase()) };
  return { id: whole === undefined || whole === "*" ? "*" : Number(whole), side: undefined };
}

export const conflictSource: Source = {
  async read(path, context) {
    const selected = parseSelector(path);
    if (isFault(selected)) return selected;
    const address = conflictAddress(selected.path);
    if (address === undefined || isFault(address)) return address;
    if (address.id === "*")
      return { content: listed(context), details: { conflicts: context.conflicts.all.length } };
    const found = locate(context, address.id);
    if (isFault(found)) return found;
    if (address.side === undefined) return shownConflict(context, found);
    const text = sideText(found, address.side);
    if (isFault(text)) return text;
    return pagedText(context, text, { ...selected, source: selected.path });
  },
  async write({ path, content }, context) {
    const address = conflictAddress(path);
    if (address === undefined || isFault(address)) return address;
    if (address.side !== undefined) {
      return new Fault(
        "not_allowed",
        `${path} is one side of a conflict and can only be read.`,
        `Write the whole resolution to conflict://${address.id}, or "@${address.side}" to take this side.`,
        { address: path },
      );
    }
    if (address.id === "*" && !path.includes("*")) {
      return new Fault(
        "unknown_address",
        `${path} names no conflict. ${listed(context)}`,
        "Write to conflict://N, or to conflict://* for all of them.",
        { address: path },
      );
    }
    return address.id === "*" ? resolveAll(context, content) : resolveOne(context, address.id, content);
  },
};

interface Located {
  readonly conflict: KnownConflict;
  readonly file: OpenFile;
  /** Where it is now. */
  readonly block: ConflictBlock;
}

function locate(context: CodeContext, id: number): Located | Fault {
  const conflict = context.conflicts.find(id);
  if (conflict === undefined) {
    const message = `There is no conflict ${id}. ${listed(context)}`;
    return new Fault("unknown_address", message, "Read the file again: its conflicts are numbered then.", {
      id,
    });
  }
  const file = context.files.open(conflict.path);
  if (isFault(file)) return file;
  const block = placeOf(conflict, file.history);
  if (block !== undefined && file.document === conflict.document) return { conflict, file, block };
  return new Fault(
    "conflict",
    `Conflict ${id} in ${conflict.path} is not as it was shown any more: its lines were changed or resolved. Nothing was changed.`,
    `Read ${conflict.path} again: what is left gets its numbers there.`,
    { id, path: conflict.path },
  );
}

/** What there is, for a model that named something else. */
function listed({ conflicts }: CodeContext): string {
  if (conflicts.all.length === 0)
    return "No conflicts are known; they are found when a file with conflict markers is read.";
  const lines = conflicts.all
    .slice(0, 50)
    .map(({ id, path, block }) => `conflict://${id} ${path}:${block.from}-${block.to}`);
  const more = conflicts.all.length > lines.length ? [`… ${conflicts.all.length - lines.length} more`] : [];
  return ["Known conflicts:", ...lines, ...more].join("\n");
}

function shownConflict(context: CodeContext, { conflict, file, block }: Located): ToolOutcome {
  const { id, path } = conflict;
  const { history } = file;
  const details = { path, id, from: block.from, to: block.to, sides: block.base === undefined ? 2 : 3 };
  const head = `Conflict ${id} in ${path}, lines ${block.from}-${block.to}.`;
  const shown = (["ours", "base", "theirs"] as const).flatMap((name) => {
    const side = block[name];
    return side === undefined ? [] : [{ name, ...side }];
  });
  const parts = shown.flatMap(({ name, label, from, to }) => {
    const lines = shownLines(context.display, history.text, from, to);
    return [
      `--- ${label === "" ? name : `${name} (${label})`}`,
      ...(lines.length === 0 ? ["(no lines)"] : lines),
    ];
  });
  if (parts.length > maxPageLines || Buffer.byteLength(parts.join("\n")) > maxPageBytes) {
    const content = `${head} It is longer than one answer: read its sides in parts, such as conflict://${id}/ours:1-500.`;
    return { content, details };
  }
  for (const { from, to } of shown) if (from <= to) context.sight.show(file, from, to);
  const how = `Resolve it: write conflict://${id} with the lines that replace the block, or @ours, @theirs${block.base === undefined ? "" : ", @base"} or @both.`;
  return { content: [head, ...parts, how].join("\n"), details };
}

function sideText({ conflict, file, block }: Located, name: SideName): string | Fault {
  const side = block[name];
  if (side !== undefined) return ended(linesText(file.history.text, side), side);
  return new Fault(
    "unknown_address",
    `Conflict ${conflict.id} has no base: the merge did not keep it.`,
    `Use conflict://${conflict.id}/ours or conflict://${conflict.id}/theirs.`,
    { id: conflict.id },
  );
}

function ended(text: string, { from, to }: ConflictSide): string {
  return to < from ? "" : `${text}\n`;
}

const shorthand = /^@(ours|theirs|base|both)$/;

/** Undefined where the content is text of its own. */
function shorthandsOf(content: string): SideName[] | undefined {
  const lines = content
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length === 0 || !lines.every((line) => shorthand.test(line))) return undefined;
  return lines.flatMap((line): SideName[] => {
    const name = line.slice(1);
    return name === "both" ? ["ours", "theirs"] : sides.filter((side) => side === name);
  });
}

function resolution(located: Located, content: string): string | Fault {
  const names = shorthandsOf(content);
  if (names !== undefined) {
    const texts: string[] = [];
    for (const name of names) {
      const text = sideText(located, name);
      if (isFault(text)) return text;
      texts.push(text);
    }
    return texts.join("");
  }
  if (!/^(<{7}|\|{7}|>{7})( |$)/m.test(content)) return content;
  return new Fault(
    "invalid_arguments",
    "The resolution still holds conflict markers, so nothing was resolved.",
    "Write the lines as they should be, without <<<<<<<, ======= and >>>>>>>.",
    { id: located.conflict.id },
  );
}

async function resolveOne(context: CodeContext, id: number, content: string): Promise<ToolOutcome | Fault> {
  const located = locate(context, id);
  if (isFault(located)) return located;
  return resolveThese(context, [located], content);
}

async function resolveAll(context: CodeContext, content: string): Promise<ToolOutcome | Fault> {
  if (shorthandsOf(content) === undefined) {
    return new Fault(
      "invalid_arguments",
      "One text cannot be the resolution of every conflict.",
      "Write @ours, @theirs, @both or @base to conflict://*, or resolve each by its number.",
    );
  }
  forgetResolved(context);
  const located: Located[] = [];
  for (const { id } of context.conflicts.all) {
    const found = locate(context, id);
    if (isFault(found)) return found;
    located.push(found);
  }
  if (located.length > 0) return resolveThese(context, located, content);
  return new Fault("unknown_address", listed(context), "Read the files that have conflicts first.");
}

/** A file all of whose conflicts are known as they are has no others: the rest of its numbers were resolved by edits. */
function forgetResolved(context: CodeContext): void {
  for (const document of new Set(context.conflicts.all.map((conflict) => conflict.document))) {
    const known = context.conflicts.all.filter((conflict) => conflict.document === document);
    const file = context.files.open(known[0]?.path ?? "");
    if (isFault(file)) continue;
    const blocks = parseConflicts(file.history.text);
    const placed = known.filter((conflict) => placeOf(conflict, file.history, blocks) !== undefined);
    if (placed.length === blocks.length) context.conflicts.note(file);
  }
}

async function resolveThese(
  context: CodeContext,
  located: readonly Located[],
  content: string,
): Promise<ToolOutcome | Fault> {
  const steps = new Map<number, Extract<FileStep, { kind: "edit" }> & { edits: LineEdit[] }>();
  for (const each of located) {
    const text = resolution(each, content);
    if (isFault(text)) return text;
    const { file, block } = each;
    const { document, history } = file;
    const step = steps.get(document) ?? {
      kind: "edit",
      file,
      revision: history.revision,
      edits: [],
      rewrite: true,
    };
    step.edits.push({ op: "replace", from: block.from, to: block.to, content: text });
    steps.set(document, step);
  }
  const results = await context.files.apply([...steps.values()]);
  if (isFault(results)) return results;
  const outcome = editOutcome(context, results);
  for (const result of results) context.conflicts.note(result);
  const names = located.map(({ conflict, block }) => `${conflict.path}:${block.from}-${block.to}`);
  const said =
    located.length === 1
      ? `Resolved conflict ${located[0]?.conflict.id} in ${names[0]}`
      : `Resolved ${located.length} conflicts in ${results.length} ${results.length === 1 ? "file" : "files"}`;
  const headers = context.display === "anchors" ? results.map(snapshotHeader) : [];
  const [only] = headers;
  const parts = headers.length === 1 && only !== undefined ? [only, said] : [said];
  parts.push(typeof outcome.content === "string" ? outcome.content : "");
  if (headers.length > 1) parts.push(["Snapshots:", ...headers].join("\n"));
  return { content: parts.join("\n"), details: outcome.details };
}
