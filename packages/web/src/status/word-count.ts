// How long a text is, for people: in words. "don't" and "well-known" are one word each.

import type { Text } from "@codemirror/state";

const word = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;

/** Above this many characters, words are not counted. */
export const maxCounted = 4_000_000;
/** Lines between two looks at the time. */
const linesAtOnce = 200;
/** Milliseconds of one step. A browser that has nothing to do offers more, and a key pressed then would wait. */
const stepMs = 4;

/** Runs something when there is nothing else to do, with a word on how much time is left. */
type Idle = (step: (timeLeft: () => number) => void) => void;

const idle: Idle = (step) => {
  const take = () => {
    const end = performance.now() + stepMs;
    step(() => end - performance.now());
  };
  if (typeof requestIdleCallback === "function") requestIdleCallback(take, { timeout: 2000 });
  else setTimeout(take, stepMs);
};

/** Counts a text in small steps, so that typing does not wait for it. Returns how to stop. */
export function countWords(text: Text, done: (count: number) => void, whenIdle: Idle = idle): () => void {
  // A word does not go over the end of a line, so lines are counted for themselves.
  const lines = text.iterLines();
  let count = 0;
  let isOver = false;
  const step = (timeLeft: () => number) => {
    if (isOver) return;
    do {
      for (let line = 0; line < linesAtOnce; line += 1) {
        if (lines.next().done) return done(count);
        count += wordsIn(lines.value);
      }
    } while (timeLeft() > 0);
    whenIdle(step);
  };
  whenIdle(step);
  return () => {
    isOver = true;
  };
}

export function wordsIn(text: string): number {
  let count = 0;
  for (word.lastIndex = 0; word.test(text); ) count += 1;
  return count;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
