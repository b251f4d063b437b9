// Items of a line or two: what happened to the turn, and what to do about it.

import { deliveryText, deliveryTitle } from "@stet/protocol/delivery-words";
import { numberText } from "@stet/protocol/number-text";
import { nextStep, slashText } from "../../models/next-step.ts";
import type { SymbolName, TextToken, Theme } from "../theme/theme.ts";
import type { ItemOf } from "./item-block.ts";
import { cleanLine, cleanText, hanging, plural, wrapLines } from "./rows.ts";

export type NoteItem = ItemOf<
  | "turn"
  | "decision"
  | "model"
  | "retry"
  | "compacted"
  | "stop"
  | "waiting"
  | "summary"
  | "delivery"
  | "error"
>;

interface Note {
  readonly symbol: SymbolName;
  readonly colour: TextToken;
  /** The first in the colour, the others muted; clean. */
  readonly lines: readonly string[];
}

export function noteRows(item: NoteItem, theme: Theme, width: number): string[] {
  const { symbol, colour, lines } = noteOf(item);
  const painted = lines.map((line, index) => theme.fg(index === 0 ? colour : "muted", line));
  return hanging(`${theme.fg(colour, theme.symbol(symbol))} `, painted, width);
}

export function noteOf(item: NoteItem): Note {
  switch (item.kind) {
    case "turn":
      return { symbol: "branch", colour: "accent", lines: [turnText(item)] };
    case "decision":
      return { symbol: "info", colour: "muted", lines: [decisionText(item)] };
    case "model":
      return {
        symbol: "info",
        colour: "muted",
        lines: [`${cleanLine(item.model)} answers: ${cleanLine(item.reason)}`],
      };
    case "retry":
      return { symbol: "warning", colour: "warning", lines: retryLines(item) };
    case "compacted": {
      const { before, after, by } = item;
      const how = by === "summary" ? "a summary" : "leaving out what is old";
      const line = `Made room in the context by ${how}: ${numberText(before)} to ${numberText(after)} tokens.`;
      return { symbol: "info", colour: "muted", lines: [line] };
    }
    case "stop":
      return { symbol: "stopped", colour: "warning", lines: cleanText(item.text.trim()).split("\n") };
    case "waiting":
      return { symbol: "pending", colour: "muted", lines: ["Waiting for the model"] };
    case "summary":
      return {
        symbol: "info",
        colour: "muted",
        lines: ["What was said before, in short:", ...cleanText(item.text.trim()).split("\n")],
      };
    case "delivery":
      return { symbol: "arrow", colour: "customMessageText", lines: [cleanLine(deliveryTitle(item))] };
    case "error":
      return errorNote(item);
  }
}

/** What was told, with everything that belongs to it. */
export function expandedDelivery(item: ItemOf<"delivery">, theme: Theme, width: number): string[] {
  const lines = cleanText(deliveryText(item)).split("\n");
  return [...noteRows(item, theme, width), "", ...wrapLines(lines, width)];
}

function turnText({ files, hunks, decided, rejected }: ItemOf<"turn">): string {
  const changed = plural(files, "file");
  if (hunks !== null && hunks > 0)
    return `${changed}, ${plural(hunks, "change")} ${hunks === 1 ? "waits" : "wait"} for review: /review`;
  if (decided === 0) return `${changed} changed: /review`;
  const answer =
    rejected === 0 ? "accepted" : rejected === decided ? "rejected" : `decided, ${rejected} rejected`;
  return `${changed} changed, ${plural(decided, "change")} ${answer}`;
}

const verdicts: Readonly<Record<ItemOf<"decision">["verdict"], string>> = {
  accepted: "accepted",
  rejected: "rejected",
  reopened: "opened again",
};

function decisionText({ verdict, hunks }: ItemOf<"decision">): string {
  return `${plural(hunks, "change")} ${verdicts[verdict]}`;
}

function retryLines({ reason, delayMs, attempt }: ItemOf<"retry">): string[] {
  const count = attempt === undefined ? "" : ` (${attempt.number}/${attempt.of})`;
  const wait = `Retrying${count} in ${Math.max(1, Math.round(delayMs / 1000))}s… (esc to cancel)`;
  return [wait, cleanLine(reason)];
}

function errorNote({ message, suggestion, isStopped, isKept, retries, mend }: ItemOf<"error">): Note {
  const tried = retries > 0 && !isStopped ? `Retry failed after ${plural(retries, "attempt")}: ` : "";
  const kept = isKept ? ["What changed until then is in the review: /review"] : [];
  const step = mend === undefined ? undefined : nextStep(mend);
  const lines = [
    ...cleanText(tried + message.trim()).split("\n"),
    // The one step says it shorter.
    ...(step === undefined ? cleanText(suggestion.trim()).split("\n") : []),
    ...(step === undefined ? [] : [`${step.label}: ${slashText(step)}`]),
    ...kept,
  ];
  return {
    symbol: isStopped ? "stopped" : "failure",
    colour: isStopped ? "warning" : "error",
    lines: lines.filter((line) => line !== ""),
  };
}
