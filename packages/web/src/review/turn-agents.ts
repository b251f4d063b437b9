// Whose changes are open: the agent's own, and those of each agent that it has sent.
//
// Agents of two sessions may have the same name, so a choice is named by both.

import type { OpenTurn } from "@stet/protocol/api/review";
import type { ReviewedFile } from "./panel-rows.ts";

export interface TurnAgent {
  readonly key: string;
  readonly name: string;
  readonly turns: ReadonlySet<string>;
  readonly hunks: number;
}

export const ownAgent = "main";

/** The session's own first, then by name. None where no agent was sent: then there is nothing to choose. */
export function turnAgents(files: readonly ReviewedFile[], turns: readonly OpenTurn[]): TurnAgent[] {
  if (turns.every(({ agent }) => agent === undefined)) return [];
  const byKey = Map.groupBy(turns, keyOf);
  const agents = [...byKey].map(([key, own]): TurnAgent => {
    const names = new Set(own.map(({ turn }) => turn));
    const name = own[0]?.agent ?? "The agent itself";
    return { key, name, turns: names, hunks: hunksOf(files, names) };
  });
  return agents
    .filter(({ hunks }) => hunks > 0)
    .sort(
      (one, other) => Number(other.key === ownAgent) - Number(one.key === ownAgent) || byName(one, other),
    );
}

function keyOf({ agent, session_id: session }: OpenTurn): string {
  return agent === undefined ? ownAgent : `${session}~${agent}`;
}

/** 2-Look before 10-Look. */
function byName(one: TurnAgent, other: TurnAgent): number {
  return one.name.localeCompare(other.name, "en", { numeric: true });
}

function hunksOf(files: readonly ReviewedFile[], turns: ReadonlySet<string>): number {
  const isTheirs = (hunk: ReviewedFile["hunks"][number]) => hunk.turns.some((turn) => turns.has(turn));
  return files.reduce((sum, { hunks }) => sum + hunks.filter(isTheirs).length, 0);
}
