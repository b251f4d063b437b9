// Whether a file is written as its language wants it, and where it is not.
//
// A file that was sound must not become unsound by an edit. JSON has a step between: comments and trailing commas are
// tolerated where a file has them already, and refused where it has none.

import { Text } from "@codemirror/state";
import { outlineOf } from "@stet/text/outline/outline";
import { type Language, languageOf, loadParser, type Node } from "./languages.ts";
import { outlineTypeOf } from "./outline-symbols.ts";

export interface SyntaxProblem {
  /** Counted lines and columns, from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Soundness {
  /** 0 is sound; more is worse. */
  readonly level: number;
  readonly problem: SyntaxProblem | undefined;
}

const sound: Soundness = { level: 0, problem: undefined };

export async function soundnessOf(path: string, source: string): Promise<Soundness> {
  const language = languageOf(path);
  if (language !== undefined) {
    const problem = await codeProblem(language, source);
    return problem === undefined ? sound : { level: 1, problem };
  }
  const type = outlineTypeOf(path);
  if (type === "json") return jsonSoundness(source);
  if (type !== "yaml" || !(await isBroken(source, "yaml"))) return sound;
  return { level: 1, problem: { line: 1, column: 1, message: "it is not valid YAML" } };
}

/** The first mistake in a source. */
export async function codeProblem(language: Language, source: string): Promise<SyntaxProblem | undefined> {
  const parser = await loadParser();
  if (!parser.has(language) || source.trim() === "") return undefined;
  return problemIn(parser.parse(language, source));
}

/** Whether there is a mistake at some of the characters `[from, to]` of a source. */
export async function isMistakenAt(
  language: Language,
  source: string,
  from: number,
  to: number,
): Promise<boolean> {
  const parser = await loadParser();
  if (!parser.has(language)) return false;
  return mistakesIn(parser.parse(language, source)).some((node) => {
    const { start, end } = node.range();
    return start.index <= to && end.index >= from;
  });
}

/** A node of no characters is what the parser had to imagine to go on: a bracket or a semicolon that is missing. */
function mistakesIn(root: Node): Node[] {
  return root.findAll({ rule: { any: [{ kind: "ERROR" }, { regex: "^$" }] } });
}

/** The first mistake in a tree. */
export function problemIn(root: Node): SyntaxProblem | undefined {
  const found = mistakesIn(root)
    .map((node) => ({ node, start: node.range().start }))
    .sort((one, other) => one.start.index - other.start.index);
  // The innermost of mistakes that begin together is nearest to what is wrong.
  const first = found.at(0);
  const last = found.findLast(({ start }) => start.index === first?.start.index);
  if (last === undefined) return undefined;
  const { node, start } = last;
  const text = node.text().split("\n", 1)[0]?.trim().slice(0, 60) ?? "";
  const message = text === "" ? `"${node.kind()}" is missing` : `unexpected ${JSON.stringify(text)}`;
  return { line: start.line + 1, column: start.column + 1, message };
}

async function jsonSoundness(source: string): Promise<Soundness> {
  try {
    JSON.parse(source);
    return sound;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    const position = Number(/position (\d+)/.exec(reason)?.[1] ?? source.length);
    const before = source.slice(0, position).split("\n");
    const problem = {
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      message: "it is not valid JSON",
    };
    return { level: (await isBroken(source, "json")) ? 2 : 1, problem };
  }
}

async function isBroken(source: string, type: "json" | "yaml"): Promise<boolean> {
  const outline = await outlineOf(Text.of(source.split("\n")), type, { maxDepth: 1 });
  return outline.detection_confidence === "low";
}
