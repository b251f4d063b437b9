// The edits that a job proposed, in the model's own words, and which hunk each of them ended up in.

import { posix } from "node:path";
import type { AgentEvent } from "@stet/agent/agent-event";
import type { ProposedEdit } from "@stet/protocol/api/job";
import { isRecord } from "@stet/protocol/json-record";
import type { LocatedEdit } from "../store/store.ts";

/** Lines that an edit replaced others by, as they are after it. */
interface Affected {
  readonly line: number;
  readonly removed: number;
  readonly added: number;
}

export interface HunkLines {
  readonly newStart: number;
  readonly added: readonly unknown[];
}

export class ProposedEdits {
  #places: LocatedEdit[];
  readonly #called = new Map<string, Record<string, unknown>>();

  /** Goes on from what was placed before the turn was suspended. */
  constructor(located: readonly LocatedEdit[] = []) {
    this.#places = [...located];
  }

  get edits(): ProposedEdit[] {
    return this.#places.map(({ edit }) => edit);
  }

  get placed(): readonly LocatedEdit[] {
    return this.#places;
  }

  observe(event: AgentEvent): void {
    const isEdit = event.type === "tool_start" && event.traits?.includes("edits");
    if (isEdit && isRecord(event.arguments)) this.#called.set(event.id, event.arguments);
    if (event.type !== "tool_end") return;
    const asked = this.#called.get(event.id);
    this.#called.delete(event.id);
    if (asked === undefined || event.isError) return;
    // The tool has checked its arguments: they have the form of an edit.
    const edit = { edit_id: `e_${this.#places.length + 1}`, ...asked } as ProposedEdit;
    const affected = affectedBy(event.details) ?? [
      { line: 1, removed: 0, added: String(asked.new_text ?? "").split("\n").length },
    ];
    for (const place of affected) this.#shift(edit.file_path, place);
    const [first] = affected;
    const last = affected.at(-1);
    const start = first?.line ?? edit.start_line;
    const count = last === undefined ? 0 : last.line + last.added - start;
    this.#places.push({ edit, first: start, count });
  }

  /** Shifts the ranges behind an edit by what it added and removed. */
  #shift(path: string, { line, removed, added }: Affected): void {
    this.#places = this.#places.map((place) => {
      const isBehind = isSamePath(place.edit.file_path, path) && place.first >= line + removed;
      return isBehind ? { ...place, first: place.first + added - removed } : place;
    });
  }

  /** The edits whose lines are part of a hunk. What removed lines stands between two, and belongs to either. */
  inHunk(path: string, { newStart, added }: HunkLines): string[] {
    const end = newStart + added.length;
    return this.#places
      .filter(({ edit, first, count }) => {
        if (!isSamePath(edit.file_path, path)) return false;
        const touches = first <= end && first + count >= newStart;
        const overlaps = first < end && first + count > newStart;
        return count === 0 || added.length === 0 ? touches : overlaps;
      })
      .map(({ edit }) => edit.edit_id);
  }
}

function isSamePath(one: string, other: string): boolean {
  return one === other || posix.normalize(one) === posix.normalize(other);
}

function affectedBy(details: unknown): readonly Affected[] | undefined {
  if (!isRecord(details) || !isRecord(details.report)) return undefined;
  const { affected } = details.report;
  return Array.isArray(affected) ? affected : undefined;
}
