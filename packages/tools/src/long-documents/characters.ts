// Characters: who they are comes from the analysers, how often and where first is counted in the text.
//
// A name that does not occur in the text was made up, and is left out. Of several names at one place the longest counts, so
// "Captain Ahab" is one mention. Aliases that begin with a small letter ("the old man") may mean anyone and are not counted.

import type { Characters } from "./analysis-kinds.ts";
import { type Analysis, count, list, markdown } from "./analysis-reports.ts";
import type { SourceDocument } from "./document-chunks.ts";
import { countNames } from "./names.ts";
import { lineOf } from "./replacements.ts";

interface Character {
  name: string;
  readonly aliases: Set<string>;
  description: string;
}

export function finishCharacters({ characters }: Characters, { title, text }: SourceDocument): Analysis {
  const people = joined(characters);
  const isCounted = (name: string) => name !== "" && !/^\p{Ll}/u.test(name);
  const names = people.flatMap(({ name, aliases }) => [name, ...aliases]).filter(isCounted);
  const counts = countNames(text.toString(), names);
  const found = people.flatMap(({ name, aliases, description }) => {
    const forms = [...new Set([name, ...aliases])].flatMap((form) => {
      const counted = counts.get(form);
      return counted === undefined ? [] : [{ form, ...counted }];
    });
    if (forms.length === 0) return [];
    const mentions = forms.reduce((sum, form) => sum + form.count, 0);
    const first_appearance = lineOf(text, Math.min(...forms.map(({ first }) => first)));
    const others = [...aliases].filter((alias) => alias !== name);
    return [{ name, mentions, first_appearance, aliases: others, description }];
  });
  found.sort((one, other) => other.mentions - one.mentions || one.first_appearance - other.first_appearance);
  const top = found.slice(0, 3).map(({ name, mentions }) => `${name} (${mentions.toLocaleString("en-US")})`);
  const most = top.length === 0 ? "" : ` Most mentioned: ${top.join(", ")}.`;
  return {
    summary: `Found ${count(found.length, "character")}.${most}`,
    details: { characters: found },
    report: markdown([
      `# Characters in ${title}`,
      list(
        found.map(({ name, mentions, first_appearance, aliases, description }) => {
          const also = aliases.length === 0 ? "" : ` Also: ${aliases.join(", ")}.`;
          const who = description === "" ? "" : ` ${description}`;
          return `**${name}**: ${count(mentions, "mention")}, first on line ${first_appearance + 1}.${also}${who}`;
        }),
      ),
    ]),
  };
}

/** One entry for each character: what has a name in common is the same one. */
function joined(characters: Characters["characters"]): Character[] {
  const byName = new Map<string, Character>();
  const people: Character[] = [];
  for (const { name, aliases, description } of characters) {
    const forms = [name, ...aliases].map((form) => form.trim()).filter((form) => form !== "");
    const known = byName.get(name.trim().toLowerCase());
    const person = known ?? { name: name.trim(), aliases: new Set<string>(), description };
    if (known === undefined) people.push(person);
    if (person.description === "") person.description = description;
    for (const form of forms) {
      person.aliases.add(form);
      if (!byName.has(form.toLowerCase())) byName.set(form.toLowerCase(), person);
    }
  }
  for (const person of people) person.aliases.delete(person.name);
  return people;
}
