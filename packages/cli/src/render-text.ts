// A turn as text: the model's words on standard output, everything else on standard error.

import type { TurnEvent } from "@stet/host/turn/agent-turn";
import type { Usage } from "@stet/protocol/message";
import { visibleName } from "@stet/protocol/visible";
import { diffSize, formatDiff } from "./format-diff.ts";
import { MarkdownStream } from "./markdown-stream.ts";
import type { StatusLine } from "./status-line.ts";
import type { Terminal } from "./terminal.ts";
import { wordsForCall } from "./tool-words.ts";

/** Lines of a command's output, and of a diff, that are shown when it is done. */
const outputTail = 10;
const diffLines = 40;
const waiting = "Waiting for the model";

export class TextRenderer {
  private readonly terminal: Terminal;
  private readonly status: StatusLine;
  /** Where a person reads the answer in colours; undefined where it is written as it comes. */
  private readonly markdown: MarkdownStream | undefined;
  private isInLine = false;
  private isThinking = false;
  private working = 0;
  private context = "";
  /** What calls would do, as last told; kept for the question whether they may. */
  private readonly previews = new Map<string, string>();
  /** Calls whose diff was shown with the question. */
  private readonly asked = new Set<string>();

  constructor(status: StatusLine) {
    this.status = status;
    this.terminal = status.terminal;
    const { isRead, style } = this.terminal;
    this.markdown = isRead && style("bold", "x") !== "x" ? new MarkdownStream(style) : undefined;
  }

  show(event: TurnEvent): void {
    switch (event.type) {
      case "turn_start":
        this.status.show(waiting);
        break;
      case "model":
        this.showModel(event.event);
        break;
      case "tool_start":
        this.line(
          `${this.terminal.style("cyan", "→")} ${visibleName(wordsForCall(event.name, event.arguments))}`,
        );
        this.status.show(event.name);
        break;
      case "tool_end":
        this.showEnd(event);
        this.status.show(waiting);
        break;
      case "tool_preview":
        this.previews.set(event.id, event.diff);
        this.status.show(`${event.name}: ${diffSize(event.diff)} lines so far`, false);
        break;
      case "tool_progress":
        this.status.show(`${lastLine(event.text)}${this.subagents()}`, false);
        break;
      case "subagents":
        this.working = event.active;
        break;
      case "auto_retry_start": {
        const seconds = Math.round(event.delayMs / 1000);
        const attempt = `${event.attempt} of ${event.maxAttempts}`;
        this.line(
          this.dim(
            `${event.errorMessage} What it said is dropped; trying again in ${seconds} s (${attempt}).`,
          ),
        );
        break;
      }
      case "context":
        this.context = event.window > 0 ? `context ${percent(event.tokens / event.window)}` : "";
        break;
      case "limit":
        this.line(this.terminal.style("yellow", event.message));
        break;
      case "compaction":
        this.line(
          this.dim(`Made room in the context: ${event.before} → ${event.after} tokens, by ${event.by}.`),
        );
        break;
      case "turn_end": {
        this.status.end();
        this.endLine();
        if (event.failure !== undefined && event.outcome === "failed") {
          this.line(this.terminal.style("red", event.failure.message));
        }
        const parts = [usageLine(event.usage), this.context, seconds(event.durationMs)];
        this.line(this.dim(parts.filter((part) => part !== "").join(", ")));
        break;
      }
    }
  }

  /** For the question whether the call may be made. */
  previewOf(callId: string): string | undefined {
    this.asked.add(callId);
    return this.previews.get(callId);
  }

  private showEnd(event: Extract<TurnEvent, { type: "tool_end" }>): void {
    this.working = 0;
    const ran = commandEnd(event.details);
    if (event.isError && ran === undefined) {
      this.line(`  ${this.terminal.style("yellow", "✗")} ${this.dim(firstSentence(event.content))}`);
      return;
    }
    const diff = diffIn(event.details);
    const wasShown = this.asked.has(event.id) && this.previews.has(event.id);
    if (diff !== undefined && !wasShown) this.line(formatDiff(this.terminal, diff, diffLines));
    if (ran === undefined) return;
    const output = event.content.split("\n").filter((line) => !/^\[.*\]$/.test(line));
    const hidden = output.length - outputTail;
    if (hidden > 0) this.line(this.dim(`    … ${hidden} lines before`));
    for (const line of output.slice(-outputTail)) this.line(this.dim(`    ${line}`));
    const isGood = ran.exitCode === 0;
    const how = ran.timedOut ? "timed out" : ran.exitCode === undefined ? "goes on" : `exit ${ran.exitCode}`;
    const end = `    ${isGood ? "✓" : "✗"} ${how}, ${seconds(event.durationMs)}`;
    this.line(isGood ? this.dim(end) : this.terminal.style("yellow", end));
  }

  private showModel(event: Extract<TurnEvent, { type: "model" }>["event"]): void {
    if (event.type === "thinking_delta") {
      this.isThinking = true;
      this.terminal.note(this.dim(event.delta));
    } else if (event.type === "text_delta") {
      if (this.isThinking) this.terminal.note("\n");
      this.isThinking = false;
      const text = event.delta;
      this.answer(this.markdown === undefined ? text : this.markdown.write(text));
    } else if (event.type === "thinking_end") {
      this.terminal.note("\n");
      this.isThinking = false;
    } else if (event.type === "text_end") {
      this.answer(this.markdown?.end() ?? "");
      this.endLine();
      this.status.show(waiting);
    } else if (event.type === "toolcall_start") this.status.show(`${event.name} …`);
  }

  private answer(text: string): void {
    if (text === "") return;
    this.terminal.out(text);
    this.isInLine = !text.endsWith("\n");
  }

  private endLine(): void {
    if (this.isInLine) this.terminal.out("\n");
    this.isInLine = false;
  }

  private line(text: string): void {
    this.endLine();
    this.terminal.note(`${text}\n`);
  }

  private subagents(): string {
    if (this.working === 0) return "";
    return this.working === 1 ? " (1 subagent active)" : ` (${this.working} subagents active)`;
  }

  private dim(text: string): string {
    return this.terminal.style("dim", text);
  }
}

/** Of output that goes on, the newest is what one wants to see. */
function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** What an edit did, where its tool tells it. */
function diffIn(details: unknown): string | undefined {
  const files = fieldOf(details, "perFileResults");
  const diffs = (Array.isArray(files) ? files : [details]).map((file) => fieldOf(file, "diff"));
  const texts = diffs.filter((diff): diff is string => typeof diff === "string" && diff !== "");
  return texts.length > 0 ? texts.join("") : undefined;
}

function commandEnd(details: unknown): { exitCode: number | undefined; timedOut: boolean } | undefined {
  if (typeof details !== "object" || details === null || !("exitCode" in details)) return undefined;
  const { exitCode } = details;
  const timedOut = fieldOf(details, "timedOut") === true;
  return { exitCode: typeof exitCode === "number" ? exitCode : undefined, timedOut };
}

function brief(text: string): string {
  const line = text;
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function firstSentence(content: string): string {
  try {
    const { message }: { message?: string } = JSON.parse(content.split("\n")[0] ?? "");
    if (message !== undefined) return brief(message);
  } catch {
    // Not a fault in JSON: shown as it is.
  }
  return brief(content.split("\n")[0] ?? "");
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`;
}

/** What is not known is not nothing. */
function costText({ total, isUnknown = false }: Usage["cost"]): string {
  if (total === 0) return isUnknown ? "price unknown" : "no cost";
  return `$${total.toFixed(4)}${isUnknown ? " and what has no known price" : ""}`;
}

export function usageLine(usage: Usage): string {
  const cached = usage.cacheRead + usage.cacheWrite;
  const parts = [
    `${(usage.input + cached).toLocaleString("en")} tokens in${cached > 0 ? ` (${cached.toLocaleString("en")} cached)` : ""}`,
    `${usage.output.toLocaleString("en")} out`,
    costText(usage.cost),
  ];
  return parts.join(", ");
}
