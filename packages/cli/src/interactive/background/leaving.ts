// Leaving the terminal, or the session that it shows, while something goes on in the background.
//
//   the host is in this process ──▶ it would end: the person is asked
//   the host is in another one ──▶ it goes on there, and that is said

import type { Api } from "@stet/client/direct";
import { isFault } from "@stet/protocol/fault";
import type { Dialogs } from "../app.ts";
import { isNothing, type Work, workOf, workText } from "./background-words.ts";
import type { SessionBackground } from "./session-background.ts";

/** Of every session of the host: whoever leaves a process ends all of them. */
/** `alone`: agents that are known to work although no job is theirs, because the person asked them again. */
export async function workOfHost(api: Api<"listAllBackground">, alone = 0): Promise<Work> {
  const reply = await api.call("listAllBackground", {});
  const sessions = isFault(reply) ? [] : reply.sessions;
  const jobs = sessions.flatMap((one) => one.jobs);
  const agents = jobs.filter(({ type }) => type === "task");
  const timers = sessions.flatMap((one) => one.timers);
  return { ...workOf(agents, jobs, timers), agents: Math.max(agents.length, alone) };
}

export async function mayEnd(work: Work, dialogs: Dialogs): Promise<boolean> {
  if (isNothing(work)) return true;
  const answer = await dialogs.choose({
    title: `${workText(work)} would end with this terminal. What agents have changed until now stays in the review.`,
    choices: [
      { value: false, label: "Stay" },
      { value: true, label: "End it and leave" },
    ],
    hint: "Enter chooses, Esc stays",
  });
  return answer === true;
}

/** What is said after leaving; undefined where nothing goes on. */
export function leftRunning(work: Work): string | undefined {
  if (isNothing(work)) return undefined;
  return `${workText(work)} ${verbOf(work)} on in the process that has this folder open: stet jobs lists it.`;
}

/** Said when another session, or another branch of this one, takes the place of what is open; undefined where nothing goes on. */
export function goesOn(background: SessionBackground, isSame: boolean): string | undefined {
  const { working, background: rest } = background;
  const work = workOf(working, rest.jobs, rest.timers);
  if (isNothing(work)) return undefined;
  return isSame
    ? `${workText(work)} ${verbOf(work)} on in this session, whichever way it takes: /jobs and /agents.`
    : `${workText(work)} ${verbOf(work)} on in the session before: /resume leads back to it.`;
}

function verbOf({ agents, commands, monitors, timers }: Work): "goes" | "go" {
  return agents + commands + monitors + timers === 1 ? "goes" : "go";
}
