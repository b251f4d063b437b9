// What the person gives the agent to see with every request: files, and lines of files. The server keeps it with the
// conversation, so it stays from one request to the next, until it is removed; what is pinned goes along into a new one.

import type { ContextRow } from "@stet/protocol/api/sessions";
import type { Workbench } from "../workspace/workbench.ts";
import { agentOf } from "./agent.ts";
import type { MeasuredRow } from "./agent-state.ts";

export type NewContextRow = Omit<ContextRow, "id">;

const maxRows = 200;
const maxContent = 200_000;

/** Adds a row to the conversation in the sidebar, unless it is there already. Whether it is there now. */
export async function addContextRow(workbench: Workbench, row: NewContextRow): Promise<boolean> {
  const agent = agentOf(workbench);
  const { rows } = agent.state;
  workbench.layout.set({ isAgentOpen: true });
  if (rows.length >= maxRows) {
    workbench.notices.tell({
      text: `There are ${maxRows} things in the agent's context already.`,
      detail: "Remove some of them first.",
      tone: "bad",
    });
    return false;
  }
  const id = `ctx_${crypto.randomUUID().slice(0, 8)}`;
  return agent.changeRows((known) =>
    known.some((other) => isSame(other, row)) ? known : [...known, { ...row, id }],
  );
}

export function isSame(one: NewContextRow, other: NewContextRow): boolean {
  const isContentSame = one.content === other.content;
  const isPlaceSame = one.start_line === other.start_line && one.end_line === other.end_line;
  return one.file_path === other.file_path && isPlaceSame && isContentSame;
}

/** What is selected in the tab in front; undefined where nothing is. */
export function selectionRow(workbench: Workbench): NewContextRow | undefined {
  const tab = workbench.activeTab();
  const state = tab === undefined ? undefined : workbench.documents.known(tab.document)?.state;
  if (tab === undefined || state === undefined || state.selection.main.empty) return undefined;
  const { from, to } = state.selection.main;
  const first = state.doc.lineAt(from);
  const last = state.doc.lineAt(to);
  // A selection that ends at the start of a line does not mean that line.
  const end = last.from === to && last.number > first.number ? last.number - 1 : last.number;
  const lines = { start_line: first.number, end_line: end };
  // A file's lines are read when the request is made, so that they are never out of date.
  if (tab.path !== null) return { kind: "selection", file_path: tab.path, ...lines };
  return { kind: "selection", content: state.sliceDoc(from, Math.min(to, from + maxContent)) };
}

export function fileRow(workbench: Workbench): NewContextRow | undefined {
  const path = workbench.activeTab()?.path ?? null;
  return path === null ? undefined : { kind: "file", file_path: path };
}

export function togglePin(workbench: Workbench, id: string): Promise<boolean> {
  return agentOf(workbench).changeRows((rows) =>
    rows.map((row) => (row.id === id ? { ...row, kind: pinned(row) } : row)),
  );
}

function pinned({ kind, start_line, file_path }: MeasuredRow): ContextRow["kind"] {
  if (kind !== "pinned") return "pinned";
  return start_line === undefined && file_path !== undefined ? "file" : "selection";
}

export function removeContextRow(workbench: Workbench, id: string): Promise<boolean> {
  return agentOf(workbench).changeRows((rows) => rows.filter((row) => row.id !== id));
}

export function clearContext(workbench: Workbench): Promise<boolean> {
  return agentOf(workbench).changeRows(() => []);
}

/** Whether the agent gets only the file's name: a whole file is read when it is needed. */
export function isNamed({ file_path: path, start_line: start, content }: NewContextRow): boolean {
  return path !== undefined && start === undefined && content === undefined;
}

/** As a row is named: a file, lines of it, or words without a file. */
export function rowName({ file_path: path, content = "" }: NewContextRow): string {
  return path === undefined ? `“${content.replace(/\s+/g, " ").slice(0, 40)}”` : path;
}

export function rowLines({ start_line: start, end_line: end = start }: NewContextRow): string {
  if (start === undefined) return "";
  return start === end ? `line ${start}` : `lines ${start}–${end}`;
}

/** Name and lines, which tell two rows of one file apart. */
export function rowLabel(row: NewContextRow): string {
  return [rowName(row), rowLines(row)].filter((part) => part !== "").join(", ");
}

/** 820, 1.2k, 34k. */
export function shownTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  const thousands = tokens / 1000;
  return `${thousands < 10 ? thousands.toFixed(1) : Math.round(thousands)}k`;
}
