// Pronouns by nearness: within a paragraph, after the character's name and before anyone else's, a pronoun of the other
// gender means the character.

import { declined, type SubagentMaterial, type SubagentResult } from "./subagent-material.ts";

type Gender = "male" | "female";

const reach = 40;
const pronouns: Readonly<Record<Gender, ReadonlySet<string>>> = {
  male: new Set(["he", "him", "his", "himself"]),
  female: new Set(["she", "her", "hers", "herself"]),
};
const plain: Readonly<Record<string, string>> = {
  he: "she",
  him: "her",
  himself: "herself",
  she: "he",
  hers: "his",
  herself: "himself",
};
/** Behind "her" these show that nothing is owned: "told her that", "saw her in". */
const notOwned = new Set(
  "and but or nor to in on at with from for as that when who whom which by of the a an up down out off away back if so then again into through over under was is had were could would will should did not now there here because while until it this these those some all before after upon about than too very once like".split(
    " ",
  ),
);

/** Before "her" these show the same: "gave her bread", "let her go". */
const givenTo = new Set(
  "gave told showed sent offered brought handed taught let asked made give tell show send bring".split(" "),
);

interface Word {
  readonly line: number;
  readonly text: string;
  /** Which of this very word in its line, from 1. */
  readonly occurrence: number;
  readonly startsSentence: boolean;
  readonly startsParagraph: boolean;
  /** Directly behind, with only space between. */
  readonly next: string | undefined;
}

interface PronounEdit {
  readonly line: number;
  readonly word: string;
  readonly replacement: string;
  readonly occurrence: number;
}

export function pronounEditsIn(material: SubagentMaterial): SubagentResult {
  const gender = genderOf(material);
  if (gender === undefined) return declined("change pronouns to anything but male or female ones");
  return { edits: wrongPronouns(material, gender), questions: [] };
}

export function pronounIssuesIn(material: SubagentMaterial): SubagentResult {
  const gender = genderOf(material);
  if (gender === undefined) return declined("check pronouns that are neither male nor female");
  const name = namesOf(material)[0] ?? "the character";
  const issues = wrongPronouns(material, gender).map(({ line, word }) => {
    return { line, message: `“${word}” may mean ${name}.` };
  });
  return { issues };
}

function genderOf({ task }: SubagentMaterial): Gender | undefined {
  const given = String(task.gender ?? "").trim();
  if (/^(?:f|female|woman|girl|she|feminine)$/i.test(given)) return "female";
  return /^(?:m|male|man|boy|he|masculine)$/i.test(given) ? "male" : undefined;
}

function namesOf({ task }: SubagentMaterial): string[] {
  return Array.isArray(task.names) ? task.names.map(String) : [];
}

function wrongPronouns(material: SubagentMaterial, gender: Gender): PronounEdit[] {
  const own = new Set(namesOf(material).flatMap((name) => name.split(/\s+/)));
  const wrong = pronouns[gender === "male" ? "female" : "male"];
  const edits: PronounEdit[] = [];
  let distance = Number.POSITIVE_INFINITY;
  let last = "";
  for (const word of wordsIn(material.document)) {
    const lower = word.text.toLowerCase();
    const isPronoun = pronouns.male.has(lower) || pronouns.female.has(lower);
    if (word.startsParagraph) distance = Number.POSITIVE_INFINITY;
    distance += 1;
    if (own.has(word.text)) distance = 0;
    else if (!isPronoun && !word.startsSentence && /^\p{Lu}\p{Ll}/u.test(word.text))
      distance = Number.POSITIVE_INFINITY;
    const isGiven = givenTo.has(last);
    last = lower;
    if (!wrong.has(lower) || distance > reach) continue;
    const replacement = inCaseOf(word.text, lower === "her" && isGiven ? "him" : other(lower, word.next));
    edits.push({ line: word.line, word: word.text, replacement, occurrence: word.occurrence });
  }
  return edits;
}

function other(pronoun: string, next: string | undefined): string {
  if (pronoun === "his") return next === undefined ? "hers" : "her";
  if (pronoun === "her") return next === undefined || notOwned.has(next.toLowerCase()) ? "him" : "his";
  return plain[pronoun] ?? pronoun;
}

function inCaseOf(model: string, word: string): string {
  if (model.length > 1 && model === model.toUpperCase()) return word.toUpperCase();
  return /^\p{Lu}/u.test(model) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

function wordsIn(document: string): Word[] {
  const words: Word[] = [];
  let behind = "\n\n";
  for (const shown of document.split("\n")) {
    const bar = shown.indexOf("|");
    const line = Number(shown.slice(0, bar));
    const content = shown.slice(bar + 1);
    const seen = new Map<string, number>();
    let at = 0;
    for (const match of content.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
      const [text] = match;
      const gap = behind + content.slice(at, match.index);
      const occurrence = (seen.get(text) ?? 0) + 1;
      seen.set(text, occurrence);
      const previous = words.at(-1);
      if (previous !== undefined && /^\s+$/.test(gap) && !isBlank(gap))
        words[words.length - 1] = { ...previous, next: text };
      const startsSentence = previous === undefined || isBlank(gap) || /[.!?:;“"‘(—]/.test(gap);
      words.push({ line, text, occurrence, startsSentence, startsParagraph: isBlank(gap), next: undefined });
      at = match.index + text.length;
      behind = "";
    }
    behind += `${content.slice(at)}\n`;
  }
  return words;
}

/** Whether a blank line is in the gap. */
function isBlank(gap: string): boolean {
  return /\n[^\S\n]*\n/.test(gap);
}
