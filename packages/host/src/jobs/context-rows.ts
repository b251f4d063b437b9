// The person's pinned rows, as a message before their request. Bounded, so that a row cannot crowd out the rest.

import { textTokens } from "@stet/agent/context-size";
import type { ContextRow } from "@stet/protocol/api/sessions";
import { beginningOf } from "@stet/protocol/cut-text";
import { isFault } from "@stet/protocol/fault";
import { FaultError } from "@stet/protocol/fault-error";
import type { EntrySlot } from "@stet/session/entry-index";
import type { Session } from "@stet/session/session-tree";
import { startHistory } from "@stet/text/history";
import { countLines, lineContent } from "@stet/text/lines";
import type { Sight } from "@stet/tools/sight/sight";
import type { Workspace } from "@stet/workspace/workspace";

export const maxRowCharacters = 50_000;
export const maxContextCharacters = 200_000;
const entryType = "context_rows";

type Ground = Pick<Workspace, "documents">;

/** Empty where nothing is pinned. */
export function contextText(workspace: Workspace, rows: readonly ContextRow[]): string {
  const parts: string[] = [];
  let left = maxContextCharacters;
  for (const [index, row] of rows.entries()) {
    const part = rowText(workspace, row);
    if (part.length > left) {
      parts.push(`[${rows.length - index} more are left out: there is no room for them.]`);
      break;
    }
    left -= part.length;
    parts.push(part);
  }
  return parts.length === 0 ? "" : `[What the person pinned for you to see]\n\n${parts.join("\n\n")}`;
}

/** Each row with about how many tokens of the model's context it takes: none where there is no room for it. */
export function withTokens(
  workspace: Workspace,
  rows: readonly ContextRow[],
): (ContextRow & { tokens: number })[] {
  let left = maxContextCharacters;
  return rows.map((row) => {
    const part = rowText(workspace, row);
    if (part.length > left) {
      left = 0;
      return { ...row, tokens: 0 };
    }
    left -= part.length;
    return { ...row, tokens: textTokens(part) };
  });
}

function rowText(workspace: Ground, row: ContextRow): string {
  const { file_path: path, start_line: start, end_line: end = start } = row;
  const lines = start === undefined ? "" : start === end ? `, line ${start}` : `, lines ${start}-${end}`;
  const name = path === undefined ? "A note" : `${path}${lines}`;
  const content = row.content ?? (start === undefined ? undefined : linesOf(workspace, row));
  if (content === undefined) return `${name} (the file; read what you need of it)`;
  return `${name}:\n${cut(content)}`;
}

/** The lines as they are now, where the client only said which. */
function linesOf(workspace: Ground, row: ContextRow): string | undefined {
  const { file_path: path, start_line: start = 1, end_line: end = start } = row;
  const text = path === undefined ? undefined : workspace.documents.peek(path);
  if (text === undefined || isFault(text)) return undefined;
  const lines: string[] = [];
  let length = 0;
  for (let line = start; line <= Math.min(end, countLines(text)) && length <= maxRowCharacters; line += 1) {
    const content = lineContent(text, line - 1);
    length += content.length + 1;
    lines.push(content);
  }
  return lines.join("\n");
}

function cut(content: string): string {
  if (content.length <= maxRowCharacters) return content;
  return `${beginningOf(content, maxRowCharacters)}\n[The rest is left out.]`;
}

/** The model has seen the lines of the rows under their numbers, where they are still the same. */
export function showContext(
  sight: Sight,
  { documents }: Workspace,
  rows: readonly ContextRow[],
  context: string,
): void {
  for (const row of rows) {
    const { file_path: path, start_line: start, end_line: end = start } = row;
    if (path === undefined || start === undefined || end === undefined) continue;
    const lines = linesOf({ documents }, row);
    const isTold =
      lines !== undefined &&
      (row.content ?? lines) === lines &&
      context.includes(rowText({ documents }, row));
    const location = documents.locate(path);
    if (!isTold || lines.length > maxRowCharacters || isFault(location)) continue;
    const isOpen = documents.rowAt(location.path) !== undefined;
    const state = isOpen ? documents.open(location.path) : undefined;
    const text = state === undefined ? documents.peek(location.path) : state;
    if (isFault(text)) continue;
    const history = "history" in text ? text.history : startHistory(text, 0);
    sight.show({ path: location.path, history }, start, end);
  }
}

/** Other messages that nobody typed stand between: what happened in the background, a reminder. */
function newestRows(session: Session, slots: readonly EntrySlot[]): string | undefined {
  for (const slot of slots.toReversed()) {
    const [entry] = session.log.read([slot]);
    if (entry === undefined || isFault(entry) || entry.type !== "custom_message") continue;
    if (entry.customType === entryType) return typeof entry.content === "string" ? entry.content : undefined;
  }
  return undefined;
}

/** Puts it before the person's request, unless the model has the very same in sight already. */
export function tellContext(session: Session, context: string): void {
  const slots = session.pathSlots();
  const since = slots.findLastIndex((slot) => slot.head.type === "compaction");
  const told = slots.filter((slot, index) => index > since && slot.head.type === "custom_message");
  if (context === "" || newestRows(session, told) === context) return;
  const kept = session.append({
    type: "custom_message",
    customType: entryType,
    content: context,
    display: false,
  });
  if (isFault(kept)) throw new FaultError(kept);
}
