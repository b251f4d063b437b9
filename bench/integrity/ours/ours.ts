// Our own formats, each through its real tools on a real folder.

import type { RuleSet } from "../rule-set.ts";
import { codeRuleSet } from "./code-format.ts";
import { hashline } from "./hashline.ts";
import { applyPatchMode, patchMode } from "./patches.ts";
import { replace } from "./replace.ts";

export function ourRuleSets(): RuleSet[] {
  return [codeRuleSet(hashline), codeRuleSet(replace), codeRuleSet(patchMode), codeRuleSet(applyPatchMode)];
}
