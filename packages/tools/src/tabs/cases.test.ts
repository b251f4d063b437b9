import { runToolCases } from "@stet/testkit/tool-cases";
import { ReadLines } from "../read-lines.ts";
import { defaultTokenBudget } from "./tabs-context.ts";
import { tabsToolset } from "./tabs-toolset.ts";

runToolCases(new URL("./cases/", import.meta.url), ({ workspace, turn, subagents }) => {
  return tabsToolset({
    workspace,
    turn,
    tokenBudget: defaultTokenBudget,
    meaning: undefined,
    subagents,
    read: new ReadLines(),
  }).tools;
});
