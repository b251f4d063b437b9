// What the palette offers for what is typed.

import type { Command } from "../app/commands.ts";
import { shownKeys } from "../app/commands.ts";
import { fileListOf } from "../files/file-list.ts";
import { recentFilesOf } from "../files/recent-files.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { type Candidate, candidateOf, rank } from "./fuzzy.ts";
import { lineOf, readQuery, recentCommands, recentFirst, rememberCommand } from "./palette-state.ts";

export interface PaletteChoice {
  readonly id: string;
  readonly text: string;
  readonly marks: readonly (readonly [number, number])[];
  /** Of a file: where its name begins in the text. */
  readonly nameStart?: number;
  /** On the right: keys, or a line. */
  readonly hint?: string;
  readonly group?: string;
  readonly level?: number;
  readonly run: () => unknown;
}

export interface Heading {
  readonly title: string;
  readonly level: number;
  /** From 1. */
  readonly line: number;
}

/** More than anybody looks through. */
const maxChoices = 1000;

export function choicesFor(
  workbench: Workbench,
  text: string,
  sources: { readonly files: readonly Candidate<string>[]; readonly headings: readonly Heading[] },
): PaletteChoice[] {
  const { mode, query } = readQuery(text);
  switch (mode) {
    case "files":
      return fileChoices(workbench, query, sources.files);
    case "commands":
      return commandChoices(workbench, query);
    case "headings":
      return headingChoices(workbench, query, sources.headings);
    case "line":
      return lineChoices(workbench, query);
  }
}

/** Paths in the order of an empty query: what was open lately, then all. */
export function fileCandidates(workbench: Workbench): Candidate<string>[] {
  const listed = fileListOf(workbench).paths() ?? [];
  const known = new Set(listed);
  // A document whose file was deleted outside is still open.
  const gone = workbench.state.tabs.flatMap(({ path }) => (path === null || known.has(path) ? [] : [path]));
  const paths = [...listed, ...gone];
  const recent = recentFilesOf(workbench.state.root).paths();
  return recentFirst(paths, (path) => path, recent).map((path) => candidateOf(path, path));
}

function fileChoices(
  workbench: Workbench,
  query: string,
  files: readonly Candidate<string>[],
): PaletteChoice[] {
  return rank(query, files, maxChoices).map(({ item: path, match }) => ({
    id: path,
    text: path,
    marks: match.ranges,
    nameStart: path.lastIndexOf("/") + 1,
    run: () => {
      const tab = workbench.state.tabs.find((open) => open.path === path);
      return tab === undefined ? workbench.openFile(path) : workbench.activate(tab.tab_id);
    },
  }));
}

function commandChoices(workbench: Workbench, query: string): PaletteChoice[] {
  const candidates = recentFirst(workbench.commands.list(), ({ id }) => id, recentCommands()).map((command) =>
    candidateOf(command, command.title),
  );
  const byGroup = (command: Command) => candidateOf(command, `${command.group} ${command.title}`);
  const found = rank(query, candidates);
  const known = new Set(found.map(({ item }) => item));
  // Where the title does not hold it, the group may: "review next".
  const more = rank(
    query,
    candidates.filter(({ item }) => !known.has(item)).map(({ item }) => byGroup(item)),
  ).map(({ item }) => ({ item, match: { ranges: [] } }));
  return [...found, ...more].map(({ item: command, match }) => ({
    id: command.id,
    text: command.title,
    marks: match.ranges,
    group: command.group,
    ...(command.keys[0] === undefined ? {} : { hint: shownKeys(command.keys[0]) }),
    run: () => {
      rememberCommand(command.id);
      return command.run();
    },
  }));
}

function headingChoices(workbench: Workbench, query: string, headings: readonly Heading[]): PaletteChoice[] {
  const candidates = headings.map((heading) => candidateOf(heading, heading.title));
  return rank(query, candidates, maxChoices).map(({ item: { title, level, line }, match }) => ({
    id: `heading-${line}`,
    text: title,
    marks: match.ranges,
    hint: `line ${line}`,
    level: query === "" ? level : 1,
    run: () => reveal(workbench, line),
  }));
}

function lineChoices(workbench: Workbench, query: string): PaletteChoice[] {
  const lines = workbench.activeTab()?.line_count;
  const line = lines === undefined ? undefined : lineOf(query, lines);
  if (line === undefined) return [];
  return [{ id: "line", text: `Go to line ${line}`, marks: [], run: () => reveal(workbench, line) }];
}

function reveal(workbench: Workbench, line: number): void {
  const document = workbench.activeTab()?.document;
  if (document !== undefined) workbench.documents.reveal(document, line);
}
