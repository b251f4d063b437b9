// Compaction: making room in the context. Older messages become a summary, written by the model from all that they said.
// Only where no summary can be had are old tool results left out of what is sent.
//
// A compaction that frees less than a tenth is no use. After two of those in a row the turn stops, with a message that
// says so, instead of asking and paying for ever.

import type { Message } from "@stet/protocol/message";
import type { Model, ModelFailure, ModelRequest, ToolDescription } from "@stet/protocol/model-stream";
import { contextTokens, elideOldResults, estimateTokens } from "./context-size.ts";
import { filledPrompt } from "./prompt-file.ts";
import { type TouchedFiles, touchedFiles } from "./touched-files.ts";

export const compactAt = 0.9;
const worthwhile = 0.1;
/** Budget in tokens for the newest messages, which are not summarised; never more than a quarter of the model's context. */
export const defaultKeepTokens = 20_000;
const maxShortSummary = 200;

export interface Shortened {
  readonly summary: string;
  /** The whole in one line. */
  readonly shortSummary: string;
  /** How many of the newest messages are not summarised. */
  readonly kept: number;
  /** Of the messages that the summary stands for. */
  readonly files: TouchedFiles;
}

export interface Compacted {
  /** Undefined where old answers are only left out of what is sent. */
  readonly shortened?: Shortened;
  readonly before: number;
  readonly after: number;
}

export interface CompactionOptions {
  readonly model: Model;
  readonly system: string;
  /** Declared in the request for a summary: providers refuse a conversation with calls of undeclared tools. */
  readonly tools: () => readonly ToolDescription[];
  readonly keepTokens?: number | undefined;
  /** False: only where the provider says that the context is full. */
  readonly isAutomatic?: boolean | undefined;
  readonly sessionId?: string | undefined;
  /** What the person wants the summary to keep above all. */
  readonly instructions?: string | undefined;
}

export class Compaction {
  readonly #options: CompactionOptions;
  readonly #overhead: number;
  #useless = 0;
  #isEliding = false;
  /** What a provider counted before this was of a longer conversation. */
  #countsFrom = 0;
  /** Why the last summary could not be had. */
  failure: ModelFailure | undefined;

  constructor(options: CompactionOptions) {
    this.#options = options;
    this.#overhead = Math.ceil((options.system.length + JSON.stringify(options.tools()).length) / 4);
  }

  /** The messages as they are to be sent, without asking whether there is room. */
  view(messages: readonly Message[]): readonly Message[] {
    return this.#isEliding ? elideOldResults(messages) : messages;
  }

  tokens(messages: readonly Message[]): number {
    return contextTokens(this.view(messages), this.#overhead, this.#countsFrom);
  }

  isNeeded(messages: readonly Message[]): boolean {
    const { model, isAutomatic = true } = this.#options;
    return isAutomatic && this.tokens(messages) > model.contextWindow * compactAt;
  }

  /** True after two compactions in a row that freed next to nothing. */
  get isHopeless(): boolean {
    return this.#useless >= 2;
  }

  /** Makes room. Returns undefined where that was not possible. */
  async compact(messages: readonly Message[], signal: AbortSignal): Promise<Compacted | undefined> {
    const before = this.#overhead + estimateTokens(this.view(messages));
    const shortened = await this.#summarise(messages, signal);
    this.#countsFrom = Date.now();
    if (shortened === undefined) return this.#elide(messages, before);
    const recent = messages.slice(messages.length - shortened.kept);
    const after =
      this.#overhead + estimateTokens(this.view(recent)) + Math.ceil(shortened.summary.length / 4);
    this.#useless = isWorthwhile(before, after) ? 0 : this.#useless + 1;
    return { shortened, before, after };
  }

  #elide(messages: readonly Message[], before: number): Compacted | undefined {
    this.#isEliding = true;
    const after = this.#overhead + estimateTokens(this.view(messages));
    if (isWorthwhile(before, after)) return { before, after };
    this.#useless += 1;
    return undefined;
  }

  async #summarise(messages: readonly Message[], signal: AbortSignal): Promise<Shortened | undefined> {
    const { model, keepTokens = defaultKeepTokens } = this.#options;
    const cut = cutPoint(messages, Math.min(keepTokens, model.contextWindow / 4));
    if (cut === 0) return undefined;
    const older = messages.slice(0, cut);
    // Where even the older part is more than the model takes, its long results are left out of the request.
    const summary = (await this.#ask(older, signal)) ?? (await this.#askAgain(older, signal));
    if (summary === undefined) return undefined;
    const shortSummary = (summary.split("\n", 1)[0] ?? "").replace(/^#+ */, "").slice(0, maxShortSummary);
    return { summary, shortSummary, kept: messages.length - cut, files: touchedFiles(older) };
  }

  #askAgain(older: readonly Message[], signal: AbortSignal): Promise<string | undefined> | undefined {
    if (this.failure?.kind !== "context_overflow") return undefined;
    return this.#ask(elideOldResults(older), signal);
  }

  async #ask(older: readonly Message[], signal: AbortSignal): Promise<string | undefined> {
    const { model, system, tools, sessionId, instructions } = this.#options;
    const wish = instructions === undefined ? "" : filledPrompt("compact-wish.md", { instructions });
    const content = `${filledPrompt("compact.md")}${wish === "" ? "" : `\n\n${wish}`}`;
    const asked: Message = { role: "user", content, timestamp: Date.now() };
    const request: ModelRequest = {
      system,
      messages: [...older, asked],
      tools: tools(),
      toolChoice: "none",
      ...(sessionId === undefined ? {} : { sessionId }),
    };
    this.failure = undefined;
    for await (const event of model.stream(request, signal)) {
      if (event.type === "error") this.failure = event.failure;
      if (event.type !== "done") continue;
      const text = event.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      return text.trim() === "" ? undefined : text.trim();
    }
    return undefined;
  }
}

function isWorthwhile(before: number, after: number): boolean {
  return before - after >= before * worthwhile;
}

/** Index of the first message that is not summarised: at least the last one, and never an answer without its call. */
function cutPoint(messages: readonly Message[], keepTokens: number): number {
  let cut = Math.max(0, messages.length - 1);
  let tokens = estimateTokens(messages.slice(cut));
  while (cut > 0) {
    tokens += estimateTokens(messages.slice(cut - 1, cut));
    if (tokens > keepTokens) break;
    cut -= 1;
  }
  while (cut > 0 && messages[cut]?.role === "toolResult") cut -= 1;
  return cut;
}
