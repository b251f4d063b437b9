// For tests of the practice model: the tools of toolset tabs over documents in memory. Versions are checked, lines count
// from 0, a read returns at most so many lines. What subagents and embeddings do is given as results.

import type { ToolCall } from "@stet/protocol/message";
import { fault, type Play, type Played, play, tool, type Values } from "./rehearsal.ts";

interface Document {
  readonly id: string;
  readonly title: string;
  text: string;
  version: number;
}

export interface TabsPlay extends Omit<Play, "tools" | "carryOut"> {
  /** The first is active. */
  readonly tabs: Readonly<Record<string, string>>;
  readonly without?: readonly string[];
  /** A result instead of the tool's own. */
  readonly intervene?: (call: ToolCall, tabs: TabsInMemory, count: number) => Values | string | undefined;
}

const string = "string";
const integer = "integer";
const boolean = "boolean";

const descriptions = [
  tool("list_tabs", {}),
  tool("read_document", { tab_id: string, start_line: integer, end_line: integer }),
  tool("search_document", {
    tab_id: string,
    query: string,
    match_type: string,
    max_results: integer,
    include_context: boolean,
  }),
  tool("get_outline", { tab_id: string, max_depth: integer }),
  tool("create_document", { title: string, content: string, file_type: string }),
  tool("insert_lines", { version: string, after_line: integer, content: string, tab_id: string }),
  tool("replace_lines", {
    version: string,
    start_line: integer,
    end_line: integer,
    content: string,
    tab_id: string,
  }),
  tool("delete_lines", { version: string, start_line: integer, end_line: integer, tab_id: string }),
  tool("write_document", { version: string, content: string, tab_id: string }),
  tool("find_and_replace", {
    version: string,
    find: string,
    replace: string,
    case_sensitive: boolean,
    whole_word: boolean,
    is_regex: boolean,
    tab_id: string,
    preview: boolean,
  }),
  tool("analyze_document", { tab_id: string, task: string }),
  tool("transform_document", {
    tab_id: string,
    transformation: string,
    params: "object",
    output_mode: string,
    version: string,
  }),
];

const pageLines = 100;

export async function playInTabs(played: TabsPlay): Promise<Played & { readonly tabs: TabsInMemory }> {
  const tabs = new TabsInMemory(played.tabs);
  const turn = await play({
    ...played,
    tools: descriptions.filter(({ name }) => !played.without?.includes(name)),
    carryOut: (call, count) => played.intervene?.(call, tabs, count) ?? tabs.carryOut(call),
  });
  return { ...turn, tabs };
}

export class TabsInMemory {
  private readonly documents: Document[];

  constructor(tabs: Readonly<Record<string, string>>) {
    this.documents = Object.entries(tabs).map(([title, text], index) => {
      return { id: `tab_${index + 1}`, title, text, version: 1 };
    });
  }

  text(title: string): string {
    return this.documents.find((document) => document.title === title)?.text ?? "";
  }

  /** As a person would, while the turn goes on. */
  change(title: string, change: (text: string) => string): void {
    const document = this.documents.find((one) => one.title === title);
    if (document !== undefined) this.set(document, change(document.text));
  }

  carryOut(call: ToolCall): Values {
    const values = call.arguments;
    if (call.name === "list_tabs") return this.list();
    if (call.name === "create_document") return this.create(values);
    const document = this.documents.find(({ id }) => id === (values.tab_id ?? "tab_1"));
    if (document === undefined) return fault("invalid_tab_id", "There is no such tab.");
    if (values.version !== undefined && values.version !== `${document.version}`)
      return fault("version_mismatch", `${document.title} changed since you read it.`);
    const lines = linesOf(document.text);
    const [first, last] = [Number(values.start_line ?? 0), Number(values.end_line ?? lines.length)];
    const told = { tab_id: document.id, version: `${document.version}` };
    switch (call.name) {
      case "read_document": {
        const shown = lines.slice(first, Math.min(first + pageLines, last + 1));
        const end = first + shown.length - 1;
        if (lines.length > 0 && shown.length === 0)
          return fault("invalid_line_range", "There is no such line.");
        const range = { start: first, end, total: lines.length };
        return { ...told, content: shown.join("\n"), lines: range, has_more: end < lines.length - 1 };
      }
      case "search_document":
        return { ...told, ...searched(lines, values) };
      case "get_outline": {
        const outline = lines.flatMap((line, index) =>
          line.startsWith("# ")
            ? [{ title: line.slice(2), level: 1, line_start: index, line_end: null }]
            : [],
        );
        return { ...told, file_type: "markdown", detection_method: "headings", outline };
      }
      case "insert_lines": {
        const at = Number(values.after_line) + 1;
        return this.written(document, lines, at, 0, String(values.content));
      }
      case "delete_lines":
        return this.written(document, lines, first, last - first + 1, "");
      case "replace_lines":
        return this.written(document, lines, first, last - first + 1, String(values.content));
      case "find_and_replace":
        return this.replaced(document, values);
      default:
        return fault("subagent_failed", "No subagent can be asked here.");
    }
  }

  private list(): Values {
    const tabs = this.documents.map(({ id, title, text, version }, index) => ({
      tab_id: id,
      title,
      path: `documents/${title}`,
      file_type: "markdown",
      version: `${version}`,
      is_active: index === 0,
      is_dirty: false,
      size_chars: text.length,
      line_count: linesOf(text).length,
    }));
    return { tabs, active_tab_id: tabs[0]?.tab_id ?? null };
  }

  private create({ title, content = "" }: Values): Values {
    const name = String(title);
    if (this.documents.some((one) => one.title === name))
      return fault("title_exists", `A tab with the title ${name} exists already.`);
    const id = `tab_${this.documents.length + 1}`;
    this.documents.push({ id, title: name, text: String(content), version: 1 });
    return { tab_id: id, title: name, version: "1", status: "created" };
  }

  private written(document: Document, lines: string[], at: number, removed: number, content: string): Values {
    if (at < 0 || at + removed > lines.length) return fault("invalid_line_range", "There is no such line.");
    lines.splice(at, removed, ...linesOf(content));
    const isClosed = document.text === "" || document.text.endsWith("\n");
    this.set(document, lines.join("\n") + (isClosed ? "\n" : ""));
    return { tab_id: document.id, version: `${document.version}`, status: "success" };
  }

  private replaced(document: Document, values: Values): Values {
    const find = String(values.find);
    const escaped = values.is_regex === true ? find : find.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const bounds = values.whole_word === true ? ["(?<![\\p{L}\\p{N}])", "(?![\\p{L}\\p{N}])"] : ["", ""];
    const flags = values.case_sensitive === false ? "gimu" : "gmu";
    const found = [...document.text.matchAll(new RegExp(`${bounds[0]}${escaped}${bounds[1]}`, flags))].length;
    const isPreview = values.preview === true || found === 0;
    if (!isPreview) {
      const pattern = new RegExp(`${bounds[0]}${escaped}${bounds[1]}`, flags);
      this.set(
        document,
        document.text.replace(pattern, () => String(values.replace)),
      );
    }
    const isInside = found === 0 && document.text.includes(String(values.find));
    return {
      tab_id: document.id,
      version: `${document.version}`,
      status: isPreview ? "preview" : "success",
      matches_found: found,
      replacements_made: isPreview ? 0 : found,
      preview: [],
      ...(isInside ? { note: "Nothing matches. There is 1 match inside of words (whole_word: false)." } : {}),
    };
  }

  private set(document: Document, text: string): void {
    document.text = text;
    document.version += 1;
  }
}

function searched(lines: readonly string[], values: Values): Values {
  const all = lines.flatMap((line, index) =>
    line.includes(String(values.query)) ? [{ line: index, score: 1, preview: line }] : [],
  );
  return {
    embedding_status: "ready",
    matches: all.slice(0, Number(values.max_results)),
    total_matches: all.length,
  };
}

/** "a" and "a\n" are one line, "" is none. */
function linesOf(content: string): string[] {
  const lines = content.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
