// Which lines of a paper are too long for one answer.

/** Of the lines in one answer, as JSON: what a tool may say is bounded at 50 KB. */
export const mostBytes = 40_000;

/** Of a line in the answer, its other fields included. */
export function bytesOf(content: string): number {
  return Buffer.byteLength(JSON.stringify(content)) + 80;
}

/** Whether get_context_lines shows all of a line. */
export function isShownWhole(content: string): boolean {
  return bytesOf(content) <= mostBytes;
}
