// `stet tabs`: which documents are open, as the toolsets tabs and paper see them.
//
//   stet tabs                list
//   stet tabs open FILE …    the last one is in front
//   stet tabs close ID …     what was not saved stays in the ledger
//   stet tabs front ID       the one that is meant where no tab is named

import { relative, resolve } from "node:path";
import type { ListedTab } from "@stet/protocol/api/tabs";
import { isFault } from "@stet/protocol/fault";
import { numberText } from "@stet/protocol/number-text";
import { visibleName } from "@stet/protocol/visible";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { type CommandApi, usage, withApi } from "../with-folder.ts";

export async function tabs(
  { values, positionals }: WordsOf<"tabs">,
  context: CommandContext,
): Promise<number> {
  const { terminal, root, folder } = context;
  const [verb = "list", ...names] = positionals;
  const actions: Readonly<Record<string, (api: CommandApi, name: string) => Promise<unknown>>> = {
    open: (api, name) => api.call("openTab", { body: { path: relative(root, resolve(folder, name)) } }),
    close: (api, name) => api.call("closeTab", { params: { tab_id: name } }),
    front: (api, name) => api.call("activateTab", { params: { tab_id: name }, body: {} }),
  };
  const action = actions[verb];
  if (action !== undefined && names.length === 0)
    return usage(context, `Say what to ${verb}: ${verb === "open" ? "a file" : "a tab's id"}.`);
  return withApi(context, async (api) => {
    for (const name of action === undefined ? [] : names) {
      const done = await action?.(api, name);
      if (isFault(done)) return done;
    }
    const listed = await api.call("listTabs", {});
    if (isFault(listed)) return listed;
    const list = listed.tabs;
    if (values.json) terminal.json(list);
    else if (list.length === 0) terminal.out("No document is open. Open one with: stet tabs open FILE\n");
    else for (const tab of list) terminal.out(`${lineOf(tab, terminal)}\n`);
    return exitCode.done;
  });
}

function lineOf(tab: ListedTab, terminal: CommandContext["terminal"]): string {
  const mark = tab.is_active ? terminal.style("green", "▸") : " ";
  const version = tab.version === "0" ? "not accepted yet" : `version ${tab.version}`;
  const size = `${numberText(tab.line_count)} lines, ${version}`;
  const unsaved = tab.is_dirty ? ", not saved" : "";
  return `${mark} ${terminal.style("bold", tab.tab_id)}  ${visibleName(tab.title)}  ${terminal.style("dim", size + unsaved)}`;
}
