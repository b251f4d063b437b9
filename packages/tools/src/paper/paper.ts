// What the handlers work on: one document of one turn, what the model was shown of it, and the searches of the session.

import { Text } from "@codemirror/state";
import type { ToolContext } from "@stet/agent/tool";
import type { Embedder } from "@stet/protocol/embedding";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import { type History, startHistory, textAt } from "@stet/text/history";
import { lineContent } from "@stet/text/lines";
import type { Turn } from "@stet/workspace/turns/turns";
import { type SeenDocument, Sight } from "../sight/sight.ts";
import type { LineSpan } from "../sight/spans.ts";
import type { CurrentLine } from "./line-number.ts";
import { PaperSearches } from "./paper-searches.ts";
import type { CardSource } from "./rank-cards.ts";

export interface PaperContext {
  readonly turn: Turn;
  readonly document: number;
  /** Null where the document has no file. */
  readonly path?: string | null;
  /** The conversation, for search_chat. */
  readonly messages: () => readonly Message[];
  readonly embedder?: Embedder | undefined;
  /** Handed in again for the next turn of a session, so that kept searches survive. */
  readonly searches?: PaperSearches | undefined;
  /** What the model was shown, also in earlier turns of the session. */
  readonly sight?: Sight | undefined;
}

/** What an action has to know of the call that it is done for. */
export type Call = Pick<ToolContext, "batch" | "signal">;

export class Paper {
  readonly context: PaperContext;
  readonly searches: PaperSearches;
  /** The tools and rules that search_tools looks through. */
  readonly knowledge: () => readonly CardSource[];
  readonly sight: Sight;
  /** The paper when the toolset was opened: what verify compares with. */
  readonly snapshot: History;

  constructor(context: PaperContext, knowledge: () => readonly CardSource[]) {
    this.context = context;
    this.searches = context.searches ?? new PaperSearches();
    this.knowledge = knowledge;
    const history = this.history();
    // A document that cannot be read refuses every call with its own fault, so this snapshot is never looked at.
    this.snapshot = isFault(history) ? startHistory(Text.empty) : history;
    this.sight = context.sight ?? new Sight();
    this.sight.begin(context.turn.id, "doubt");
  }

  /** As the turn sees it now, with whatever the person did meanwhile. */
  history(): History | Fault {
    return this.context.turn.read(this.context.document);
  }

  /** The paper at a state, under the name by which it is remembered what the model was shown of it. */
  seen(history: History): SeenDocument {
    const { path, document } = this.context;
    return { path: path ?? `document ${document}`, history };
  }

  /** Remembers lines that an answer shows as they are at a revision; a line whose content was cut is not shown whole. */
  show(revision: number, lines: readonly CurrentLine[]): void {
    const history = this.history();
    if (isFault(history)) return;
    const seen = this.seen(history);
    const text = textAt(history, revision);
    if (isFault(text)) return;
    this.sight.show(seen, 1, 0, true, revision);
    for (const { lineNumber, content } of lines) {
      const isWhole = lineNumber <= text.lines && content === lineContent(text, lineNumber - 1);
      this.sight.show(seen, lineNumber, lineNumber, isWhole, revision);
    }
  }

  /** Whether the model knows this line, 0-based, as it is now: it was shown whole, or written by the model. */
  isKnown(history: History, line: number): boolean {
    return this.unseen(history, { start: line, end: line }).length === 0;
  }

  /** Which of these lines were not shown whole. */
  unseen(history: History, lines: LineSpan): LineSpan[] {
    return this.sight.unknown(this.seen(history), lines);
  }
}
