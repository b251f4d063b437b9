// /undo takes the latest turn of the conversation back, /redo takes the latest undo back; each shows what it changes first.
//
// A turn is undone by its hunks, so that what the person wrote elsewhere since stays. Where hunks were changed since, going back
// to before the turn is the other way: it takes everything since then back, in the turn's files.

import { type Checkpoint, planRollback } from "@stet/client/rollback";
import { isFault } from "@stet/protocol/fault";
import type { App } from "../app.ts";
import { checkpointTitle } from "../review/checkpoint-words.ts";
import { goBack, type Way } from "../review/go-back.ts";
import { type TurnHistory, turnHistory } from "../review/turn-history.ts";

const mostCheckpoints = 1000;

export async function undo(app: App): Promise<void> {
  const history = await historyOf(app);
  if (history === undefined) return;
  for (const checkpoint of history.undoable) {
    const ways = await waysOf(app, checkpoint);
    if (ways === undefined) return;
    if (ways.length === 0) continue;
    const isDone = await goBack(app, {
      ways,
      question: "Undo this turn? This is what would change.",
      done: "Undone (/redo brings it back)",
    });
    if (isDone !== undefined) return;
  }
  app.tell("There is no turn in this session that could be undone.");
}

/** None where nothing of the turn is left; undefined where that could not be found out, which is told. */
async function waysOf(app: App, checkpoint: Checkpoint): Promise<Way[] | undefined> {
  const { checkpoint_id: id, affected_files: files } = checkpoint;
  const title = checkpointTitle(checkpoint);
  const hunks = files.flatMap((file) => file.hunks.map(({ hunk_id }) => hunk_id));
  const whole: Way = {
    title: `${title}: everything since then, in its files`,
    rollbacks: [{ checkpoint: id }],
  };
  if (hunks.length === 0) return [whole];
  const rollbacks = [{ checkpoint: id, hunks }];
  const plan = await planRollback(app.api, rollbacks);
  if (isFault(plan)) {
    app.tellFault(plan);
    return undefined;
  }
  if (plan.patches.length === 0 && plan.conflicts.length === 0) return [];
  const scoped: Way = { title, rollbacks };
  return plan.conflicts.length === 0 ? [scoped] : [scoped, whole];
}

export async function redo(app: App): Promise<void> {
  const history = await historyOf(app);
  if (history === undefined) return;
  const { redoable } = history;
  const isDone =
    redoable &&
    (await goBack(app, {
      ways: [{ title: "Redo", rollbacks: [{ checkpoint: redoable.checkpoint_id }] }],
      question: "Bring back what was undone? This is what would change.",
      done: "Brought back",
    }));
  if (isDone === undefined) app.tell("There is no undo that could be taken back.");
}

async function historyOf(app: App): Promise<TurnHistory | undefined> {
  const reply = await app.api.call("listCheckpoints", { query: { limit: mostCheckpoints } });
  if (!isFault(reply)) return turnHistory(reply.checkpoints, app.conversation.id);
  app.tellFault(reply);
  return undefined;
}
