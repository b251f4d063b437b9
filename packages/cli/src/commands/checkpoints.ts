// `stet checkpoints`: the turns so far, the newest first, each with the way back.

import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { withApi } from "../with-folder.ts";

export async function checkpoints(
  { values, positionals }: WordsOf<"checkpoints">,
  context: CommandContext,
): Promise<number> {
  const { terminal } = context;
  const [wanted] = positionals;
  return withApi(context, async (api) => {
    const found =
      wanted === undefined
        ? await api.call("listCheckpoints", { query: { limit: Number(values.limit) } })
        : await api.call("getCheckpoint", { params: { checkpoint_id: wanted } });
    if (isFault(found)) return found;
    const list = "checkpoints" in found ? found.checkpoints : [found];
    if (values.json) terminal.json(list);
    else if (list.length === 0) terminal.out("There are no checkpoints yet.\n");
    for (const { checkpoint_id: id, created_at: at, kind, summary, affected_files } of values.json
      ? []
      : list) {
      const what = summary || (kind === "rollback" ? "Rollback" : "Turn");
      terminal.out(`${terminal.style("bold", id)}  ${new Date(at).toLocaleString()}  ${visibleName(what)}\n`);
      for (const { file_path: path, hunks } of affected_files) {
        const ids = hunks.map((hunk) => hunk.hunk_id).join(" ");
        terminal.out(`    ${visibleName(path ?? "(not saved)")}  ${ids}\n`);
      }
    }
    return exitCode.done;
  });
}
