// What the browser is measured with: a long book, a model that talks, a large review.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { askAgent } from "../packages/testkit/src/ask-agent.ts";
import type { Room, RoomOptions } from "../packages/testkit/src/browser.ts";
import type { Script } from "../packages/testkit/src/scripted-model.ts";

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
export function slowTalk(tokensPerSecond: number): Script {
  const text = Array.from(
    { length: 6000 },
    (_, index) => `word ${index} ${index % 50 === 49 ? "\n\n" : ""}`,
  ).join("");
  return () => ({ text, chunkSize: 5, delayMs: 1000 / tokensPerSecond });
}

const chapters = Array.from({ length: 50 }, (_, index) => `chapter-${String(index).padStart(2, "0")}.md`);
const chapter = Array.from(
  { length: 20 },
  (_, index) => `Paragraph ${index}: Tobias walked along the pier for a while.\n`,
).join("\nAnother line.\n\n");

/** One call that writes a file anew; the changes are found from what differs. */
const renamed = (file_path: string) => ({
  name: "edit_file",
  arguments: {
    file_path,
    operation: "replace",
    start_line: 1,
    end_line: chapter.split("\n").length - 1,
    new_text: chapter.replaceAll("Tobias", "Elias"),
  },
});

/** 50 files, in each of which 20 places change. */
export const bigReview: { readonly options: RoomOptions; prepare(room: Room): Promise<unknown> } = {
  options: {
    files: Object.fromEntries(chapters.map((name) => [name, chapter])),
    script: [{ toolCalls: chapters.map(renamed), chunkSize: 4096 }, { text: "Done." }],
  },
  prepare: (room) => askAgent(room, "Rename Tobias to Elias everywhere"),
};
