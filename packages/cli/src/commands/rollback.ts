// `stet rollback CHECKPOINT [HUNK …]`: back to before a turn, or only some of its hunks. `--dry-run` shows, `--yes` does not ask.

import { isFault } from "@stet/protocol/fault";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { usage, withWorkspace } from "../with-workspace.ts";

export async function rollback(
  { values, positionals }: WordsOf<"rollback">,
  context: CommandContext,
): Promise<number> {
  const [checkpoint, ...hunks] = positionals;
  if (checkpoint === undefined)
    return usage(context, "Say which: stet rollback CHECKPOINT. See `stet checkpoints`.");
  const { terminal } = context;
  return withWorkspace(context, async (workspace) => {
    const request =
      hunks.length === 0 ? ({ mode: "hard_all" } as const) : ({ mode: "scoped_selected", hunks } as const);
    const preview = workspace.checkpoints.rollback(checkpoint, request, { dryRun: true });
    if (isFault(preview)) return preview;
    const paths = preview.documents.map(
      (document) => workspace.documents.row(document)?.path ?? "(not saved)",
    );
    const what =
      request.mode === "hard_all"
        ? "everything since then, your own edits included"
        : `${preview.rolledBack.length} hunks`;
    terminal.note(`This takes back ${what}, in: ${paths.join(", ") || "nothing"}.\n`);
    for (const hunk of preview.conflicts) terminal.note(`${hunk} was changed since and is left as it is.\n`);
    if (values["dry-run"] || preview.checkpoint === null) return exitCode.done;
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
    const report = await workspace.rollback(checkpoint, request);
    if (isFault(report)) return report;
    const saved = await workspace.saving.save(report.documents);
    if (isFault(saved)) return saved;
    terminal.out(`Done. To undo it: stet rollback ${report.checkpoint}\n`);
    return exitCode.done;
  });
}
