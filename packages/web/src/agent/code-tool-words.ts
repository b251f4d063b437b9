// Calls of toolset code in a few words.

import { cut, type Fields, quoted } from "./words.ts";

export const codeToolWords: Readonly<Record<string, (fields: Fields) => string>> = {
  read: (fields) => `Read ${cut(fields.path)}`,
  write: (fields) => `Write ${cut(fields.path)}`,
  edit: (fields) => `Edit ${editedFiles(fields) || "files"}`,
  search: (fields) => `Search for ${quoted(fields.pattern)}${inPaths(fields.paths)}`,
  find: (fields) => `Find files: ${quoted(fields.pattern)}`,
  bash: (fields) => `Run ${cut(fields.command)}`,
  job: jobWords,
  recipe: (fields) => `Run the task ${cut(fields.op)}`,
  ast_grep: (fields) => `Search the structure for ${quoted(fields.pat)}${inPaths(fields.paths)}`,
  ast_edit: (fields) => `Plan structural changes${inPaths(fields.paths)}`,
  resolve: (fields) => (fields.action === "apply" ? "Make the planned changes" : "Drop the planned changes"),
  todo: () => "Keep the list of tasks",
  ask: () => "Ask you",
  calc: () => "Calculate",
  notebook: (fields) => `${capital(cut(fields.action))} a cell of ${cut(fields.notebook_path)}`,
  checkpoint: (fields) => `Begin to look into: ${cut(fields.goal)}`,
  rewind: () => "Sum up what was found out",
  search_tool_bm25: (fields) => `Look for a tool: ${quoted(fields.query)}`,
};

/** The files that an edit names, in whichever mode it is written. */
function editedFiles({ path, input, edits }: Fields): string {
  if (typeof path === "string") return cut(path);
  if (typeof input === "string") {
    const headers = /^(?:§+|\*\*\* (?:Add|Update|Delete) File: )(.+)$/gm;
    return listed([...input.matchAll(headers)].map((match) => match[1]?.trim()));
  }
  return Array.isArray(edits) ? listed(edits.map((edit: Fields | null) => edit?.path)) : "";
}

function jobWords({ cancel, poll }: Fields): string {
  if (Array.isArray(cancel)) return `Cancel ${listed(cancel)}`;
  return Array.isArray(poll) ? `Wait for ${listed(poll)}` : "Look at the jobs";
}

function inPaths(paths: unknown): string {
  return Array.isArray(paths) && paths.length > 0 ? ` in ${listed(paths)}` : "";
}

function listed(names: readonly unknown[]): string {
  const distinct = [...new Set(names.filter((name) => typeof name === "string"))];
  const more = distinct.length > 3 ? ` and ${distinct.length - 3} more` : "";
  return distinct.slice(0, 3).map(cut).join(", ") + more;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
