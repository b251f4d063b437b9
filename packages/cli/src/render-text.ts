// A turn as text: the model's words on standard output, everything else on standard error. Its events are folded into items,
// as in every front end; what an event adds to the items is written.

import { emptyView, fold } from "@stet/client/fold";
import type { Item, ToolItem } from "@stet/client/items";
import { loggedEvent } from "@stet/host/jobs/job-events";
import type { TurnEvent } from "@stet/host/turn/agent-turn";
import { cutText } from "@stet/protocol/cut-text";
import { deliveryTitle } from "@stet/protocol/delivery-words";
import type { Usage } from "@stet/protocol/message";
import { numberText } from "@stet/protocol/number-text";
import { visibleName } from "@stet/protocol/visible";
import { diffSize, formatDiff } from "./format-diff.ts";
import { MarkdownStream } from "./markdown-stream.ts";
import { tellNextStep } from "./model-words.ts";
import type { StatusLine } from "./status-line.ts";
import type { Terminal } from "./terminal.ts";

/** Lines of a diff that are shown when it is made. */
const diffLines = 40;
const waiting = "Waiting for the model";

/** What of an item is on the screen. */
interface Drawn {
  /** Characters of a text. */
  length: number;
  isBegun: boolean;
  isEnded: boolean;
}

export class TextRenderer {
  readonly #terminal: Terminal;
  readonly #status: StatusLine;
  /** Where a person reads the answer in colours; undefined where it is written as it comes. */
  readonly #markdown: MarkdownStream | undefined;
  #view = emptyView;
  readonly #drawn = new Map<string, Drawn>();
  #isInLine = false;
  #isThinking = false;
  #context = "";
  /** Lines of what goes on beside the turn, which wait until the answer's line has ended. */
  #asides: string[] = [];
  /** Calls whose diff was shown with the question whether they may be made. */
  readonly #asked = new Set<string>();

  constructor(status: StatusLine) {
    this.#status = status;
    this.#terminal = status.terminal;
    const { isRead, style } = this.#terminal;
    this.#markdown = isRead && style("bold", "x") !== "x" ? new MarkdownStream(style) : undefined;
  }

  show(event: TurnEvent): void {
    this.#fold(event);
    switch (event.type) {
      case "turn_start":
      case "tool_end":
        this.#status.show(waiting);
        break;
      case "model":
        this.#showBlock(event.event);
        break;
      case "tool_start":
        if (this.#call(event.id) === undefined) this.#line(this.#arrow(event.words ?? event.name));
        this.#status.show(event.name);
        break;
      case "tool_preview":
        this.#status.show(`${event.name}: ${diffSize(event.diff)} lines so far`, false);
        break;
      case "tool_progress":
        this.#status.show(`${lastLine(event.text)}${this.#subagents(event.id)}`, false);
        break;
      case "context":
        this.#context = event.window > 0 ? `context ${percent(event.tokens / event.window)}` : "";
        break;
      case "turn_end": {
        this.#status.end();
        this.#endLine();
        if (event.failure !== undefined && event.outcome === "failed") {
          this.#line(this.#terminal.style("red", event.failure.message));
          tellNextStep(this.#terminal, event.failure);
        }
        const parts = [usageLine(event.usage), this.#context, seconds(event.durationMs)];
        this.#line(this.#dim(parts.filter((part) => part !== "").join(", ")));
        break;
      }
    }
  }

  /** A line about something beside the turn. It does not cut into an answer that is being written. */
  aside(text: string): void {
    this.#asides.push(text);
    if (!this.#isInLine && !this.#isThinking) this.#showAsides();
  }

  #showAsides(): void {
    const asides = this.#asides;
    this.#asides = [];
    for (const text of asides) this.#terminal.note(`${text}\n`);
  }

  /** For the question whether the call may be made. */
  previewOf(callId: string): string | undefined {
    const preview = this.#call(callId)?.preview ?? "";
    if (preview === "") return undefined;
    this.#asked.add(callId);
    return preview;
  }

  #call(id: string): ToolItem | undefined {
    const isCall = (item: Item): item is ToolItem => item.kind === "tool" && item.callId === id;
    return this.#view.items.findLast(isCall);
  }

  /** Draws what the event adds to what a person sees. */
  #fold(event: TurnEvent): void {
    const logged = event.type === "review" ? undefined : loggedEvent(event);
    if (logged === undefined) return;
    const before = this.#view.items;
    this.#view = fold(this.#view, { cursor: this.#view.cursor + 1, ...logged.event });
    for (const [index, item] of this.#view.items.entries()) {
      if (item === before[index]) continue;
      const drawn = this.#drawn.get(item.key) ?? { length: 0, isBegun: false, isEnded: false };
      this.#drawn.set(item.key, drawn);
      this.#draw(item, drawn);
    }
  }

  #draw(item: Item, drawn: Drawn): void {
    switch (item.kind) {
      case "thinking":
      case "assistant":
        if (!item.isStreaming) break;
        if (item.kind === "thinking") this.#think(item.text.slice(drawn.length));
        else this.#answer(item.text.slice(drawn.length));
        drawn.length = item.text.length;
        break;
      case "tool":
        this.#drawCall(item, drawn);
        break;
      case "retry":
        this.#begin(drawn, this.#dim(retryWords(item)));
        break;
      case "stop":
        this.#begin(drawn, this.#terminal.style("yellow", item.text));
        break;
      case "delivery":
        this.#begin(drawn, `${this.#terminal.style("cyan", "←")} ${visibleName(deliveryTitle(item))}`);
        break;
      case "compacted":
        this.#begin(
          drawn,
          this.#dim(`Made room in the context: ${item.before} → ${item.after} tokens, by ${item.by}.`),
        );
        break;
    }
  }

  /** The first line of an item, once. */
  #begin(drawn: Drawn, text: string): void {
    if (!drawn.isBegun) this.#line(text);
    drawn.isBegun = true;
  }

  #drawCall(item: ToolItem, drawn: Drawn): void {
    // A call that is still being written has no arguments.
    if (item.arguments === undefined) return;
    this.#begin(drawn, this.#arrow(item.words));
    if (item.status === "running" || drawn.isEnded) return;
    drawn.isEnded = true;
    const { command, diff } = item;
    if (item.status === "failed" && command === undefined) {
      this.#line(`  ${this.#terminal.style("yellow", "✗")} ${this.#dim(cutText(item.reason, 200))}`);
      return;
    }
    if (diff !== "" && !this.#asked.has(item.callId)) this.#line(formatDiff(this.#terminal, diff, diffLines));
    if (command === undefined) return;
    if (command.hiddenLines > 0) this.#line(this.#dim(`    … ${command.hiddenLines} lines before`));
    for (const line of command.output.split("\n")) this.#line(this.#dim(`    ${line}`));
    const isGoingOn = command.exitCode === null && !command.timedOut;
    const isGood = command.exitCode === 0 || isGoingOn;
    const mark = isGoingOn ? "…" : isGood ? "✓" : "✗";
    const how = command.timedOut ? "timed out" : isGoingOn ? "goes on" : `exit ${command.exitCode}`;
    const end = `    ${mark} ${how}, ${seconds(item.durationMs ?? 0)}`;
    this.#line(isGood ? this.#dim(end) : this.#terminal.style("yellow", end));
  }

  /** Where a block begins and ends, which the whole message does not say. */
  #showBlock(event: Extract<TurnEvent, { type: "model" }>["event"]): void {
    if (event.type === "thinking_end") this.#endThinking();
    else if (event.type === "text_end") {
      this.#write(this.#markdown?.end() ?? "");
      this.#endLine();
      this.#status.show(waiting);
    } else if (event.type === "toolcall_start") this.#status.show(`${event.name} …`);
  }

  #think(text: string): void {
    this.#isThinking = true;
    this.#terminal.note(this.#dim(text));
  }

  #endThinking(): void {
    if (this.#isThinking) this.#terminal.note("\n");
    this.#isThinking = false;
  }

  #answer(text: string): void {
    this.#endThinking();
    this.#write(this.#markdown === undefined ? text : this.#markdown.write(text));
  }

  #write(text: string): void {
    if (text === "") return;
    this.#terminal.out(text);
    this.#isInLine = !text.endsWith("\n");
  }

  #endLine(): void {
    if (this.#isInLine) this.#terminal.out("\n");
    this.#isInLine = false;
    this.#showAsides();
  }

  #line(text: string): void {
    this.#endLine();
    this.#terminal.note(`${text}\n`);
  }

  #arrow(words: string): string {
    return `${this.#terminal.style("cyan", "→")} ${visibleName(words)}`;
  }

  #subagents(callId: string): string {
    const active = this.#call(callId)?.subagents ?? 0;
    if (active === 0) return "";
    return active === 1 ? " (1 subagent active)" : ` (${active} subagents active)`;
  }

  #dim(text: string): string {
    return this.#terminal.style("dim", text);
  }
}

function retryWords({ reason, delayMs, attempt }: Extract<Item, { kind: "retry" }>): string {
  const count = attempt === undefined ? "" : ` (${attempt.number} of ${attempt.of})`;
  return `${reason} What it said is dropped; trying again in ${Math.round(delayMs / 1000)} s${count}.`;
}

/** Of output that goes on, the newest is what one wants to see. */
function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`;
}

/** What is not known is not nothing. */
export function costText({ total, isUnknown = false }: Pick<Usage["cost"], "total" | "isUnknown">): string {
  if (total === 0) return isUnknown ? "price unknown" : "no cost";
  return `$${total.toFixed(4)}${isUnknown ? " and what has no known price" : ""}`;
}

export function usageLine(usage: Usage): string {
  const cached = usage.cacheRead + usage.cacheWrite;
  const parts = [
    `${numberText(usage.input + cached)} tokens in${cached > 0 ? ` (${numberText(cached)} cached)` : ""}`,
    `${numberText(usage.output)} out`,
    costText(usage.cost),
  ];
  return parts.join(", ");
}
