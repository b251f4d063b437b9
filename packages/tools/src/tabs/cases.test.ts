import { runToolCases } from "@stet/testkit/cases";
import { Sight } from "../sight/sight.ts";
import { defaultTokenBudget } from "./tabs-context.ts";
import { tabsToolset } from "./tabs-toolset.ts";

runToolCases(new URL("./cases/", import.meta.url), ({ workspace, turn, subagents }) => {
  return tabsToolset({
    workspace,
    turn,
    tokenBudget: defaultTokenBudget,
    meaning: undefined,
    subagents,
    sight: new Sight(),
  }).tools;
});
