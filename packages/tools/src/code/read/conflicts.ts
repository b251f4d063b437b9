// Merge conflicts in files that were shown. Each has a number, by which it is read and resolved.
//
//   <<<<<<< ours       seven signs at the start of a line, then a space or the line's end
//   ||||||| base       only where the merge keeps the base (diff3)
//   =======
//   >>>>>>> theirs
//
// A conflict is known by the lines it had at the revision at which it was shown, mapped through what happened since. Where
// that is not possible any more, it is the only one left with the same text, or it is stale.

import type { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { changesSince, type History, mapSpan } from "@stet/text/history";
import { lineContent, withoutReturn } from "@stet/text/lines";
import type { OpenFile } from "../code-files.ts";

/** Lines, 1-based and inclusive; empty where `to` is before `from`. */
export interface ConflictSide {
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

export interface ConflictBlock {
  /** The markers' lines, 1-based. */
  readonly from: number;
  readonly to: number;
  readonly ours: ConflictSide;
  readonly base: ConflictSide | undefined;
  readonly theirs: ConflictSide;
}

export interface KnownConflict {
  readonly id: number;
  readonly document: number;
  readonly path: string;
  readonly revision: number;
  readonly block: ConflictBlock;
  /** All of its lines, markers included. */
  readonly text: string;
}

export function parseConflicts(text: Text): ConflictBlock[] {
  const blocks: ConflictBlock[] = [];
  let open: Marks | undefined;
  let line = 0;
  for (const raw of text.iterLines()) {
    line += 1;
    const content = withoutReturn(raw);
    const label = content.slice(8);
    if (isMarker(content, "<")) open = { line, label };
    else if (open === undefined) continue;
    else if (isMarker(content, "|") && open.middle === undefined) open.base ??= { line, label };
    else if (content === "=======") open.middle ??= line;
    else if (isMarker(content, ">")) {
      const block = blockOf(open, line, label);
      if (block !== undefined) blocks.push(block);
      open = undefined;
    }
  }
  return blocks;
}

interface Marks {
  readonly line: number;
  readonly label: string;
  base?: { readonly line: number; readonly label: string };
  middle?: number;
}

function isMarker(content: string, sign: string): boolean {
  return content.startsWith(sign.repeat(7)) && (content.length === 7 || content[7] === " ");
}

function blockOf(
  { line, label, base, middle }: Marks,
  end: number,
  theirs: string,
): ConflictBlock | undefined {
  if (middle === undefined) return undefined;
  return {
    from: line,
    to: end,
    ours: { label, from: line + 1, to: (base?.line ?? middle) - 1 },
    base: base && { label: base.label, from: base.line + 1, to: middle - 1 },
    theirs: { label: theirs, from: middle + 1, to: end - 1 },
  };
}

export class Conflicts {
  #known: KnownConflict[] = [];
  #last = 0;

  /** Takes note of all conflicts in a file, and forgets those of it that are gone. The same conflict keeps its number. */
  note({ document, path, history }: OpenFile): KnownConflict[] {
    const blocks = parseConflicts(history.text);
    const before = this.#known.filter((conflict) => conflict.document === document);
    const places = new Map<number, KnownConflict>();
    for (const conflict of before) {
      const block = placeOf(conflict, history, blocks);
      if (block !== undefined && !places.has(block.from)) places.set(block.from, conflict);
    }
    const found = blocks.map((block) => {
      const id = places.get(block.from)?.id ?? this.#nextId();
      const text = linesText(history.text, block);
      return { id, document, path, revision: history.revision, block, text };
    });
    this.#known = [...this.#known.filter((conflict) => conflict.document !== document), ...found];
    return found;
  }

  #nextId(): number {
    this.#last += 1;
    return this.#last;
  }

  get all(): readonly KnownConflict[] {
    return this.#known;
  }

  find(id: number): KnownConflict | undefined {
    return this.#known.find((conflict) => conflict.id === id);
  }
}

/** Where a conflict is now; undefined where it is gone or was changed. */
export function placeOf(
  conflict: KnownConflict,
  history: History,
  blocks: readonly ConflictBlock[] = parseConflicts(history.text),
): ConflictBlock | undefined {
  const same = blocks.filter((block) => linesText(history.text, block) === conflict.text);
  const mapped = mappedStart(conflict, history);
  if (mapped !== undefined) return same.find((block) => block.from === mapped);
  const [only] = same;
  return same.length === 1 ? only : undefined;
}

/** Its first line now; undefined where the way from the revision to now is not known. Zero where it was touched. */
function mappedStart({ revision, block }: KnownConflict, history: History): number | undefined {
  const changes = changesSince(history, revision);
  if (isFault(changes)) return undefined;
  let span = { first: block.from - 1, last: block.to - 1 };
  for (const { splices } of changes) {
    const mapped = mapSpan(span, splices);
    if ("at" in mapped) return 0;
    span = { ...mapped };
  }
  return span.first + 1;
}

export function linesText(text: Text, { from, to }: { readonly from: number; readonly to: number }): string {
  const lines: string[] = [];
  for (let line = from; line <= to; line += 1) lines.push(lineContent(text, line - 1));
  return lines.join("\n");
}
