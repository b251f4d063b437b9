// `stet jobs`: what runs in the background of the sessions of this folder, and ending it. It runs in the process that serves
// the folder, or has it open in a terminal: where there is none, nothing runs.
//
//   stet jobs              commands, monitors, agents and timers, by session
//   stet jobs stop ID …    ends them; an agent with all that it has sent. --all ends everything

import type { Client } from "@stet/client/client";
import type { BackgroundJob, TimerView } from "@stet/protocol/api/background";
import { Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { seconds } from "../render-text.ts";
import type { Terminal } from "../terminal.ts";
import { usage, withRunningServer } from "../with-folder.ts";

/** What runs in one session. */
interface Busy {
  readonly session_id: string;
  readonly title: string;
  readonly jobs: readonly BackgroundJob[];
  readonly timers: readonly TimerView[];
}

export async function jobs(
  { values, positionals }: WordsOf<"jobs">,
  context: CommandContext,
): Promise<number> {
  const { terminal } = context;
  const [verb = "list", ...ids] = positionals;
  const isStop = verb === "stop";
  if (isStop && ids.length === 0 && !values.all)
    return usage(context, "Say what to stop: stet jobs stop ID …, or --all. See stet jobs for the ids.");
  const act = async (server: Client): Promise<number | Fault> => {
    const found = await busyIn(server, values.session);
    if (isFault(found)) return found;
    return isStop
      ? stop(server, found, values.all ? undefined : ids, terminal)
      : list(found, values.json, terminal);
  };
  return withRunningServer(context, act, async () => {
    if (isStop && !values.all) return notRunning(ids);
    return list([], values.json, terminal);
  });
}

/** With agents that somebody waits for, which are no jobs. */
async function busyIn(server: Client, wanted: string | undefined): Promise<readonly Busy[] | Fault> {
  const all = await server.call("listAllBackground");
  if (isFault(all)) return all;
  const found: Busy[] = [];
  for (const session of all.sessions) {
    if (wanted !== undefined && !session.session_id.startsWith(wanted)) continue;
    const agents = await server.call("listAgents", { params: { session_id: session.session_id } });
    if (isFault(agents)) return agents;
    const known = new Set(session.jobs.map(({ job_id }) => job_id));
    const waitedFor = agents.agents.flatMap((agent): BackgroundJob[] => {
      const { agent_id: id, status, parent, step } = agent;
      if (known.has(id) || (status !== "running" && status !== "pending")) return [];
      const label = `${agent.agent}: ${agent.description}`;
      const { duration_ms } = agent;
      return [
        { job_id: id, type: "task", agent: parent, status: "running", label, duration_ms, output: step },
      ];
    });
    found.push({ ...session, jobs: [...session.jobs, ...waitedFor] });
  }
  return found;
}

function list(found: readonly Busy[], isJson: boolean, terminal: Terminal): number {
  if (isJson) terminal.json(found);
  else if (found.length === 0) terminal.out("Nothing runs in the background.\n");
  for (const { session_id, title, jobs, timers } of isJson ? [] : found) {
    terminal.out(`${terminal.style("bold", session_id.slice(0, 8))}  ${visibleName(title)}\n`);
    for (const job of jobs) terminal.out(`    ${jobLine(job, terminal)}\n`);
    for (const timer of timers) terminal.out(`    ${timerLine(timer, terminal)}\n`);
  }
  return exitCode.done;
}

const kinds = { bash: "command", monitor: "monitor", task: "agent" } as const;

function jobLine(
  { job_id, type, agent, label, duration_ms, output }: BackgroundJob,
  { style }: Terminal,
): string {
  const whose = agent === "main" ? "" : ` of ${agent}`;
  const last = output.trimEnd().split("\n").at(-1) ?? "";
  const now = last === "" ? "" : style("dim", `  ${visibleName(last.slice(0, 80))}`);
  return `${style("bold", visibleName(job_id))}  ${kinds[type]}${visibleName(whose)}, ${seconds(duration_ms)}: ${visibleName(label)}${now}`;
}

function timerLine({ timer_id, human, next_at, prompt }: TimerView, { style }: Terminal): string {
  const next = new Date(next_at).toLocaleString();
  return `${style("bold", timer_id)}  timer, ${human}, next ${next}: ${visibleName(prompt.slice(0, 80))}`;
}

/** `ids` undefined: everything. */
async function stop(
  server: Client,
  found: readonly Busy[],
  ids: readonly string[] | undefined,
  terminal: Terminal,
): Promise<number | Fault> {
  const targets = ids === undefined ? found.map((busy) => ({ busy, ids: undefined })) : targetsOf(found, ids);
  if (isFault(targets)) return targets;
  const stopped: string[] = [];
  for (const { busy, ids: named } of targets) {
    const params = { session_id: busy.session_id };
    const all = [...busy.jobs.map(({ job_id }) => job_id), ...busy.timers.map(({ timer_id }) => timer_id)];
    const reply = await server.call("cancelBackground", {
      params,
      body: named === undefined ? {} : { ids: named },
    });
    if (isFault(reply)) return reply;
    stopped.push(...(named === undefined ? all : reply.cancelled));
  }
  terminal.out(
    stopped.length === 0 ? "Nothing runs in the background.\n" : `Stopped ${stopped.join(", ")}.\n`,
  );
  return exitCode.done;
}

interface StopTarget {
  readonly busy: Busy;
  readonly ids: string[];
}

/** Every session counts its jobs for itself, so an id may be there more than once. */
function targetsOf(found: readonly Busy[], ids: readonly string[]): readonly StopTarget[] | Fault {
  const targets = new Map<Busy, string[]>();
  for (const id of ids) {
    const [busy, ...others] = found.filter(({ jobs, timers }) => {
      return jobs.some(({ job_id }) => job_id === id) || timers.some(({ timer_id }) => timer_id === id);
    });
    if (busy === undefined) return notRunning([id]);
    if (others.length > 0) {
      const sessions = [busy, ...others].map(({ session_id }) => session_id.slice(0, 8)).join(", ");
      return new Fault(
        "invalid_arguments",
        `${id} runs in several sessions: ${sessions}. Nothing was stopped.`,
        `Name one of them: stet jobs stop ${id} --session ID`,
      );
    }
    targets.set(busy, [...(targets.get(busy) ?? []), id]);
  }
  return [...targets].map(([busy, named]) => ({ busy, ids: named }));
}

function notRunning(ids: readonly string[]): Fault {
  return new Fault(
    "unknown_job",
    `Nothing runs under ${ids.join(", ")}. Nothing was stopped.`,
    "See stet jobs for what runs.",
  );
}
