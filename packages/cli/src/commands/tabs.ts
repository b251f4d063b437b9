// `stet tabs`: which documents are open, as the toolsets tabs and paper see them.
//
//   stet tabs                list
//   stet tabs open FILE …    the last one is in front
//   stet tabs close ID …     what was not saved stays in the ledger
//   stet tabs front ID       the one that is meant where no tab is named

import { relative, resolve } from "node:path";
import { isFault } from "@stet/protocol/fault";
import { numberText } from "@stet/protocol/number-text";
import { visibleName } from "@stet/protocol/visible";
import type { TabInfo } from "@stet/workspace/tabs/tabs";
import type { Workspace } from "@stet/workspace/workspace";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { usage, withWorkspace } from "../with-workspace.ts";

export async function tabs(
  { values, positionals }: WordsOf<"tabs">,
  context: CommandContext,
): Promise<number> {
  const [verb = "list", ...names] = positionals;
  const actions: Readonly<Record<string, (workspace: Workspace, name: string) => unknown>> = {
    list: () => undefined,
    open: (workspace, name) =>
      workspace.tabs.open(relative(workspace.root.path, resolve(context.folder, name))),
    close: (workspace, name) => workspace.tabs.close(name),
    front: (workspace, name) => workspace.tabs.activate(name),
  };
  const action = actions[verb] ?? (() => undefined);
  if (verb !== "list" && names.length === 0)
    return usage(context, `Say what to ${verb}: ${verb === "open" ? "a file" : "a tab's id"}.`);
  return withWorkspace(context, async (workspace) => {
    for (const name of names) {
      const done = action(workspace, name);
      if (isFault(done)) return done;
    }
    const list = workspace.tabs.list();
    const { terminal } = context;
    if (values.json) terminal.json(list);
    else if (list.length === 0) terminal.out("No document is open. Open one with: stet tabs open FILE\n");
    else for (const tab of list) terminal.out(`${lineOf(tab, terminal)}\n`);
    return exitCode.done;
  });
}

function lineOf(tab: TabInfo, terminal: CommandContext["terminal"]): string {
  const mark = tab.is_active ? terminal.style("green", "▸") : " ";
  const version = tab.version === "0" ? "not accepted yet" : `version ${tab.version}`;
  const size = `${numberText(tab.line_count)} lines, ${version}`;
  const unsaved = tab.is_dirty ? ", not saved" : "";
  return `${mark} ${terminal.style("bold", tab.tab_id)}  ${visibleName(tab.title)}  ${terminal.style("dim", size + unsaved)}`;
}
