// A process that serves a folder, has one job in every state, and is killed.
//
//   node serve-child.ts ROOT DATA
//
// Prints the jobs' ids as one JSON object right before its end.

import { writeSync } from "node:fs";
import { Host } from "@stet/host/host";
import { defaultLimits } from "@stet/host/limits";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { replaceReply } from "./line-hash.ts";
import { modelOf, type PlayedReply } from "./model-of.ts";
import { must } from "./workspace.ts";

const [root = "", dataFolder = ""] = process.argv.slice(2);

/** What the files that it edits hold. */
const files = { "a.md": "one\ntwo\n", "b.md": "eins\nzwei\ndrei\n" };

/** What the model does depends on what it is asked, and on how often it has answered. Also for the test that comes after. */
export function playJobs(request: ModelRequest): PlayedReply {
  const asked = request.messages.find(({ role }) => role === "user")?.content;
  const answers = request.messages.filter(({ role }) => role === "assistant").length;
  const edit = (file_path: string, start_line: number, new_text: string): PlayedReply =>
    replaceReply(files, file_path, start_line, new_text);
  const replies: Readonly<Record<string, readonly PlayedReply[]>> = {
    review: [edit("a.md", 1, "ONE"), { text: "Done." }],
    waiting: [
      edit("b.md", 1, "EINS"),
      { calls: [{ name: "clarify_user", arguments: { question: "The last one, too?" } }] },
      edit("b.md", 3, "DREI"),
      { text: "Done." },
    ],
    running: [edit("a.md", 2, "TWO"), { text: "Thinking …", delayMs: 600_000 }],
  };
  return replies[String(asked)]?.[answers] ?? { text: "Hello." };
}

if (root !== "") {
  const service = must(
    await Host.open(root, {
      environment: { XDG_CONFIG_HOME: dataFolder, STET_DATA_DIR: dataFolder },
      dataFolder,
      limits: { ...defaultLimits, max_running_jobs: 1 },
      model: async () => ({ model: modelOf(playJobs) }),
    }),
  );
  const ids: Record<string, string> = {};
  const reached = async (name: string, isThere: (events: string[]) => boolean) => {
    const held = await service.logs.hold(`job:${ids[name]}`);
    const seen: string[] = [];
    await new Promise<void>((resolve) => {
      void held.log.follow(0, (events) => {
        seen.push(...events.map(({ type }) => type));
        if (isThere(seen)) resolve();
      });
    });
  };
  for (const name of ["review", "waiting", "running", "queued"]) {
    const session = must(await service.sessions.create());
    const request = {
      instruction: name,
      toolset: "project",
      model: "",
      maxToolCalls: null,
      tab: null,
    } as const;
    ids[name] = must(await service.startJob(session, request)).id;
    if (name === "review") await reached(name, (events) => events.includes("diff.generated"));
    if (name === "waiting") await reached(name, (events) => events.includes("clarification.requested"));
    if (name === "running") await reached(name, (events) => events.includes("message.delta"));
  }
  writeSync(1, JSON.stringify(ids));
  process.kill(process.pid, "SIGKILL");
}
