// "@" in the composer: which word is being completed, and which agents and files it may mean.

import type { AgentDefinitionView } from "@stet/protocol/api/agents";

export interface Mention {
  /** Where the "@" stands. */
  readonly from: number;
  readonly to: number;
  readonly word: string;
}

/** The word after an "@" that begins a word, up to the cursor. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
  const match = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, cursor));
  if (match === null) return undefined;
  const word = match[1] ?? "";
  return { from: cursor - word.length - 1, to: cursor, word };
}

/** Agents that can be sent, by the beginning of their names, one that is written out first; all where nothing is typed yet. */
export function matchingAgents<Known extends Pick<AgentDefinitionView, "name" | "problem">>(
  agents: readonly Known[],
  word: string,
  limit: number,
): Known[] {
  const wanted = word.toLowerCase();
  return agents
    .filter(({ name, problem }) => problem === null && name.toLowerCase().startsWith(wanted))
    .sort((one, other) => Number(other.name === word) - Number(one.name === word))
    .slice(0, limit);
}

/** Best first: the name begins with the word, the name holds it, the path holds it, its letters come in this order. */
export function matchingFiles(files: readonly string[], word: string, limit: number): string[] {
  const wanted = word.toLowerCase();
  const groups: string[][] = [[], [], [], []];
  for (const file of files) {
    const rank = rankOf(file.toLowerCase(), wanted);
    if (rank !== undefined) groups[rank]?.push(file);
    if ((groups[0]?.length ?? 0) >= limit) break;
  }
  return groups.flatMap((group) => group.sort((one, other) => one.length - other.length)).slice(0, limit);
}

function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  if (path.includes(wanted)) return 2;
  let at = 0;
  for (const letter of wanted) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) return undefined;
  }
  return 3;
}
