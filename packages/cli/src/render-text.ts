// A turn as text: the model's words on standard output, everything else on standard error.

import type { Usage } from "@stet/protocol/message";
import type { TurnEvent } from "@stet/server/turn/agent-turn";
import { printable, type Terminal } from "./terminal.ts";

export class TextRenderer {
  private readonly terminal: Terminal;
  private isInLine = false;
  private isThinking = false;
  private working = 0;
  private lastProgress = "";
  /** What calls would do, as last told; kept for the question whether they may. */
  private readonly previews = new Map<string, string>();

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  show(event: TurnEvent): void {
    switch (event.type) {
      case "model":
        this.showModel(event.event);
        break;
      case "tool_start":
        this.clearStatus();
        this.line(`${this.terminal.style("cyan", "→")} ${event.name} ${this.dim(brief(event.arguments))}`);
        break;
      case "tool_end":
        this.clearStatus();
        if (event.isError)
          this.line(`${this.terminal.style("yellow", "✗")} ${this.dim(firstSentence(event.content))}`);
        break;
      case "tool_preview":
        this.previews.set(event.id, event.diff);
        this.status(`${event.name}: ${diffSize(event.diff)}`);
        break;
      case "tool_progress":
        this.status(event.text);
        break;
      case "subagents":
        this.working = event.active;
        this.status(this.lastProgress);
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
      case "limit":
        this.line(this.terminal.style("yellow", event.message));
        break;
      case "compaction":
        this.line(
          this.dim(`Made room in the context: ${event.before} → ${event.after} tokens, by ${event.by}.`),
        );
        break;
      case "turn_end":
        this.clearStatus();
        this.endLine();
        if (event.failure !== undefined && event.outcome === "failed") {
          this.line(this.terminal.style("red", event.failure.message));
        }
        this.line(this.dim(usageLine(event.usage)));
        break;
    }
  }

  previewOf(callId: string): string | undefined {
    return this.previews.get(callId);
  }

  /** For as long as something else is asked on the screen. */
  holdStatus(): () => void {
    this.clearStatus();
    this.endLine();
    return () => {};
  }

  /** One line that is written over again; only where someone watches. */
  private status(text: string): void {
    this.lastProgress = text;
    if (!this.terminal.isInteractive) return;
    const who = this.working === 1 ? "1 subagent" : `${this.working} subagents`;
    const line = this.working > 0 ? `${text} (${who} active)` : text;
    this.terminal.note(`\r\u001b[2K  ${this.dim(lastLine(line))}`);
  }

  private clearStatus(): void {
    if (this.lastProgress !== "" && this.terminal.isInteractive) this.terminal.note("\r\u001b[2K");
    this.lastProgress = "";
    this.working = 0;
  }

  private showModel(event: Extract<TurnEvent, { type: "model" }>["event"]): void {
    if (event.type === "thinking_delta") {
      this.isThinking = true;
      this.terminal.note(this.dim(printable(event.delta)));
    } else if (event.type === "text_delta") {
      if (this.isThinking) this.terminal.note("\n");
      this.isThinking = false;
      this.terminal.out(printable(event.delta));
      this.isInLine = !event.delta.endsWith("\n");
    } else if (event.type === "thinking_end") {
      this.terminal.note("\n");
      this.isThinking = false;
    } else if (event.type === "text_end") {
      this.endLine();
    }
  }

  private endLine(): void {
    if (this.isInLine) this.terminal.out("\n");
    this.isInLine = false;
  }

  private line(text: string): void {
    this.endLine();
    this.terminal.note(`${text}\n`);
  }

  private dim(text: string): string {
    return this.terminal.style("dim", text);
  }
}

/** Of output that goes on, the newest is what one wants to see. */
function lastLine(text: string): string {
  const line = printable(text.trimEnd().split("\n").at(-1) ?? "");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

function brief(value: unknown): string {
  const text = printable(JSON.stringify(value) ?? "");
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

/** How much a diff adds and removes. */
function diffSize(diff: string): string {
  const lines = diff.split("\n");
  const count = (mark: string) =>
    lines.filter((line) => line.startsWith(mark) && !line.startsWith(mark.repeat(3))).length;
  return `+${count("+")} −${count("-")} lines so far`;
}

function firstSentence(content: string): string {
  try {
    const { message }: { message?: string } = JSON.parse(content.split("\n")[0] ?? "");
    if (message !== undefined) return brief(message);
  } catch {
    // Not a fault in JSON: shown as it is.
  }
  return brief(content.split("\n")[0]);
}

export function usageLine(usage: Usage): string {
  const cached = usage.cacheRead + usage.cacheWrite;
  const parts = [
    `${(usage.input + cached).toLocaleString("en")} tokens in${cached > 0 ? ` (${cached.toLocaleString("en")} cached)` : ""}`,
    `${usage.output.toLocaleString("en")} out`,
    usage.cost.total > 0 ? `$${usage.cost.total.toFixed(4)}` : "no cost",
  ];
  return parts.join(", ");
}
