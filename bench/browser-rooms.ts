// What the browser is measured with: a long book, a model that talks, a large review, a long conversation.

import { appendFileSync, existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../packages/protocol/src/fault.ts";
import { noUsage } from "../packages/protocol/src/message.ts";
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
export const bigReview: { readonly options: RoomOptions; prepare(room: Room): Promise<void> } = {
  options: {
    files: Object.fromEntries(chapters.map((name) => [name, chapter])),
    script: [{ toolCalls: chapters.map(renamed), chunkSize: 4096 }, { text: "Done." }],
  },
  prepare: (room) => askAgent(room, "Rename Tobias to Elias everywhere"),
};

/** A conversation of so many questions and answers, as another program would have written it. */
export async function longChat({ served, dataFolder }: Room, pairs: number): Promise<void> {
  const { client } = served;
  const made = await client.call("createSession", { body: { title: "Long" } });
  if (isFault(made)) throw new Error(made.message);
  const { session_id } = made;
  await client.call("run", { body: { session_id, instruction: "Which files are there?" } });
  for (;;) {
    const view = await client.call("getSession", { params: { session_id } });
    if (!isFault(view) && view.running_job_id === null && view.chat.length > 1) break;
    await new Promise((done) => setTimeout(done, 50));
  }
  const [path] = globSync("**/*.jsonl", { cwd: dataFolder });
  if (path === undefined) throw new Error("the conversation has no file");
  const file = join(dataFolder, path);
  let parentId: string = JSON.parse(readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "").id;
  const lines: string[] = [];
  const add = (message: object) => {
    const id = lines.length.toString(16).padStart(8, "0");
    lines.push(
      JSON.stringify({ type: "message", id, parentId, timestamp: new Date().toISOString(), message }),
    );
    parentId = id;
  };
  const timestamp = Date.now();
  for (let index = 0; index < pairs; index += 1) {
    add({ role: "user", content: `Question ${index}?`, timestamp });
    const text = `## Answer ${index}\n\nIt is **${index}**, with \`code\`:\n\n- one\n- two\n\n${"Words. ".repeat(index % 40)}`;
    const reply = { provider: "practice", model: "practice", usage: noUsage, stopReason: "stop", timestamp };
    add({ role: "assistant", content: [{ type: "text", text }], ...reply });
  }
  appendFileSync(file, `${lines.join("\n")}\n`);
}
