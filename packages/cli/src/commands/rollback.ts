// `stet rollback CHECKPOINT [HUNK …]`: back to before a turn, or only some of its hunks. `--dry-run` shows, `--yes` does not ask.

import { isFault } from "@stet/protocol/fault";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { usage, withApi } from "../with-folder.ts";

export async function rollback(
  { values, positionals }: WordsOf<"rollback">,
  context: CommandContext,
): Promise<number> {
  const [checkpoint, ...hunks] = positionals;
  if (checkpoint === undefined)
    return usage(context, "Say which: stet rollback CHECKPOINT. See `stet checkpoints`.");
  const { terminal } = context;
  return withApi(context, async (api) => {
    const params = { checkpoint_id: checkpoint };
    const mode = hunks.length === 0 ? "hard_all" : "scoped_selected";
    const roll = (dryRun: boolean) =>
      api.call("rollback", { params, body: { mode, hunk_ids: hunks, dry_run: dryRun } });
    const preview = await roll(true);
    if (isFault(preview)) return preview;
    const known = await api.call("getCheckpoint", { params });
    if (isFault(known)) return known;
    const touched = known.affected_files.filter(({ document }) => preview.documents.includes(document));
    const paths = touched.map(({ file_path: path }) => path ?? "(not saved)");
    const what =
      mode === "hard_all"
        ? "everything since then, your own edits included"
        : `${preview.rolled_back.length} hunks`;
    terminal.note(`This takes back ${what}, in: ${paths.join(", ") || "nothing"}.\n`);
    for (const hunk of preview.conflicts) terminal.note(`${hunk} was changed since and is left as it is.\n`);
    if (values["dry-run"] || preview.documents.length === 0) return exitCode.done;
    if (!values.yes) {
      const person = terminal.person();
      if (person === undefined)
        return usage(context, "Nobody is here who could be asked whether to go on. Add --yes to do it.");
      person.show("Go on? (y/n) ");
      const key = await person.keys.key();
      person.show("\n");
      if (key !== "y" && key !== "Y") {
        terminal.note("Nothing was changed.\n");
        return exitCode.interrupted;
      }
    }
    const report = await roll(false);
    if (isFault(report)) return report;
    const saved = await api.call("saveDecided", { body: { documents: report.documents } });
    if (isFault(saved)) return saved;
    terminal.out(`Done. To undo it: stet rollback ${report.checkpoint_id}\n`);
    return exitCode.done;
  });
}
