// The keys of a YAML file by the indentation of its lines, for files that are too large to parse.

import type { Text } from "@codemirror/state";
import { type Section, type SectionHeading, sectionsOf } from "./sections.ts";
import { displayTitle, lineStart } from "./titles.ts";

/** A key at the start of what is left of a line: plain or quoted, and a colon with a space or the end behind it. */
const keyForm =
  /^(?:"((?:[^"\\]|\\.){0,200})"|'([^']{0,200})'|((?:[^\s#[\]{}&*!|>'"%@`,:-]|-(?=\S))(?:[^#:]|:(?=\S)|(?<=\S)#){0,200}?))\s{0,20}:(?=\s|$)/;
const blockScalar = /:\s+[|>][+\-\d]{0,3}(?:\s+#.*)?$/;

interface Open {
  readonly indent: number;
  readonly level: number;
  /** How many items the sequence at this indentation has; undefined for a map. */
  items: number | undefined;
}

export function sectionsByIndentation(text: Text, maxDepth: number): Section[] {
  const found: SectionHeading[] = [];
  const open: Open[] = [];
  /** Lines that are indented deeper belong to a block scalar. */
  let skipBelow: number | undefined;
  let number = -1;
  const addItem = (indent: number, isItem: boolean, title: (index: number) => string) => {
    for (let last = open.at(-1); last !== undefined && last.indent > indent; last = open.at(-1)) open.pop();
    let here = open.at(-1);
    // "- " may stand at the indentation of the key that it belongs to.
    if (here?.indent === indent && here.items !== undefined && !isItem) {
      open.pop();
      here = open.at(-1);
    }
    if (here?.indent !== indent || (here.items === undefined && isItem)) {
      here = { indent, level: (here?.level ?? 0) + 1, items: isItem ? 0 : undefined };
      open.push(here);
    }
    if (here.level <= maxDepth)
      found.push({ level: here.level, line: number, title: title(here.items ?? 0) });
    if (here.items !== undefined) here.items += 1;
  };
  for (const whole of text.iterLines()) {
    number += 1;
    const line = whole.length > 400 ? whole.slice(0, 400) : whole;
    let indent = line.search(/[^ ]/);
    if (indent < 0 || line.charCodeAt(indent) === 35 || line.charCodeAt(indent) === 13) continue;
    if (skipBelow !== undefined && indent > skipBelow) continue;
    skipBelow = undefined;
    if (line.startsWith("---")) {
      open.length = 0;
      continue;
    }
    while (/^-(?:\s|$)/.test(line.slice(indent, indent + 2))) {
      addItem(indent, true, (index) => `[${index}]`);
      const next = line.slice(indent + 1).search(/\S/);
      if (next < 0) break;
      indent += 1 + next;
    }
    const content = line.slice(indent);
    const key = keyForm.exec(content);
    if (key !== null) addItem(indent, false, () => displayTitle(key[1] ?? key[2] ?? key[3] ?? ""));
    if (blockScalar.test(lineStart(content))) skipBelow = indent;
  }
  return sectionsOf(found);
}
