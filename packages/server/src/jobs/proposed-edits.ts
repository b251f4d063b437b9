// The edits that a job proposed, in the model's own words, and which hunk each of them ended up in.

import type { AgentEvent } from "@stet/agent/agent-event";
import type { ProposedEdit } from "@stet/protocol/api/agent";

/** Where an edit's lines are now, 1-based; an empty range stands before its first line. */
interface Place {
  readonly edit: ProposedEdit;
  first: number;
  count: number;
}

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
  private readonly places: Place[] = [];
  private readonly called = new Map<string, Record<string, unknown>>();

  get edits(): ProposedEdit[] {
    return this.places.map(({ edit }) => edit);
  }

  observe(event: AgentEvent): void {
    if (event.type === "tool_start" && event.name === "edit_file") {
      this.called.set(event.id, event.arguments as Record<string, unknown>);
    }
    if (event.type !== "tool_end" || event.name !== "edit_file") return;
    const asked = this.called.get(event.id);
    this.called.delete(event.id);
    if (asked === undefined || event.isError) return;
    const edit = { edit_id: `e_${this.places.length + 1}`, ...asked } as ProposedEdit;
    const affected = affectedBy(event.details) ?? [
      { line: 1, removed: 0, added: String(asked.new_text ?? "").split("\n").length },
    ];
    for (const place of affected) this.shift(edit.file_path, place);
    const [first] = affected;
    this.places.push({ edit, first: first?.line ?? 1, count: first?.added ?? 0 });
  }

  /** Moves the places behind an edit by what it added and removed. */
  private shift(path: string, { line, removed, added }: Affected): void {
    for (const place of this.places) {
      if (place.edit.file_path === path && place.first >= line + removed) place.first += added - removed;
    }
  }

  /** The edits whose lines are part of a hunk. */
  inHunk(path: string, { newStart, added }: HunkLines): string[] {
    const end = newStart + added.length;
    return this.places
      .filter(({ edit, first, count }) => {
        return edit.file_path === path && first <= end && first + count >= newStart;
      })
      .map(({ edit }) => edit.edit_id);
  }
}

function affectedBy(details: unknown): readonly Affected[] | undefined {
  if (typeof details !== "object" || details === null || !("report" in details)) return undefined;
  return (details.report as { affected?: readonly Affected[] }).affected;
}
