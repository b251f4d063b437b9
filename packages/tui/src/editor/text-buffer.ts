// The text of an editor as lines. A change names a range and what stands there instead; its cost follows the lines it touches.
// Line ends are always "\n": what comes in with others is converted.

export interface Position {
  readonly line: number;
  /** In UTF-16 units, at the boundary of a cluster. */
  readonly column: number;
}

/** How many lines one call of `splice` takes as arguments. */
const spliceLimit = 10_000;

export class TextBuffer {
  #lines: string[] = [""];
  #text: string | undefined = "";

  get lines(): readonly string[] {
    return this.#lines;
  }

  get text(): string {
    this.#text ??= this.#lines.join("\n");
    return this.#text;
  }

  get end(): Position {
    const line = this.#lines.length - 1;
    return { line, column: this.line(line).length };
  }

  get isEmpty(): boolean {
    return this.#lines.length === 1 && this.#lines[0] === "";
  }

  line(index: number): string {
    return this.#lines[index] ?? "";
  }

  slice(from: Position, to: Position): string {
    if (from.line === to.line) return this.line(from.line).slice(from.column, to.column);
    const between = this.#lines.slice(from.line + 1, to.line);
    return [this.line(from.line).slice(from.column), ...between, this.line(to.line).slice(0, to.column)].join(
      "\n",
    );
  }

  /** Returns where the new text ends. */
  replace(from: Position, to: Position, text: string): Position {
    const before = this.line(from.line).slice(0, from.column);
    const after = this.line(to.line).slice(to.column);
    this.#text = undefined;
    if (!text.includes("\n") && from.line === to.line) {
      this.#lines[from.line] = before + text + after;
      return { line: from.line, column: before.length + text.length };
    }
    const lines = (before + text).split("\n");
    const last = lines.length - 1;
    const end = { line: from.line + last, column: lines[last]?.length ?? 0 };
    lines[last] += after;
    if (lines.length < spliceLimit) this.#lines.splice(from.line, to.line - from.line + 1, ...lines);
    else this.#lines = [...this.#lines.slice(0, from.line), ...lines, ...this.#lines.slice(to.line + 1)];
    return end;
  }
}

export function withPlainLineEnds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

export function endOfInsertion(from: Position, text: string): Position {
  const last = text.lastIndexOf("\n");
  if (last === -1) return { line: from.line, column: from.column + text.length };
  let breaks = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) breaks++;
  return { line: from.line + breaks, column: text.length - last - 1 };
}

export function isSamePosition(one: Position, other: Position): boolean {
  return one.line === other.line && one.column === other.column;
}
