// What the browser is measured with: a long book and a model that talks.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelScript } from "../packages/testkit/src/scripted-model.ts";

const data = process.env.STET_TEST_DATA ?? join(import.meta.dirname, "../../shared/data");

/** Moby-Dick where it is here, else as many lines of its first sentence. */
export function book(): string {
  const path = join(data, "books/moby-dick.txt");
  const text = existsSync(path)
    ? readFileSync(path, "utf8")
    : "Call me Ishmael. Some years ago—never mind how long precisely—\n".repeat(22_333);
  return `${text.replaceAll("\r\n", "\n").trimEnd()}\n\nEnd of the book.\n`;
}

/** Talks for as long as anyone listens. */
export function slowTalk(tokensPerSecond: number): ModelScript {
  const text = Array.from(
    { length: 6000 },
    (_, index) => `word ${index} ${index % 50 === 49 ? "\n\n" : ""}`,
  ).join("");
  return () => ({ text, chunkSize: 5, delayMs: 1000 / tokensPerSecond });
}
