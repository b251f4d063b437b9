// Rows such as `41|text` around places of a file, for a refusal that shows what stands there.

/** Lines, 1-based and inclusive. */
export interface RowSpan {
  readonly from: number;
  readonly to: number;
}

export interface Row {
  readonly line: number;
  readonly text: string;
  /** False where the line is cut. */
  readonly isWhole: boolean;
}

const context = 3;
const maxRows = 60;
const maxLength = 400;

/** In order, each line once. `lineAt` counts from 1. */
export function rowsAround(
  spans: readonly RowSpan[],
  total: number,
  lineAt: (line: number) => string,
): Row[] {
  const numbers = new Set<number>();
  for (const { from, to } of spans) {
    const last = Math.min(total, to + context);
    for (let line = Math.max(1, from - context); line <= last && numbers.size < maxRows; line += 1)
      numbers.add(line);
  }
  return [...numbers]
    .sort((one, other) => one - other)
    .map((line) => {
      const text = lineAt(line);
      const isWhole = text.length <= maxLength;
      return { line, text: `${line}|${isWhole ? text : `${text.slice(0, maxLength)}…`}`, isWhole };
    });
}
