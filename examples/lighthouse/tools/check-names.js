// Looks for names that do not fit together: node tools/check-names.js
//
// Everyone in notes/characters.md must appear in the novel, and every full name in the novel must be known.

import { readFileSync } from "node:fs";

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** Names that are no character's: of the dead, and of boats. */
const others = new Set(["Tobias Ketteridge"]);

/** Who may be called by the first name alone. */
const firstNames = new Map([
  ["Mara", "Mara Voss"],
  ["Tobias", "Tobias Hale"],
  ["Anselm", "Anselm Voss"],
  ["Kit", "Kit Voss"],
]);

export function charactersIn(notes) {
  return [...notes.matchAll(/^## (\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+)$/gmu)].map(([, name]) => name);
}

export function fullNamesIn(text, surnames) {
  const pattern = new RegExp(`\\p{Lu}\\p{Ll}+ (?:${surnames.join("|")})\\b`, "gu");
  return new Set([...text.matchAll(pattern)].map(([name]) => name));
}

const characters = charactersIn(read("notes/characters.md"));
const novel = read("novel.md");
const known = new Set([...characters, ...others]);
const surnames = [...new Set([...known].map((name) => name.split(" ")[1]))];
const problems = [
  ...characters.filter((name) => !novel.includes(name)).map((name) => `${name} is not in the novel.`),
  ...[...fullNamesIn(novel, surnames)]
    .filter((name) => !known.has(name))
    .map((name) => `${name} is in the novel, but nobody knows who that is.`),
  ...[...firstNames]
    .filter(([, name]) => !known.has(name))
    .map(([first, name]) => `${first} stands for ${name}, who is not in notes/characters.md.`),
];
for (const problem of problems) console.log(problem);
if (problems.length === 0) console.log(`All ${known.size} names fit together.`);
process.exitCode = problems.length === 0 ? 0 : 1;
