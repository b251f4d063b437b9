// What the handlers work on: one document of one turn, what the model was shown of it, and the searches of the session.

import { Text } from "@codemirror/state";
import type { ToolContext } from "@stet/agent/tool";
import type { Embedder } from "@stet/protocol/embedding";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import { type History, startHistory } from "@stet/text/history";
import { lineContent } from "@stet/text/lines";
import type { Turn } from "@stet/workspace/turns/turns";
import { type LineSpan, ReadLines } from "../read-lines.ts";
import { PaperSearches } from "./paper-searches.ts";
import type { CardSource } from "./rank-cards.ts";
import { type CurrentLine, ShownLines } from "./shown-lines.ts";

export interface PaperContext {
  readonly turn: Turn;
  readonly document: number;
  /** The conversation, for search_chat. */
  readonly messages: () => readonly Message[];
  readonly embedder?: Embedder | undefined;
  /** Handed in again for the next turn of a session, so that kept searches survive. */
  readonly searches?: PaperSearches | undefined;
}

/** What an action has to know of the call that it is done for. */
export type Call = Pick<ToolContext, "batch" | "signal">;

export class Paper {
  readonly context: PaperContext;
  readonly searches: PaperSearches;
  /** The tools and rules that search_tools looks through. */
  readonly knowledge: () => readonly CardSource[];
  readonly shown: ShownLines;
  private readonly read = new ReadLines();
  /** The paper when the toolset was opened: what verify compares with. */
  readonly snapshot: History;

  constructor(context: PaperContext, knowledge: () => readonly CardSource[]) {
    this.context = context;
    this.searches = context.searches ?? new PaperSearches();
    this.knowledge = knowledge;
    const history = this.history();
    // A document that cannot be read refuses every call with its own fault, so this snapshot is never looked at.
    this.snapshot = isFault(history) ? startHistory(Text.empty) : history;
    this.shown = new ShownLines(context.turn.id, this.snapshot);
  }

  /** As the turn sees it now, with whatever the person did meanwhile. */
  history(): History | Fault {
    return this.context.turn.read(this.context.document);
  }

  /** Remembers lines that the answer to a call shows. */
  show(call: Call, revision: number, lines: readonly CurrentLine[]): void {
    const history = this.history();
    if (isFault(history)) return;
    this.shown.show(call.batch, history, revision, lines);
    if (revision !== history.revision) return;
    for (const { lineNumber, content } of lines) {
      const line = lineNumber - 1;
      if (line < history.text.lines && content === lineContent(history.text, line))
        this.read.show(this.context.document, history, { start: line, end: line });
    }
  }

  /** The model knows the lines that it wrote, and where that moved the rest. */
  wrote(before: History, after: History): void {
    const { document } = this.context;
    this.read.carry(document, before, after);
    let shift = 0;
    for (const { at, removed, lines } of after.changes.at(-1)?.splices ?? []) {
      this.read.show(document, after, { start: at + shift, end: at + shift + lines.length - 1 });
      shift += lines.length - removed;
    }
  }

  /** Whether the model knows this line, 0-based, as it is now: it was shown whole, or written by the model. */
  isKnown(history: History, line: number): boolean {
    return this.unseen(history, { start: line, end: line }).length === 0;
  }

  /** Which of these lines were not shown whole. */
  unseen(history: History, lines: LineSpan): LineSpan[] {
    return this.read.unknownWithin(this.context.document, history, lines);
  }
}
