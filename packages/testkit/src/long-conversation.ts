// A conversation that has gone on for long, called "Long".

import { appendFileSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFault } from "@stet/protocol/fault";
import { noUsage } from "@stet/protocol/message";
import type { BrowserFixture } from "./browser.ts";

/** A conversation of so many questions and answers, as another program would have written it. */
export async function longConversation({ served, dataFolder }: BrowserFixture, pairs: number): Promise<void> {
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
