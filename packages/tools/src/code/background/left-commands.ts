// Commands that go on after the turn that began them. What they change in the folder is a turn of its own in the ledger, with
// what was there before: it is reviewed and undone like everything else that the agent does.

import type { AgentBackground } from "@stet/agent/background/background";
import { type Fault, isFault } from "@stet/protocol/fault";
import { tellIfFault } from "@stet/storage/notices";
import { logFailure } from "@stet/storage/operator-log";
import type { Commands } from "@stet/workspace/commands/commands";
import type { Workspace } from "@stet/workspace/workspace";
import { cut } from "../../call-words.ts";

interface Left {
  readonly workspace: Workspace;
  readonly session: string;
  readonly commands: Commands;
  readonly background: AgentBackground;
}

/** Returns when the witness looks after them: until then, what they change would be nobody's. */
export async function followLeft({ workspace, session, commands, background }: Left): Promise<void> {
  const labels = background.jobs.running().flatMap(({ type, label }) => (type === "task" ? [] : [label]));
  const summary = `In the background: ${cut(labels.join("; "))}`;
  const turn = workspace.beginTurn({ session, summary, isImmediate: true });
  await workspace.witness.begin(turn);
  const finish = async (): Promise<undefined | Fault> => {
    await commands.closed;
    await workspace.witness.finish(turn);
    const committed = turn.publishedDocuments.length > 0 ? await workspace.commitTurn(turn) : turn.discard();
    return isFault(committed) ? committed : undefined;
  };
  const finished = finish().then(tellIfFault);
  const end = async () => {
    await commands.close();
    await finished;
  };
  const release = background.own(end);
  // Where the session is closed with the turn at work, the turn does not end before they have.
  if (release === undefined) await end();
  else finished.catch(logFailure("commands.left")).finally(release);
}
