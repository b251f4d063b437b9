// `stet checkpoints`: the turns so far, the newest first, each with the way back.

import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { withWorkspace } from "../with-workspace.ts";

export async function checkpoints(
  { values, positionals }: WordsOf<"checkpoints">,
  context: CommandContext,
): Promise<number> {
  const { terminal } = context;
  return withWorkspace(context, async (workspace) => {
    const [wanted] = positionals;
    const read = wanted === undefined ? undefined : workspace.checkpoints.read(wanted);
    if (isFault(read)) return read;
    const list = read === undefined ? workspace.checkpoints.list({ limit: Number(values.limit) }) : [read];
    if (values.json) terminal.json(list);
    else if (list.length === 0) terminal.out("There are no checkpoints yet.\n");
    for (const checkpoint of values.json ? [] : list) {
      const when = new Date(checkpoint.createdAt).toLocaleString();
      const what = checkpoint.summary || (checkpoint.kind === "rollback" ? "Rollback" : "Turn");
      terminal.out(`${terminal.style("bold", checkpoint.id)}  ${when}  ${visibleName(what)}\n`);
      for (const file of checkpoint.files) {
        terminal.out(
          `    ${visibleName(file.path ?? "(not saved)")}  ${file.hunks.map((hunk) => hunk.id).join(" ")}\n`,
        );
      }
    }
    return exitCode.done;
  });
}
