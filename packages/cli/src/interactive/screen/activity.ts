// What goes on while a turn runs, as one line: what it does now, since when, and the key that stops it.

import type { TurnView } from "@stet/client/fold";
import { type Item, isCommand } from "@stet/client/items";
import { visibleName } from "@stet/protocol/visible";

/** Undefined where nothing goes on: the person is asked, or the turn is over. */
export function activityText(turn: TurnView | undefined, since: number, now: number): string | undefined {
  if (turn?.end !== undefined) return undefined;
  const last = turn?.items.at(-1);
  if (last?.kind === "question" && last.questionId !== null) return undefined;
  if (last?.kind === "retry") return retryText(last, since, now);
  const words = turn === undefined ? "Starting" : doing(turn.items);
  const aside = turn?.items.some(isWaitedFor) === true ? ", ctrl+b to let it go on beside" : "";
  return `${words} ${elapsed(now - since)} (esc to stop${aside})`;
}

/** A command of a shell, which may go on in the background instead. */
export function isWaitedFor(item: Item): boolean {
  return item.kind === "tool" && isCommand(item) && item.status === "running" && item.arguments !== undefined;
}

function doing(items: readonly Item[]): string {
  const running = items.filter((item) => item.kind === "tool" && item.status === "running");
  const [call] = running;
  if (running.length > 1) return `${running.length} tools work`;
  if (call?.kind === "tool") return visibleName(call.words);
  const last = items.at(-1);
  if (last?.kind === "thinking" && last.isStreaming) return "Thinking";
  if (last?.kind === "assistant" && last.isStreaming) return "Answering";
  return "Waiting for the model";
}

function retryText(item: Extract<Item, { kind: "retry" }>, since: number, now: number): string {
  const left = Math.max(0, Math.ceil((item.delayMs - (now - since)) / 1000));
  const attempt = item.attempt === undefined ? "" : ` (${item.attempt.number}/${item.attempt.of})`;
  return `Retrying${attempt} in ${left}s… (esc to cancel)`;
}

export function elapsed(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
