// What the tools work on: one document of one turn, what the model was shown of it, and the searches of the session.

import { Text } from "@codemirror/state";
import type { Embedder } from "@stet/protocol/embedding";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import type { LineEdit } from "@stet/text/edits";
import { type History, startHistory } from "@stet/text/history";
import { lineContent } from "@stet/text/lines";
import { revise } from "@stet/text/revise";
import type { Turn } from "@stet/workspace/turns/turns";
import { type SeenDocument, Sight } from "../sight/sight.ts";
import type { LineSpan } from "../sight/spans.ts";
import { PaperSearches } from "./paper-searches.ts";

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

/** A line as an answer shows it. */
export interface CurrentLine {
  readonly lineNumber: number;
  readonly content: string;
}

export interface PaperEdit {
  readonly lineEdit: LineEdit;
  /** It may remove most of the paper: its name says so. */
  readonly rewrite: boolean;
  /** Why the paper must not become this; undefined where it may. */
  refusal?(after: History): Fault | undefined;
}

export class Paper {
  readonly context: PaperContext;
  readonly searches: PaperSearches;
  readonly sight: Sight;
  /** The paper when the toolset was opened: what verify compares with. */
  readonly snapshot: History;
  /** How often each tool was refused since the model was last shown lines. */
  readonly failures = new Map<string, number>();

  constructor(context: PaperContext) {
    this.context = context;
    this.searches = context.searches ?? new PaperSearches();
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

  /** Remembers lines that an answer shows; a line whose content was cut is not shown whole. */
  show(history: History, lines: readonly CurrentLine[]): void {
    const seen = this.seen(history);
    this.sight.show(seen, 1, 0);
    for (const { lineNumber, content } of lines) {
      const isWhole = content === lineContent(history.text, lineNumber - 1);
      this.sight.show(seen, lineNumber, lineNumber, isWhole);
    }
  }

  /** Which of these lines, 0-based, the model does not know as they are now: neither shown whole nor written by it. */
  unseen(history: History, lines: LineSpan): LineSpan[] {
    return this.sight.unknown(this.seen(history), lines);
  }

  /** Stages one edit: the paper after it, which is the same where it was like that already. */
  edit(history: History, { lineEdit, rewrite, refusal }: PaperEdit): History | Fault {
    const { turn, document } = this.context;
    const { revision } = history;
    const request = { revision, policy: { kind: "strict" }, edits: [lineEdit], rewrite } as const;
    const planned = revise(history, { ...request, origin: "agent", turn: turn.id });
    const refused = isFault(planned) ? undefined : refusal?.(planned.history);
    if (refused !== undefined) return refused;
    const staged = turn.edit(document, request);
    if (isFault(staged)) return staged.error === "no_change" ? history : staged;
    const after = this.history();
    if (!isFault(after)) this.sight.wrote(this.seen(after), revision);
    return after;
  }
}
