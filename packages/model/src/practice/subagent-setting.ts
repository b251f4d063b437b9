// Another setting as the replacement of its name. Details that go with a place need understanding, and stay as they are.

import { declined, type SubagentMaterial, type SubagentResult } from "./subagent-material.ts";
import { patternOf, replaceIn } from "./words.ts";

const cannot = "rewrite a text in another style or by free instructions";

function settingOf({ task }: SubagentMaterial): { from: string; to: string } | undefined {
  if (task.transform !== "setting_change") return undefined;
  return { from: String(task.old_setting ?? ""), to: String(task.new_setting ?? "") };
}

function wanted(text: string): { text: string; isWholeWord: boolean; ignoresCase: boolean } {
  return { text, isWholeWord: true, ignoresCase: false };
}

export function settingTerms(material: SubagentMaterial): SubagentResult {
  const setting = settingOf(material);
  if (setting === undefined) return declined(cannot);
  const occurs = patternOf(wanted(setting.from)).test(material.document);
  return { terms: occurs ? [{ term: setting.from, note: "the setting" }] : [] };
}

export function settingPlan(material: SubagentMaterial): SubagentResult {
  const setting = settingOf(material);
  if (setting === undefined) return declined(cannot);
  return { glossary: [{ term: setting.from, replacement: setting.to }], guidelines: [] };
}

export function settingEdits(material: SubagentMaterial): SubagentResult {
  const setting = settingOf(material);
  if (setting === undefined) return declined(cannot);
  const edits = material.document.split("\n").flatMap((shown) => {
    const bar = shown.indexOf("|");
    const line = Number(shown.slice(0, bar));
    const content = shown.slice(bar + 1);
    const named = replaceIn(content, wanted(setting.from), setting.to);
    const capitals = setting.from.toUpperCase();
    const replaced =
      capitals === setting.from ? named : replaceIn(named, wanted(capitals), setting.to.toUpperCase());
    if (replaced === content) return [];
    return [{ start_line: line, end_line: line, content: replaced === "" ? "\n" : replaced }];
  });
  const [first] = edits;
  if (first === undefined || material.task.adapt_details === false) return { edits, questions: [] };
  const message = "Only the name of the setting was replaced: the practice model cannot adapt details.";
  return { edits, questions: [{ line: first.start_line, message }] };
}
