// What the palette offers for what is typed.

import type { Command } from "../app/commands.ts";
import { shownKeys } from "../app/commands.ts";
import { fileListOf } from "../files/file-list.ts";
import { recentFilesOf } from "../files/recent-files.ts";
import type { Desk } from "../workspace/desk.ts";
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
  desk: Desk,
  text: string,
  sources: { readonly files: readonly Candidate<string>[]; readonly headings: readonly Heading[] },
): PaletteChoice[] {
  const { mode, query } = readQuery(text);
  switch (mode) {
    case "files":
      return fileChoices(desk, query, sources.files);
    case "commands":
      return commandChoices(desk, query);
    case "headings":
      return headingChoices(desk, query, sources.headings);
    case "line":
      return lineChoices(desk, query);
  }
}

/** Paths in the order of an empty query: what was open lately, then all. */
export function fileCandidates(desk: Desk): Candidate<string>[] {
  const listed = fileListOf(desk).paths() ?? [];
  const known = new Set(listed);
  // A document whose file was deleted outside is still open.
  const gone = desk.state.tabs.flatMap(({ path }) => (path === null || known.has(path) ? [] : [path]));
  const paths = [...listed, ...gone];
  const recent = recentFilesOf(desk.state.root).paths();
  return recentFirst(paths, (path) => path, recent).map((path) => candidateOf(path, path));
}

function fileChoices(desk: Desk, query: string, files: readonly Candidate<string>[]): PaletteChoice[] {
  return rank(query, files, maxChoices).map(({ item: path, match }) => ({
    id: path,
    text: path,
    marks: match.ranges,
    nameStart: path.lastIndexOf("/") + 1,
    run: () => {
      const tab = desk.state.tabs.find((open) => open.path === path);
      return tab === undefined ? desk.openFile(path) : desk.activate(tab.tab_id);
    },
  }));
}

function commandChoices(desk: Desk, query: string): PaletteChoice[] {
  const candidates = recentFirst(desk.commands.list(), ({ id }) => id, recentCommands()).map((command) =>
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
    ...(command.keys?.[0] === undefined ? {} : { hint: shownKeys(command.keys[0]) }),
    run: () => {
      rememberCommand(command.id);
      return command.run();
    },
  }));
}

function headingChoices(desk: Desk, query: string, headings: readonly Heading[]): PaletteChoice[] {
  const candidates = headings.map((heading) => candidateOf(heading, heading.title));
  return rank(query, candidates, maxChoices).map(({ item: { title, level, line }, match }) => ({
    id: `heading-${line}`,
    text: title,
    marks: match.ranges,
    hint: `line ${line}`,
    level: query === "" ? level : 1,
    run: () => reveal(desk, line),
  }));
}

function lineChoices(desk: Desk, query: string): PaletteChoice[] {
  const lines = desk.activeTab()?.line_count;
  const line = lines === undefined ? undefined : lineOf(query, lines);
  if (line === undefined) return [];
  return [{ id: "line", text: `Go to line ${line}`, marks: [], run: () => reveal(desk, line) }];
}

function reveal(desk: Desk, line: number): void {
  const document = desk.activeTab()?.document;
  if (document !== undefined) desk.documents.reveal(document, line);
}
