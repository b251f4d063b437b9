// What the model was shown of a file: lines by their number, with the anchor where there is one.

/** 0-based, both ends included. */
export type VisibleRange = readonly [from: number, to: number];

export interface ShownLine {
  readonly text: string;
  /** `41th`, where lines are shown with anchors. */
  readonly anchor: string;
}

export class ShownLines {
  readonly #lines = new Map<number, ShownLine>();

  add(at: number, line: ShownLine): void {
    this.#lines.set(at, line);
  }

  /** Takes rows such as `41|text` and `41th|text` out of what a tool answered. */
  addRows(answer: string): void {
    for (const row of answer.split("\n")) {
      const match = /^(\d+)([a-z]{2})?\|(.*)$/s.exec(row);
      if (match === null) continue;
      const [, number = "", letters = "", text = ""] = match;
      this.add(Number(number) - 1, { text, anchor: `${number}${letters}` });
    }
  }

  at(line: number): ShownLine {
    const shown = this.#lines.get(line);
    if (shown === undefined) throw new Error(`line ${line + 1} was not shown`);
    return shown;
  }

  has(line: number): boolean {
    return this.#lines.has(line);
  }

  /** Whether these lines were shown as they are. */
  isWhole([from, to]: VisibleRange, texts: readonly string[]): boolean {
    for (let line = from; line <= to; line += 1) {
      if (this.#lines.get(line)?.text !== texts[line]) return false;
    }
    return true;
  }
}

/** In order, and joined where they meet. */
export function united(ranges: readonly VisibleRange[]): VisibleRange[] {
  const result: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}
