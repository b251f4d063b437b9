// One row above the prompt: who answers, where, and how full, how dear and how free the conversation is. What does not fit is left
// out, the least important first.

import { homedir } from "node:os";
import type { SessionUse } from "@stet/protocol/api/sessions";
import { visibleName } from "@stet/protocol/visible";
import type { Component } from "@stet/tui/component";
import { padCells, truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import { cacheShare } from "../../models/model-facts.ts";
import type { TextToken, Theme } from "../theme/theme.ts";

export interface Status {
  readonly model: string;
  readonly thinking: string | undefined;
  readonly folder: string;
  readonly branch: string | undefined;
  /** Files that differ from the repository's index. */
  readonly changes: number | undefined;
  readonly use: SessionUse | undefined;
  /** Only where the toolset asks for permission. */
  readonly permission: string | undefined;
  readonly toolset: string | undefined;
  readonly title: string;
  readonly queued: number;
  readonly openHunks: number;
  /** Whether the host is in another process. */
  readonly isAttached: boolean;
  /** Beside the turn: agents, commands, monitors and timers; and what the agent was not told yet. */
  readonly background: { readonly running: number; readonly waiting: number };
}

interface Segment {
  readonly token: TextToken;
  readonly text: string;
  /** The lowest go first. */
  readonly rank: number;
}

const barCells = 8;

export class StatusLine implements Component {
  readonly #theme: Theme;
  #status: Status;

  constructor(theme: Theme, status: Status) {
    this.#theme = theme;
    this.#status = status;
  }

  set(status: Status): void {
    this.#status = status;
  }

  render(width: number): readonly string[] {
    const theme = this.#theme;
    const separator = ` ${theme.symbol("separator")} `;
    const segments = this.#segments();
    const lengthOf = (kept: readonly Segment[]) =>
      kept.reduce((sum, { text }) => sum + cellWidth(text), 0) +
      Math.max(0, kept.length - 1) * cellWidth(separator);
    let kept = segments;
    while (kept.length > 1 && lengthOf(kept) > width - 2) {
      const lowest = Math.min(...kept.map(({ rank }) => rank));
      kept = kept.filter(({ rank }) => rank !== lowest);
    }
    const row = kept
      .map(({ token, text }) => theme.fg(token, text))
      .join(theme.fg("statusLineSep", separator));
    return ["", theme.bg("statusLineBg", padCells(truncateCells(` ${row}`, width), width))];
  }

  #segments(): Segment[] {
    const {
      model,
      thinking,
      folder,
      branch,
      changes,
      use,
      permission,
      toolset,
      queued,
      openHunks,
      isAttached,
      background: { running, waiting },
    } = this.#status;
    const theme = this.#theme;
    const who = !thinking || thinking === "off" ? model : `${model} ${thinking}`;
    const segments: Segment[] = [{ token: "statusLineModel", text: visibleName(who), rank: 10 }];
    if (permission !== undefined) segments.push({ token: "statusLineSubagents", text: permission, rank: 9 });
    else if (toolset !== undefined) segments.push({ token: "statusLineSubagents", text: toolset, rank: 2 });
    segments.push({ token: "statusLinePath", text: shortFolder(folder), rank: 5 });
    if (branch !== undefined) {
      const isDirty = changes !== undefined && changes > 0;
      const text = `${theme.symbol("branch")} ${branch}${isDirty ? ` *${changes}` : ""}`;
      segments.push({ token: isDirty ? "statusLineGitDirty" : "statusLineGitClean", text, rank: 4 });
    }
    if (use !== undefined) segments.push(...this.#useSegments(use));
    if (openHunks > 0)
      segments.push({
        token: "statusLineDirty",
        text: `${openHunks} ${openHunks === 1 ? "hunk" : "hunks"} to review`,
        rank: 8,
      });
    if (running > 0)
      segments.push({
        token: "statusLineSubagents",
        text: `${theme.symbol("active")} ${running} in background`,
        rank: 7,
      });
    if (waiting > 0) segments.push({ token: "statusLineStaged", text: `${waiting} not told`, rank: 7 });
    if (queued > 0) segments.push({ token: "statusLineStaged", text: `${queued} queued`, rank: 7 });
    if (isAttached) segments.push({ token: "statusLineOutput", text: "attached", rank: 1 });
    return segments;
  }

  #useSegments(use: SessionUse): Segment[] {
    const { context_tokens: taken, context_window: room, cost_usd: cost, cost_known: isKnown } = use;
    const segments: Segment[] = [];
    if (room !== null && room > 0) {
      const share = Math.min(1, taken / room);
      const full = Math.round(share * barCells);
      const bar =
        this.#theme.symbol("barFull").repeat(full) + this.#theme.symbol("barEmpty").repeat(barCells - full);
      const percent = taken > 0 && share < 0.01 ? "<1" : String(Math.round(100 * share));
      segments.push({ token: "statusLineContext", text: `${bar} ${percent} %`, rank: 6 });
    }
    const cached = cacheShare(use.cache_read ?? 0, use.input);
    if (cached !== undefined)
      segments.push({ token: "statusLineContext", text: `${cached} cached`, rank: 2 });
    if (cost > 0 || !isKnown)
      segments.push({ token: "statusLineCost", text: `$${cost.toFixed(2)}${isKnown ? "" : "+"}`, rank: 3 });
    return segments;
  }
}

/** With ~ for the home folder, and at most its last three parts. */
export function shortFolder(folder: string, home = homedir()): string {
  const from = folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
  const parts = visibleName(from).split("/");
  return parts.length > 4 ? `…/${parts.slice(-3).join("/")}` : parts.join("/");
}
