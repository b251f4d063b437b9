// Toolset tabs: the documents in an editor's tabs. Lines count from 0, an edit names the version that it was made on, and
// the person decides on the whole turn.

import type { Tool } from "@stet/agent/tool";
import { prompt } from "../prompt.ts";
import { withSight } from "../sight/with-sight.ts";
import type { Toolset } from "../toolset.ts";
import { analyzeDocument } from "./analyze-document.ts";
import { createDocument } from "./create-document.ts";
import { findAndReplace } from "./find-and-replace.ts";
import { getOutline } from "./get-outline.ts";
import { deleteLines, insertLines, replaceLines } from "./line-tools.ts";
import { listTabs } from "./list-tabs.ts";
import { readDocument } from "./read-document.ts";
import { searchDocument } from "./search-document.ts";
import type { TabsContext } from "./tabs-context.ts";
import { tellFault } from "./tell-fault.ts";
import { transformDocument } from "./transform-document.ts";
import { writeDocument } from "./write-document.ts";

const all = [
  listTabs,
  readDocument,
  searchDocument,
  getOutline,
  createDocument,
  insertLines,
  replaceLines,
  deleteLines,
  writeDocument,
  findAndReplace,
  analyzeDocument,
  transformDocument,
];

export function tabsToolset(context: TabsContext): Toolset {
  const { sight, turn } = context;
  sight.begin(turn.id);
  const tools = all.map((make): Tool => withSight({ ...make(context), tellFault }, sight));
  return {
    name: "tabs",
    system: prompt(import.meta.url, "system"),
    tools,
    state: () => turn.state(),
  };
}
