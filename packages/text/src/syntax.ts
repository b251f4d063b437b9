// What is wrong with a text by the rules of its kind, as one sentence: JSON and YAML that do not parse, Markdown whose code
// block or front matter does not end. For warnings after an edit: nothing is ever refused because of it.

import { Text } from "@codemirror/state";
import type { ParseError } from "jsonc-parser";
import { contentOf } from "./document.ts";

/** Longer texts are not looked at: an edit must not wait for them. */
const maxCharacters = { json: 5_000_000, yaml: 300_000, markdown: 2_000_000 };

/**
 * Undefined where nothing is wrong, or the kind is not known. A JSON file that had comments or trailing commas before, as
 * many settings files do, may have them now, too.
 */
export async function syntaxProblem(
  path: string,
  text: Text,
  before: Text = Text.empty,
): Promise<string | undefined> {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  const kind = extension === "yml" ? "yaml" : extension === "md" ? "markdown" : extension;
  if (kind !== "json" && kind !== "yaml" && kind !== "markdown") return undefined;
  if (text.length > maxCharacters[kind] || before.length > maxCharacters[kind] || text.length === 0)
    return undefined;
  const content = contentOf(text);
  if (kind === "json") return jsonProblem(content, contentOf(before));
  if (kind === "yaml") return yamlProblem(content);
  return markdownProblem(content);
}

async function jsonProblem(content: string, before: string): Promise<string | undefined> {
  if (isJson(content)) return undefined;
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const isLenient = before !== "" && !isJson(before);
  const errors: ParseError[] = [];
  parse(content, errors, { disallowComments: !isLenient, allowTrailingComma: isLenient });
  const [first] = errors;
  if (first === undefined) return undefined;
  const words = printParseErrorCode(first.error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return `It is not valid JSON any more: ${words}, line ${lineAt(content, first.offset)}.`;
}

function isJson(content: string): boolean {
  try {
    JSON.parse(content);
    return true;
  } catch {
    return false;
  }
}

async function yamlProblem(content: string): Promise<string | undefined> {
  const { parseAllDocuments } = await import("yaml");
  const documents = parseAllDocuments(content, { prettyErrors: false, logLevel: "silent" });
  const errors = "empty" in documents ? [] : documents.flatMap((document) => document.errors);
  const [first] = errors;
  if (first === undefined) return undefined;
  return `It is not valid YAML: ${first.message}, line ${lineAt(content, first.pos[0])}.`;
}

const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;

async function markdownProblem(content: string): Promise<string | undefined> {
  const lines = content.split("\n");
  const matter = frontMatterEnd(lines);
  if (matter > 0) {
    const problem = await yamlProblem(lines.slice(1, matter).join("\n"));
    if (problem !== undefined) return `Its front matter: ${problem}`;
  }
  let open: { readonly mark: string; readonly line: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const [, mark = "", rest = ""] = fence.exec(line.replace(/\r$/, "")) ?? [];
    if (mark === "") continue;
    if (open === undefined) {
      // A row of backticks with another one behind it is code within a line.
      if (mark.startsWith("~") || !rest.includes("`")) open = { mark, line: index + 1 };
    } else if (mark.startsWith(open.mark) && rest.trim() === "") {
      open = undefined;
    }
  }
  if (open === undefined) return undefined;
  return `The code block that begins in line ${open.line} (${open.mark}) does not end.`;
}

/** The line of the closing `---`; 0 where there is no front matter. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  return Math.max(
    0,
    lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---"),
  );
}

function lineAt(content: string, offset: number): number {
  return content.slice(0, offset).split("\n").length;
}
