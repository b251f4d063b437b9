// Our own formats, each through its real tools on a real folder.

import type { RuleSet } from "../rule-set.ts";
import { codeRuleSet } from "./code-format.ts";
import { hashline } from "./hashline.ts";
import { applyPatchMode, patchMode } from "./patches.ts";
import { projectRuleSet } from "./project.ts";
import { replace } from "./replace.ts";
import { symbol } from "./symbol.ts";
import { tabsRuleSet } from "./tabs.ts";
import { vim } from "./vim.ts";

const codeFormats = [hashline, replace, patchMode, applyPatchMode, vim, symbol];

export function ourRuleSets(): RuleSet[] {
  return [...codeFormats.map(codeRuleSet), projectRuleSet(), tabsRuleSet()];
}
