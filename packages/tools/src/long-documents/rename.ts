// Renaming a character in a whole document: every form of the name, and nothing else.
//
//   analysers   propose other names of the character         (chunks that name it)
//   planner     decides on them once, for the whole document (name-plan.ts)
//   code        finds and replaces every form                (names.ts)
//   transformers change its pronouns, where that was asked   (pronouns.ts)
//   checker     tells what remains to be looked at           (name-check.ts)

import { Fault, isFault } from "@stet/protocol/fault";
import { countLines } from "@stet/text/lines";
import { count as countOf } from "./analysis-reports.ts";
import { chunksOf, type SourceDocument } from "./document-chunks.ts";
import { type Issue, inLineOrder, questionIssues } from "./issue.ts";
import { checkRename, type RenamedText } from "./name-check.ts";
import { planNames } from "./name-plan.ts";
import { findNames, type LeftName, type NameForm } from "./names.ts";
import { checkPronouns, type PronounChanges, pronounEdits } from "./pronouns.ts";
import { changeBy, lineEditsOf } from "./replacements.ts";
import type { Transformed } from "./transform.ts";
import type { Rename } from "./transform-kinds.ts";
import type { Workshop } from "./workshop.ts";

export async function renameCharacter(
  workshop: Workshop,
  document: SourceDocument,
  rename: Rename,
): Promise<Transformed | Fault> {
  const { oldName, newName, gender } = rename;
  const text = document.text.toString();
  const own = changedNames(text, [{ form: oldName, replacement: newName }]);
  if (own.places.length === 0) return notFound(rename, own.left);
  const chunks = await chunksOf(document, workshop.chunkTokens);
  const forms = await planNames(workshop, document.text, chunks, rename);
  if (isFault(forms)) return forms;
  const names = forms.length === 1 ? own.places : changedNames(text, forms).places;
  const work = { text: document.text, chunks, forms, places: names };
  const changes = gender === undefined ? noPronouns : await pronounEdits(workshop, { ...work, gender });
  if (isFault(changes)) return changes;
  const { replacements: pronouns, questions } = changes;
  const change = changeBy(document.text, [...names, ...pronouns]);
  const renamed = { before: document.text, change, forms, names };
  const checked = await issuesOf(workshop, rename, renamed, pronouns);
  if (isFault(checked)) return checked;
  const issues = inLineOrder([...checked, ...questionIssues(document.text, change, questions)]);
  const lines = countOf(countLines(document.text), "line");
  const also = pronouns.length === 0 ? "" : `, and changed ${countOf(pronouns.length, "pronoun")}`;
  return {
    edits: lineEditsOf(document.text, change),
    changesMade: names.length + pronouns.length,
    summary: `Renamed '${oldName}' to '${newName}' in ${countOf(names.length, "location")} across ${lines}${also}`,
    issues,
  };
}

/** The places that change. Where the new name holds the old one and stands there already, nothing does. */
function changedNames(text: string, forms: readonly NameForm[]): ReturnType<typeof findNames> {
  const kept = forms.flatMap(({ form, replacement }) => {
    const isThere = findNames(replacement, [{ form, replacement: form }]).places.length > 0;
    return isThere ? [{ form: replacement, replacement }] : [];
  });
  const { places, left } = findNames(text, [...forms, ...kept]);
  return { places: places.filter(({ from, to, insert }) => text.slice(from, to) !== insert), left };
}

const noPronouns: PronounChanges = { replacements: [], questions: [] };

async function issuesOf(
  workshop: Workshop,
  { newName, gender, wantsPronouns }: Rename,
  renamed: RenamedText,
  pronouns: PronounChanges["replacements"],
): Promise<Issue[] | Fault> {
  const issues = checkRename(renamed);
  if (wantsPronouns && gender === undefined) {
    const message = "Pronouns were not changed: no gender was given.";
    return [{ line: 0, kind: "pronouns_unchanged", message }, ...issues];
  }
  if (gender === undefined || pronouns.length === 0) return issues;
  const { before, change, forms } = renamed;
  const after = change.apply(before);
  const names = [...new Set([newName, ...forms.map(({ replacement }) => replacement)])];
  const ranges = pronouns
    .map(({ from, to }) => ({ from: change.mapPos(from, -1), to: change.mapPos(to, 1) }))
    .toSorted((one, other) => one.from - other.from);
  const parts = neighbourhoods(after.toString(), ranges);
  const contradictions = await checkPronouns(workshop, after, parts, { names, gender });
  if (isFault(contradictions)) return contradictions;
  return [...issues, ...contradictions];
}

const checkedLength = 12_000;
const neighbourhood = 600;

/** The changed text around pronouns that were changed, in parts that a subagent can take in. */
function neighbourhoods(
  after: string,
  ranges: readonly { readonly from: number; readonly to: number }[],
): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = [];
  for (const range of ranges) {
    const from = after.lastIndexOf("\n", Math.max(0, range.from - neighbourhood)) + 1;
    const lineBreak = after.indexOf("\n", range.to + neighbourhood);
    const to = lineBreak < 0 ? after.length : lineBreak + 1;
    const last = parts.at(-1);
    if (last !== undefined && from <= last.to && to - last.from <= checkedLength)
      last.to = Math.max(last.to, to);
    else if (last === undefined || to > last.to) parts.push({ from: Math.max(from, last?.to ?? 0), to });
  }
  return parts;
}

function notFound({ oldName }: Rename, left: readonly LeftName[]): Fault {
  const counts = Map.groupBy(left, ({ found }) => found);
  const [best] = [...counts].toSorted((one, other) => other[1].length - one[1].length);
  const writings = [...counts.keys()].slice(0, 10);
  if (best === undefined) {
    return new Fault(
      "no_match",
      `The name ${oldName} does not occur in the document.`,
      "Search the document for how the name is written, then repeat with that.",
    );
  }
  return new Fault(
    "no_match",
    `The name ${oldName} does not occur as it is written; “${best[0]}” does, in ${countOf(best[1].length, "place")}.`,
    `Repeat with old_name "${best[0]}" if that is meant.`,
    { found: writings },
  );
}
