// Kills a server at random moments while eight agents and four commands are at work in it; see the testkit's agents-crash.ts for
// what must hold after each kill.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentsCrash, endingAgents } from "@stet/testkit/agents-crash";
import { uniqueName } from "@stet/testkit/living-processes";
import type { Random } from "@stet/testkit/random";

export interface CrashedAgents {
  /** Agents that had ended before their process was killed. */
  readonly ended: number;
  /** Commands that were running when their process was killed. */
  readonly commands: number;
  /** What did not hold; the first kill that leaves something so is the last. */
  readonly problems: readonly string[];
}

/** After so many milliseconds it is killed in any case. */
const longest = 60_000;

export async function crashAgents(
  kills: number,
  random: Random,
  show: (text: string) => void,
): Promise<CrashedAgents> {
  const folder = mkdtempSync(join(tmpdir(), "stet-crash-agents-"));
  const crash = await AgentsCrash.open({ folder, name: uniqueName(), slowness: () => random.below(300) });
  let [ended, commands] = [0, 0];
  let problems: readonly string[] = [];
  try {
    for (let kill = 1; kill <= kills && problems.length === 0; kill += 1) {
      // As many agents have ended by then, and a little more has happened.
      const [wanted, more] = [random.below(endingAgents + 1), random.below(400)];
      const end = performance.now() + longest;
      let since: number | undefined;
      const round = await crash.round((agents) => {
        const now = performance.now();
        if (agents.filter(({ status }) => status === "completed").length >= wanted) since ??= now;
        return now >= end || (since !== undefined && now >= since + more);
      });
      ended += round.ended;
      commands += round.commands;
      problems = round.problems;
      show(
        `killed ${kill} of ${kills} with agents at work; ${ended} had ended, ${commands} commands were running`,
      );
    }
  } finally {
    await crash.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  return { ended, commands, problems };
}
