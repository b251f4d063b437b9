// What every program of the terminal's benchmarks draws: messages, an answer that comes in tokens of four bytes, and a bottom
// with spinner, status line and prompt. Imports nothing, so that it is the same for all of them.

export const columns = 100;
export const rows = 30;

const answer = `The function reads its input once and keeps an index of the lines, so that a later edit only looks at what changed. That is the whole idea; the rest is bookkeeping.

export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === 10) starts.push(at + 1);
  }
  return starts;
}

It is called for each document that is opened, and costs about as much as reading it. An edit maps the starts after it and searches the inserted text alone.

`;

/** The answer, again and again, in pieces of four bytes. */
export function token(index: number): string {
  const start = (index * 4) % answer.length;
  return `${answer}${answer}`.slice(start, start + 4);
}

export function messageText(index: number): string {
  return `Message ${index}: what was said here was long enough for one row and a bit of the second one, as messages are, more often than not.`;
}

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** At a time since the start. */
export function bottomRows(milliseconds: number, typed: string, cursor: string): string[] {
  const frame = spinner[Math.floor(milliseconds / 80) % spinner.length] ?? "";
  return [
    "",
    `${frame} Working… ${Math.floor(milliseconds / 1000)} s (esc to interrupt)`,
    "\u001b[2m~/notes (main)  model  think: high  12% of 200k  $0.04\u001b[22m",
    `\u001b[36m${"─".repeat(columns)}\u001b[39m`,
    `> ${typed}${cursor}`,
    `\u001b[36m${"─".repeat(columns)}\u001b[39m`,
  ];
}

export interface StreamResult {
  readonly bytesPerToken: number;
  readonly cpuMsPerFrame: number;
  readonly writes: number;
}

/** Tokens at a rate, in real time; `show` has the whole answer so far and the time. */
export async function streamTokens(
  count: number,
  perSecond: number,
  show: (answer: string, milliseconds: number) => void,
): Promise<void> {
  const started = performance.now();
  let answered = "";
  for (let index = 0; index < count; index++) {
    answered += token(index);
    show(answered, performance.now() - started);
    const next = started + ((index + 1) * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
  }
}
