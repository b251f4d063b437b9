// docs/integrity.md, from the scores of a run.

import type { RuleSet } from "./rule-set.ts";
import type { Score } from "./score.ts";

export function integrityPage(
  rules: readonly RuleSet[],
  scores: readonly Score[],
  { seed, cases }: { readonly seed: number; readonly cases: number },
): string {
  const total = scores.reduce((sum, score) => sum + score.cases, 0);
  const ours = rules.filter(({ isOurs }) => isOurs);
  const others = rules.filter(({ isOurs }) => !isOurs);
  return `# How edits land

How often does an edit that a model writes land in the wrong place, and how often does a person lose text by it? This page counts both, for every edit format of Stet and for the formats of others, on the same cases. No model takes part, so the figures say nothing about models: they say what a format and its rules make of an edit that is written well, and of one that is written carelessly.

\`npm run bench -- integrity --seed ${seed}\` counts again (${cases.toLocaleString("en")} cases; ${total.toLocaleString("en")} edits in all). The page and the picture are written by \`npm run bench -- integrity --write\`.

![What came of the edits, for each rule set](images/integrity.svg)

## What a case is

- **A real file**: sources, data and prose of the installed packages and two books, as they are or with CRLF, mixed line ends, a byte order mark, or without a last line end.
- **An edit that someone means**, known by the identity of lines: replace, insert, delete, move, rename, at the start, at the end, among lines that look alike, in very long lines.
- **What was seen**: all of the file, windows of it, or an older revision.
- **What happened since**: nothing; the person typed elsewhere, close by or in the very lines; another agent's edit; a formatter or another change on disk; the lines moved, were copied, or are gone.
- **How it is written**: carefully, or with a slip: white space at line ends, indentation, a number off by one, typographic quotes, a line of context left out, lines abbreviated.

The right outcome follows from how the case is made. An edit whose lines nobody touched has to land; one whose lines someone changed has to be refused; where nobody could know (the lines were copied or moved), both are right, but landing elsewhere is not. What is compared are the bytes of the file. A case that a format cannot say is left out for that format, so the numbers of cases differ.

Ours run through their real tools on a real workspace: the file is read with the read tool, what happens happens in the document, in another turn or on disk, and the edit is written from what the read tool showed. Those of others are written from their public descriptions and work on the text as it is when the edit arrives; none of their code is used. Their authors may do better than their descriptions.

What is not even between the two: our formats were measured and mended with the cases of seeds below 400 until none of them went wrong, so those seeds flatter us; look at a higher one. Our careful writer does what our prompts ask for: quotes and hunks get as much context as makes them unique, also with other indentation, and keys of vim come with the rows that are meant. For the others a quote is as long as makes it unique by lines, and hunks have three lines of context. Slips are made by the same code, in what each of them writes. Which cases a format cannot say was decided by us. Two things are judged mildly, for all: in a file without a last line end, a blank line that comes to stand last may be that end; and of equal lines of which one goes or comes (two blank ones around a paragraph that is deleted, or added) nobody can tell by their text which one it is, so in a file with mixed line ends they may have the end of either.

## Counted

| rule set | cases | right | wrong | refused, rightly | refused needlessly | text lost | bytes outside | mended by one retry | tokens |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${scores.map(rowOf).join("\n")}

- **wrong**: it landed in another place, or although the very lines had changed, or in another form than it was meant.
- **refused, rightly**: the lines had changed, or the writer's slip was noticed.
- **refused needlessly**: written carefully, nobody had touched the lines, and still refused.
- **text lost**: something that the person, another agent or the disk wrote is gone after a wrong edit. **bytes outside**: a line end or the byte order mark of a line that the edit does not name is another one.
- **mended by one retry**: of the refusals of edits that still make sense, those that a second try mended. Ours is written from the lines that the refusal shows, and only for places that it does not show from what was seen before. Most refusals of others show no lines: there a slip is mended by writing once more, with care, what was seen, and anything else is not tried again. A dash: no second try was made.
- **tokens**: of an edit as it is written, on average.

Careful edits whose lines nobody touched landed right: ${scores
    .filter(({ isOurs, untouched }) => isOurs && untouched > 0)
    .map(({ name, untouched, untouchedRight }) => `${name} ${percent(untouchedRight, untouched)}`)
    .join(", ")}.

A second try can go wrong, too, where lines look alike and the writer takes the other ones: ${scores
    .filter(({ isOurs, retried }) => isOurs && retried > 0)
    .map(({ name, retried, retriedWrong }) => `${name} ${retriedWrong} of ${retried}`)
    .join(", ")}.

## Our formats

${ours.map(({ name, about }) => `- **${name}**: ${about}`).join("\n")}

What these figures do not show: an edit of toolset project and tabs changes one place, so edits of several places are left out there; edits by symbols are only made where the result is well-formed and the symbol's end stays, which most made-up edits do not fulfil, so there are few of them; lines too long to be shown whole, or to be typed in one call, are left out; the numbers are those of made-up edits, not of what models do.

Three kinds of slips cannot be noticed by any rule. An anchor can happen to be the right one of the line beside it, by chance once in 647 times; such cases count. A quote or hunk from which a line was left out can be, letter by letter, another text of the file (of a hunk with numbers: the very one at its number); and in toolset project a number can be off by one where the line beside is equal, so that its hash is the same. Cases of these two kinds are left out, for others as for us: what is written is a right edit of the other place. Who writes a whole symbol anew cannot say which of its equal lines stays, so in files with mixed line ends the end of any of them is taken as right there.

## Formats of others

${others.map(({ name, about, source }) => `- **${name}**: ${about} Source: ${source}.`).join("\n")}

## Adding a format, and checking

A rule set (\`bench/integrity/rule-set.ts\`) takes a case, writes the edit in its format, with the slip where there is room for one, and tells what came of it: the content of the file, or the refusal. A format that needs nothing but text is a \`TextRules\` with \`write\` and \`apply\`, and \`rewrite\` where its refusals help; it goes into \`bench/integrity/others/\` with the public place where its rules are described.

Other seeds give other cases: \`npm run bench -- integrity --seed 7\`. \`--only hashline\` counts one rule set, \`--json\` prints rows for programs. A case that once went wrong is kept in \`bench/integrity/regressions.json\` and counted again by the tests. The files are those of the installed packages, so other versions of them give other cases.
`;
}

function rowOf(score: Score): string {
  const { name, isOurs, cases, right, wrong, refusedRight, refusedNeedlessly, lost, outside } = score;
  const mended = score.retried === 0 ? "–" : percent(score.mended, score.mendable);
  const tokens = cases === 0 ? 0 : Math.round(score.tokens / cases);
  const shares = [right, wrong, refusedRight, refusedNeedlessly].map(
    (count) => `${count} (${percent(count, cases)})`,
  );
  const cells = [isOurs ? `**${name}**` : name, cases, ...shares, lost, outside, mended, tokens];
  return `| ${cells.join(" | ")} |`;
}

function percent(part: number, whole: number): string {
  const share = whole === 0 ? 0 : (part / whole) * 100;
  return `${share === 0 || share === 100 ? share : share.toFixed(1)} %`;
}
