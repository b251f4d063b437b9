// A worker as a process of its own, for tests that kill or pause it. Its model does what the instruction says:
// "append WORD to FILE" puts a line at the top, "ask QUESTION" asks the person and appends the answer to the file `answers`,
// "send @task" sends an agent that thinks for ever, "send @task and think" thinks for ever, too, once it has sent it.
//
// Prints a line when it is ready, and one for each job that it begins or leaves.

import { Host } from "@stet/host/host";
import { openPostgres } from "@stet/postgres/open-postgres";
import { postgresHosting } from "@stet/postgres/postgres-hosting";
import { Worker } from "@stet/postgres/worker";
import { isFault } from "@stet/protocol/fault";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { modelOf, type PlayedReply } from "./model-of.ts";

export interface WorkerChildOptions {
  readonly url: string;
  readonly root: string;
  readonly dataFolder: string;
  readonly lifetime: number;
  /** How long the model thinks about each answer. */
  readonly delayMs: number;
  readonly retries: number;
  readonly concurrency: number;
}

function say(...words: string[]): void {
  process.stdout.write(`${words.join(" ")}\n`);
}

function reply(request: ModelRequest, delayMs: number): PlayedReply {
  const texts = request.messages.map((message) => (message.role === "user" ? String(message.content) : ""));
  const at = texts.findLastIndex((text) => /^(append|ask|send|think) /.test(text));
  const results = request.messages.slice(at).filter((message) => message.role === "toolResult");
  const [verb, word = "", , file = ""] = (texts[at] ?? "").split(/\s+/);
  if (file === "paper")
    return results.length === 0 ? paperEdit(word, delayMs) : { text: `Wrote ${word}.`, delayMs };
  if (verb === "send" && results.length === 0)
    return { delayMs, calls: [{ name: "task", arguments: thinking }] };
  if (verb === "think" || file === "think") return { delayMs: 600_000, text: "Never." };
  const edit = (file_path: string, new_text: string) => ({
    delayMs,
    calls: [{ name: "edit_file", arguments: { file_path, operation: "insert", start_line: 1, new_text } }],
  });
  if (verb === "append" && results.length === 0) return edit(file, word);
  if (verb === "ask" && results.length === 0)
    return {
      delayMs,
      calls: [{ name: "clarify_user", arguments: { question: word, options: ["yes", "no"] } }],
    };
  if (verb === "ask" && results.length === 1) {
    const said = /"answer":"([^"]*)"/.exec(JSON.stringify(results[0]?.content).replaceAll("\\", ""))?.[1];
    return edit("answers", said ?? "nothing");
  }
  return { delayMs, text: "Done." };
}

const thinking = {
  agent: "task",
  tasks: [{ id: "Thinker", description: "thinks", assignment: "think for ever" }],
};

function paperEdit(text: string, delayMs: number): PlayedReply {
  return { delayMs, text: "Writing.", calls: [{ name: "write_append", arguments: { text } }] };
}

async function work(options: WorkerChildOptions): Promise<void> {
  const { url, root, dataFolder, lifetime, delayMs, retries, concurrency } = options;
  const store = await openPostgres(url, root, { purpose: "working", lifetime });
  if (isFault(store)) throw new Error(store.message);
  const service = await Host.open(root, {
    environment: { ...process.env, STET_DATA_DIR: dataFolder, XDG_CONFIG_HOME: dataFolder },
    dataFolder,
    hosting: postgresHosting(store),
    watches: false,
    model: async () => ({ model: modelOf((request) => reply(request, delayMs)) }),
  });
  if (isFault(service)) throw new Error(service.message);
  const worker = await Worker.start({
    workplaces: [{ store, runner: service.runner }],
    concurrency,
    retries,
    lookEvery: lifetime / 2,
    onJob: (job, what) => say(what, job),
  });
  say("ready");
  process.on("SIGTERM", async () => {
    await worker.stop();
    await service.close();
    say("stopped");
  });
}

if (import.meta.main) await work(JSON.parse(process.argv[2] ?? "{}"));
