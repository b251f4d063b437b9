// The rule sets of others, written from their public descriptions.

import { renderFile } from "../file-text.ts";
import { type RuleSet, textRuleSet } from "../rule-set.ts";
import { applyPatchStrictness } from "./apply-patch.ts";
import { lineHashes } from "./line-hashes.ts";
import { lineNumbers } from "./line-numbers.ts";
import { exactReplace, fuzzyReplace } from "./search-replace.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { wholeFile } from "./whole-file.ts";

export function otherRuleSets(): RuleSet[] {
  return [
    textRuleSet(lineNumbers, ({ now }) => renderFile(now)),
    textRuleSet(exactReplace, ({ now }) => renderFile(now)),
    textRuleSet(fuzzyReplace, ({ now }) => renderFile(now)),
    textRuleSet(unifiedDiff, ({ now }) => renderFile(now)),
    textRuleSet(applyPatchStrictness, ({ now }) => renderFile(now)),
    textRuleSet(lineHashes, ({ now }) => renderFile(now)),
    textRuleSet(wholeFile, ({ now }) => renderFile(now)),
  ];
}
