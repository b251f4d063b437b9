// Compaction: making room in the context. First old tool results are elided, then older messages become a summary.
//
// A compaction that frees less than a tenth is no use. After two of those in a row the turn stops, with a message that
// says so, instead of asking and paying for ever.

import type { Message } from "@stet/protocol/message";
import type { Model } from "@stet/protocol/model-stream";
import { contextTokens, elideOldResults, estimateTokens } from "./context-size.ts";

export const compactAt = 0.9;
const worthwhile = 0.1;

export interface Shortened {
  readonly summary: string;
  /** How many of the newest messages stay as they are. */
  readonly kept: number;
}

export interface Compacted {
  /** Undefined where old answers are only left out of what is sent. */
  readonly shortened?: Shortened;
  readonly before: number;
  readonly after: number;
}

export class Compaction {
  private useless = 0;
  private isEliding = false;
  private readonly model: Model;
  private readonly overhead: number;
  private readonly summaryPrompt: string;

  constructor(model: Model, overhead: number, summaryPrompt: string) {
    this.model = model;
    this.overhead = overhead;
    this.summaryPrompt = summaryPrompt;
  }

  /** The messages as they are to be sent, without asking whether there is room. */
  view(messages: readonly Message[]): readonly Message[] {
    return this.isEliding ? elideOldResults(messages) : messages;
  }

  tokens(messages: readonly Message[]): number {
    return contextTokens(this.view(messages), this.overhead);
  }

  isNeeded(messages: readonly Message[]): boolean {
    return this.tokens(messages) > this.model.contextWindow * compactAt;
  }

  /** True after two compactions in a row that freed next to nothing. */
  get isHopeless(): boolean {
    return this.useless >= 2;
  }

  /** Makes room. Returns undefined where the model could not summarise. */
  async compact(messages: readonly Message[], signal: AbortSignal): Promise<Compacted | undefined> {
    const before = this.overhead + estimateTokens(this.view(messages));
    if (!this.isEliding) {
      this.isEliding = true;
      const elided = elideOldResults(messages);
      const after = this.overhead + estimateTokens(elided);
      if (this.isWorthwhile(before, after)) return { before, after };
    }
    const shortened = await this.summarise(messages, signal);
    if (shortened === undefined) {
      this.useless += 1;
      return undefined;
    }
    const kept = messages.slice(messages.length - shortened.kept);
    const after = this.overhead + estimateTokens(this.view(kept)) + Math.ceil(shortened.summary.length / 4);
    this.useless = this.isWorthwhile(before, after) ? 0 : this.useless + 1;
    return { shortened, before, after };
  }

  private isWorthwhile(before: number, after: number): boolean {
    return before - after >= before * worthwhile;
  }

  private async summarise(messages: readonly Message[], signal: AbortSignal): Promise<Shortened | undefined> {
    const cut = cutPoint(messages);
    if (cut === 0) return undefined;
    const asked: Message = { role: "user", content: this.summaryPrompt, timestamp: Date.now() };
    const request = { system: "", messages: [...elideOldResults(messages.slice(0, cut)), asked], tools: [] };
    for await (const event of this.model.stream(request, signal)) {
      if (event.type === "error") return undefined;
      if (event.type !== "done") continue;
      const text = event.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      return text.trim() === "" ? undefined : { summary: text, kept: messages.length - cut };
    }
    return undefined;
  }
}

/** Keeps about the newer half, and never parts a tool's answer from its call. */
function cutPoint(messages: readonly Message[]): number {
  let cut = Math.floor(messages.length / 2);
  while (cut > 0 && messages[cut]?.role === "toolResult") cut -= 1;
  return cut;
}
