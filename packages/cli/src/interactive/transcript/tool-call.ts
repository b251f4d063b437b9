// A call and its result in one block: a line with its state, what it does and how long it took, and below that what a person
// wants to see of it: the diff of an edit, the end of a command's output, why it failed. What is longer than a few rows is
// folded; `expandedCall` has all of it.

import type { ToolItem } from "@stet/client/items";
import type { SymbolName, TextToken, Theme } from "../theme/theme.ts";
import { diffCounts, diffRows } from "./diff-rows.ts";
import { behind, cleanLine, cleanText, durationText, factsText, hanging, plural, wrapLines } from "./rows.ts";
import { todoRows } from "./todo-list.ts";

/** Rows of a diff, of a running edit's preview, and of other output that are shown in the transcript. */
const maxDiffRows = 24;
const maxPreviewRows = 12;
const maxOutputRows = 8;
/** Of a text that is cut anyway, no more is wrapped. */
const maxOutputCharacters = 20_000;

const states: Readonly<Record<ToolItem["status"], { symbol: SymbolName; colour: TextToken; word: string }>> =
  {
    running: { symbol: "pending", colour: "accent", word: "running" },
    ok: { symbol: "success", colour: "success", word: "done" },
    failed: { symbol: "failure", colour: "error", word: "failed" },
    stopped: { symbol: "stopped", colour: "muted", word: "stopped" },
  };

export function stateWord(item: ToolItem): string {
  return states[item.status].word;
}

export function stateSign(status: ToolItem["status"], theme: Theme): string {
  const { symbol, colour } = states[status];
  return `${theme.fg(colour, theme.symbol(symbol))} `;
}

export function callRows(item: ToolItem, theme: Theme, width: number): string[] {
  return [
    ...titleRows(item, theme, width),
    ...behind("  ", "  ", width, (room) => bodyRows(item, theme, room)),
  ].filter((row, index) => index === 0 || row.trim() !== "" || item.diff !== "" || item.preview !== "");
}

/** Everything that is known of a call. */
export function expandedCall(item: ToolItem, theme: Theme, width: number): string[] {
  const { diff, preview, command, result, reason, progress } = item;
  const parts: string[][] = [titleRows(item, theme, width)];
  if (item.arguments !== undefined)
    parts.push(textRows(JSON.stringify(item.arguments, null, 2), "muted", theme, width));
  if (reason !== "") parts.push(textRows(reason, "error", theme, width));
  if (diff !== "" || preview !== "") parts.push(diffRows(diff === "" ? preview : diff, theme, width));
  if (command !== undefined) {
    const { hiddenLines } = command;
    const before = hiddenLines > 0 ? [`… ${plural(hiddenLines, "line")} before`] : [];
    parts.push([...wrapLines(before, width), ...textRows(command.output, "toolOutput", theme, width)]);
  }
  if (item.todo !== undefined) parts.push(todoRows(item.todo, theme, width, Number.POSITIVE_INFINITY));
  const said = result === "" ? progress : result;
  if (said !== "" && command === undefined && item.todo === undefined)
    parts.push(textRows(said, "toolOutput", theme, width));
  return parts.flatMap((rows, index) => (index === 0 ? rows : ["", ...rows]));
}

function titleRows(item: ToolItem, theme: Theme, width: number): string[] {
  const facts = titleFacts(item);
  const words = theme.fg("toolTitle", cleanLine(item.words));
  const line = facts.length === 0 ? words : `${words}  ${theme.fg("muted", factsText(facts))}`;
  return hanging(stateSign(item.status, theme), [line], width);
}

function titleFacts(item: ToolItem): string[] {
  const { command, subagents, durationMs, diff, preview, traits, status } = item;
  const facts: string[] = [];
  if (command !== undefined) {
    if (command.timedOut) facts.push("timed out");
    else facts.push(command.exitCode === null ? "goes on in the background" : `exit ${command.exitCode}`);
  }
  if (diff !== "" || preview !== "") {
    const { added, removed } = diffCounts(diff === "" ? preview : diff);
    facts.push(`+${added} \u2212${removed}`);
  }
  if (traits.includes("reads") && status === "ok" && countOf(item) !== undefined) facts.push(item.result);
  if (subagents > 0) facts.push(plural(subagents, "subagent"));
  if (status === "stopped") facts.push("stopped");
  if (durationMs !== null && durationMs >= 100) facts.push(durationText(durationMs));
  return facts;
}

/** How many results a search had, where its result says that and nothing else. */
export function countOf({ result }: ToolItem): number | undefined {
  const found = /^(\d+) results?$/.exec(result);
  return found === null ? undefined : Number(found[1]);
}

function bodyRows(item: ToolItem, theme: Theme, width: number): string[] {
  const { status, diff, preview, command, progress, reason, result, traits, todo } = item;
  if (status === "running") {
    if (preview !== "") return lastOf(diffRows(preview, theme, width), maxPreviewRows, theme, "");
    return lastOf(textRows(progress, "toolOutput", theme, width), maxOutputRows, theme, "");
  }
  const failure =
    status === "failed" && command === undefined
      ? firstOf(textRows(reason === "" ? result : reason, "error", theme, width), maxOutputRows, theme)
      : [];
  if (diff !== "") return [...failure, ...firstOf(diffRows(diff, theme, width), maxDiffRows, theme)];
  if (command !== undefined) {
    const { hiddenLines, output } = command;
    return lastOf(textRows(output, "toolOutput", theme, width), maxOutputRows, theme, "", hiddenLines);
  }
  if (status === "failed") return failure;
  if (todo !== undefined) return todoRows(todo, theme, width);
  // What a model reads is not what a person wants to read again.
  if (traits.includes("reads") || traits.includes("edits") || countOf(item) !== undefined) return [];
  const rows = textRows(result, "toolOutput", theme, width);
  return traits.includes("runs")
    ? lastOf(rows, maxOutputRows, theme, opens)
    : firstOf(rows, maxOutputRows, theme);
}

const opens = ", Ctrl-O opens it";

function textRows(text: string, colour: TextToken, theme: Theme, width: number): string[] {
  const whole = text.trimEnd();
  if (whole === "") return [];
  const shown = whole.length > maxOutputCharacters * 2 ? cutText(whole) : whole;
  return wrapLines(
    cleanText(shown)
      .split("\n")
      .map((line) => (line === "" ? "" : theme.fg(colour, line))),
    width,
  );
}

/** The beginning and the end of a text that is too long to be wrapped. */
function cutText(text: string): string {
  const left = text.length - 2 * maxOutputCharacters;
  return `${text.slice(0, maxOutputCharacters)}\n… ${left} characters …\n${text.slice(-maxOutputCharacters)}`;
}

function firstOf(rows: readonly string[], most: number, theme: Theme): string[] {
  const hidden = rows.length - most;
  // A row that says that one row is missing could be that row.
  if (hidden <= 1) return [...rows];
  return [...rows.slice(0, most), theme.fg("muted", `… ${hidden} more lines${opens}`)];
}

function lastOf(rows: readonly string[], most: number, theme: Theme, hint: string, before = 0): string[] {
  const cut = Math.max(0, rows.length - most);
  const hidden = cut + before;
  if (hidden === 0) return [...rows];
  return [theme.fg("muted", `… ${plural(hidden, "line")} before${hint}`), ...rows.slice(cut)];
}
