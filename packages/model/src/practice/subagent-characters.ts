// Characters by a rule: capitalised names that are not only how sentences begin, and that someone speaks to or of as a
// person: with a title before them, or with a verb that people do beside them. Places and things have "in" and "the" there.

import type { SubagentMaterial } from "./subagent-material.ts";

interface Character {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
}

const titles = words(
  "Captain Mr Mrs Ms Miss Dr Doctor Sir Madam Lady Lord King Queen Prince Princess Father Mother Aunt Uncle Brother Sister Professor Duke Duchess Count Countess Baron Saint St Old Young Poor Little Dear",
);
/** Titles that a character may have for a name, as in a fairy tale. */
const ranks = words("King Queen Prince Princess Duke Duchess Count Countess Baron");
const starters = words(
  "A An And As At All Also Although Among Are Be Because Before Both But By Can Could Did Do Does Down Each Even Ever Every Far First For From Had Has Have He Her Here Him His How However I If In Indeed Into Is It Its Just Last Let Like Look Made Many May Me Meanwhile More Most Much Must My Nay Never Next No None Nor Not Nothing Now Of Off Oh On Once One Only Or Other Our Out Over Perhaps Shall She Should Since So Some Still Such Than That The Thee Their Them Then There These They This Those Thou Though Three Through Thus Thy To Too Two Under Until Up Upon Very Was We Well Were What When Whence Where Whether Which While Who Whom Whose Why Will With Without Would Ye Yes Yet You Your Chapter Book Part Act Scene Project Gutenberg",
);
const doing =
  "said|says|cried|asked|replied|answered|shouted|exclaimed|whispered|muttered|murmured|thought|looked|stood|turned|went|came|sat|walked|ran|began|gave|took|smiled|laughed|nodded|sighed|spoke|told|knew|felt|added|remarked|continued|returned|gazed|seized|paused";
const doesBehind = new RegExp(`^(?:['’]s)? (?:${doing})\\b`);
const doesBefore = new RegExp(`\\b(?:${doing}) (?:the )?$`, "i");
const run = /\p{Lu}[\p{Ll}\p{M}]+(?:[ -]\p{Lu}[\p{Ll}\p{M}]+){0,3}/gu;
const maxNames = 40;

function words(list: string): Set<string> {
  return new Set(list.split(" "));
}

interface Seen {
  inside: number;
  titled: number;
  acts: number;
  places: number;
  things: number;
  readonly forms: Set<string>;
}

export function charactersIn({ document }: SubagentMaterial): Record<string, unknown> {
  const seen = new Map<string, Seen>();
  const common = new Set<string>();
  for (const paragraph of document.split(/\n[^\S\n]*\n/)) {
    const text = paragraph.replace(/\s+/g, " ");
    for (const [word] of text.matchAll(/(?<![\p{L}'’])\p{Ll}[\p{L}\p{M}]+/gu)) common.add(word);
    for (const match of text.matchAll(run)) note(seen, text, match[0], match.index);
  }
  const people = [...seen].filter(([name, facts]) => isPerson(name, facts, common));
  people.sort((one, other) => other[1].inside - one[1].inside || (one[0] < other[0] ? -1 : 1));
  const found = people.slice(0, maxNames).map(([name, { forms }]) => {
    return { name, aliases: [...forms].filter((form) => form !== name).sort(), description: "" };
  });
  return { characters: joined(found) };
}

function note(seen: Map<string, Seen>, text: string, found: string, index: number): void {
  const before = text.slice(Math.max(0, index - 24), index);
  const isFirst = index === 0 || /(?:[.!?:;]["”’')]*|[“"‘(—_]) ?$/.test(before);
  const parts = found.split(" ");
  let skipped = 0;
  while (parts.length > 0 && starters.has(parts[0] ?? "")) skipped += (parts.shift() ?? "").length + 1;
  const form = parts.join(" ");
  while (parts.length > 1 && titles.has(parts[0] ?? "")) parts.shift();
  const name = parts.join(" ");
  if (name === "" || name.length < 3 || (titles.has(name) && !ranks.has(name))) return;
  const facts = seen.get(name) ?? { inside: 0, titled: 0, acts: 0, places: 0, things: 0, forms: new Set() };
  seen.set(name, facts);
  facts.forms.add(form);
  if (!isFirst || skipped > 0 || form !== name) facts.inside += 1;
  if (form !== name) facts.titled += 1;
  if (
    doesBehind.test(text.slice(index + found.length, index + found.length + 16)) ||
    doesBefore.test(before)
  ) {
    facts.acts += 1;
  }
  if (skipped === 0 && /\b(?:in|at|to|from|near|into|off|toward|towards|of) $/.test(before))
    facts.places += 1;
  if (skipped === 0 && /\b(?:the|a|an|this|that) $/i.test(before)) facts.things += 1;
}

function isPerson(name: string, facts: Seen, common: ReadonlySet<string>): boolean {
  if (facts.inside === 0 || facts.acts + facts.titled === 0) return false;
  if (!name.includes(" ") && common.has(name.toLowerCase()) && facts.titled + facts.acts < facts.inside / 2)
    return false;
  return 4 * (facts.acts + facts.titled) >= facts.places + facts.things;
}

export function mergedCharacters({ document }: SubagentMaterial): Record<string, unknown> {
  const parts = JSON.parse(document) as { result: { characters: Character[] } }[];
  return { characters: joined(parts.flatMap(({ result }) => result.characters)) };
}

/** One entry a character: the same name, or a single name that only one full name has. */
function joined(characters: readonly Character[]): Character[] {
  const byName = new Map<string, Set<string>>();
  for (const { name, aliases } of characters) {
    const known = byName.get(name) ?? new Set();
    byName.set(name, known);
    for (const alias of aliases) known.add(alias);
  }
  const fullNames = [...byName.keys()].filter((name) => name.includes(" "));
  const owners = new Map<string, string[]>();
  for (const full of fullNames) {
    for (const word of full.split(" ")) owners.set(word, [...(owners.get(word) ?? []), full]);
  }
  for (const [name, aliases] of byName) {
    const [owner, ...others] = name.includes(" ") ? [] : (owners.get(name) ?? []);
    if (owner === undefined || others.length > 0) continue;
    for (const alias of [owner, ...(byName.get(owner) ?? [])]) aliases.add(alias);
    byName.delete(owner);
  }
  return [...byName].map(([name, aliases]) => {
    return { name, aliases: [...aliases].filter((alias) => alias !== name).sort(), description: "" };
  });
}
