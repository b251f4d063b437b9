// /checkpoints: the turns so far, the newest first. Choosing one shows what going back to before it would change, then asks.

import { isFault } from "@stet/protocol/fault";
import type { App } from "../app.ts";
import { checkpointDetail, checkpointTitle } from "../review/checkpoint-words.ts";
import { goBack } from "../review/go-back.ts";

const mostCheckpoints = 200;

export async function checkpoints(app: App): Promise<void> {
  for (;;) {
    const reply = await app.api.call("listCheckpoints", { query: { limit: mostCheckpoints } });
    if (isFault(reply)) {
      app.tellFault(reply);
      return;
    }
    const list = reply.checkpoints;
    if (list.length === 0) {
      app.tell("There are no checkpoints yet: the agent has changed nothing in this folder.");
      return;
    }
    const summaries = new Map(list.map(({ turn, summary }) => [turn, summary]));
    const chosen = await app.dialogs.choose({
      title: "Go back to before",
      choices: list.map((checkpoint) => ({
        value: checkpoint,
        label: checkpointTitle(checkpoint, (turn) => summaries.get(turn)),
        detail: checkpointDetail(checkpoint),
        words: checkpoint.affected_files.map(({ file_path: path }) => path ?? "").join(" "),
      })),
      hint: "Enter shows what would change, Esc closes",
    });
    if (chosen === undefined) return;
    const title = checkpointTitle(chosen, (turn) => summaries.get(turn));
    const isDone = await goBack(app, {
      ways: [{ title: `Back to before: ${title}`, rollbacks: [{ checkpoint: chosen.checkpoint_id }] }],
      question:
        "Go back? These files become what they were before the turn; everything since then is taken back in them, your own edits included. That can be undone.",
      done: "Went back (/checkpoints has the way forward)",
    });
    if (isDone === true) return;
    if (isDone === undefined) app.tell("That would change nothing: the files are as they were before it.");
  }
}
