// Long code as a summary: what is kept has anchors and is known from here on, what is elided is `...` and is not.

import type { ToolOutcome } from "@stet/agent/tool";
import { cutText } from "@stet/protocol/cut-text";
import { countLines, lineContent } from "@stet/text/lines";
import type { CodeContext } from "../code-context.ts";
import type { OpenFile } from "../code-files.ts";
import { linePrefix } from "../display.ts";
import type { Summary } from "../structure/summary.ts";
import { maxLineLength, maxPageBytes, maxPageLines } from "./page.ts";

/** Undefined where the file is to be shown as it is: too short, no code, or its summary would not fit one answer either. */
export async function shownSummary(context: CodeContext, file: OpenFile): Promise<ToolOutcome | undefined> {
  const { path, history } = file;
  const { summarise } = await import("../structure/summary.ts");
  const summary = await summarise(path, history.text);
  if (summary === undefined) return undefined;
  const { elidedLines, elidedSpans } = summary;
  if (summary.lines > Math.min(context.settings.readLimit, maxPageLines)) return undefined;
  const { lines, shown, elided } = rendered(context, file, summary);
  const body = lines.join("\n");
  if (elided === undefined || Buffer.byteLength(body) > maxPageBytes) return undefined;
  for (const { from, to, isWhole } of shown) context.sight.show(file, from, to, isWhole);
  const footer = `[${elidedLines} lines across ${elidedSpans} elided regions; read ${path}:raw or a line range like ${path}:${elided.from}-${elided.to} for verbatim content]`;
  const details = {
    path,
    from: 1,
    to: countLines(history.text),
    totalLines: countLines(history.text),
    summary: { lines: summary.lines, elidedSpans, elidedLines },
  };
  return { content: `${body}\n${footer}`, details };
}

/** Characters that a summary shows of a line that is too long. */
const cutLength = 200;

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Rendered {
  readonly lines: readonly string[];
  /** Lines that have a number there. */
  readonly shown: readonly (Span & { readonly isWhole: boolean })[];
  /** The first lines that are left out. */
  readonly elided: Span | undefined;
}

function rendered({ display }: CodeContext, file: OpenFile, { parts }: Summary): Rendered {
  const lines: string[] = [];
  const shown: (Span & { readonly isWhole: boolean })[] = [];
  let elided: Span | undefined;
  const add = (line: number, content: string, isWhole: boolean): void => {
    lines.push(`${linePrefix(display, file.history.text, line)}|${content}`);
    shown.push({ from: line, to: line, isWhole });
  };
  for (const part of parts) {
    if (part.kind !== "kept") elided ??= { from: part.from, to: part.to };
    if (part.kind === "elided") lines.push("...");
    if (part.kind === "folded") add(part.from, part.text, false);
    if (part.kind !== "kept") continue;
    for (let line = part.from; line <= part.to; line += 1) {
      const content = lineContent(file.history.text, line - 1);
      const isWhole = content.length <= maxLineLength;
      add(line, isWhole ? content : cutText(content, cutLength), isWhole);
    }
  }
  return { lines, shown, elided };
}
