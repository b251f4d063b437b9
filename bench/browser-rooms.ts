// What the browser is measured with: a long book, a model that talks, a large review, a long conversation.

import { appendFileSync, existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "../packages/protocol/src/fault.ts";
import { noUsage } from "../packages/protocol/src/message.ts";
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
  const text = Array.from({ length: 6000 }, (_, index) => `word ${index} `).join("");
  return () => ({ text, chunkSize: 5, delayMs: 1000 / tokensPerSecond });
}

const filesInReview = 50;
const changesPerFile = 20;

/** 50 files, in each of which 20 lines change. */
export const bigReview: { readonly options: RoomOptions; prepare(room: Room): Promise<void> } = {
  options: {
    files: Object.fromEntries(
      Array.from({ length: filesInReview }, (_, file) => {
        const lines = Array.from({ length: changesPerFile * 5 }, (_, line) =>
          line % 5 === 2
            ? `Tobias went out for the ${line}th time, and came back.`
            : `Line ${line} of file ${file}.`,
        );
        return [`chapter-${String(file).padStart(2, "0")}.md`, `${lines.join("\n")}\n`];
      }),
    ),
  },
  async prepare({ served: { client } }) {
    const session = await client.call("createSession", { body: {} });
    if (isFault(session)) throw new Error(session.message);
    const job = await client.call("run", {
      body: {
        session_id: session.session_id,
        instruction: "Rename Tobias to Elias in all files",
        tool_config: { max_tool_calls: 1000 },
      },
    });
    if (isFault(job)) throw new Error(job.message);
    for (;;) {
      const now = await client.call("getJob", { params: { job_id: job.job_id } });
      if (isFault(now)) throw new Error(now.message);
      if (now.status === "awaiting_review") return;
      if (now.status === "failed" || now.status === "completed") throw new Error(`the job is ${now.status}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  },
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
