// A command that is watched: each line that it prints is told to the agent between turns.

import { type AgentBackground, asyncDisabled } from "@stet/agent/background/background";
import type { JobOutcome } from "@stet/agent/background/jobs";
import { defineTool, type ToolContext, type ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { CommandEnd } from "@stet/workspace/commands/command";
import type { RunningCommand } from "@stet/workspace/commands/commands";
import { quoted } from "@stet/workspace/commands/shell/shell-script";
import * as z from "zod";
import { cut } from "../../call-words.ts";
import type { CommandPermit } from "../../permission/permission-rule.ts";
import { prompt } from "../../prompt.ts";
import { type BashContext, type BashTool, mayWrite } from "../bash/bash-context.ts";
import { commandTarget } from "../bash/command-target.ts";
import { MonitorLines } from "./monitor-lines.ts";

const schema = z.object({
  command: z
    .string()
    .min(1)
    .refine((text) => text.trim() !== "", "The command is empty")
    .describe("For bash; each line that it prints is told"),
  kind: z.enum(["log", "poll", "watch", "other"]).describe("What it is"),
  description: z.string().trim().min(1).describe("What it watches, in a few words"),
  timeout: z
    .number()
    .positive()
    .optional()
    .describe("Seconds, 1 to 3600; without it, as long as the session"),
  persistent: z.boolean().optional().describe("Goes on after its first line"),
});

type Input = z.infer<typeof schema>;

const progressTail = { bytes: 4096, lines: 20 };

export const monitor: BashTool = (context) => {
  const permits = new WeakMap<ToolContext, CommandPermit>();
  return defineTool({
    name: "monitor",
    description: prompt(import.meta.url, "monitor"),
    traits: ["runs", "volatile"],
    words: ({ description, command }) => `Watch: ${cut(description ?? command)}`,
    schema,
    async authorise(input, call) {
      if (!context.background.isAsync) return asyncDisabled("the monitor tool is");
      const target = commandTarget(context, input);
      if (isFault(target)) return target;
      const permit = await context.permitCommand(call, target);
      if (isFault(permit)) return permit;
      permits.set(call, permit);
      return undefined;
    },
    async execute(input, call) {
      const permit = permits.get(call);
      if (permit === undefined) throw new Error("monitor was executed without having been authorised");
      const refusal = context.background.jobs.refusal();
      if (refusal !== undefined) return refusal;
      const { result } = await context.aroundCommand(mayWrite(permit), () => start(context, input, permit));
      return told(result, input);
    },
  });
};

async function start(context: BashContext, input: Input, permit: CommandPermit): Promise<string> {
  const { background, commands } = context;
  const { description, persistent = false } = input;
  const end = `stet-monitor-${crypto.randomUUID()}`;
  const controller = new AbortController();
  let id: string | undefined;
  // Lines may come before the job has its name.
  const early: string[] = [];
  let hasTold = false;
  const tell = (line: string) => {
    if (hasTold && !persistent) return;
    if (id === undefined) {
      early.push(line);
      return;
    }
    hasTold = true;
    background.monitorLine(id, description, line);
    if (persistent) return;
    seenWithItsEnd(background, id);
    controller.abort();
  };
  const lines = new MonitorLines(end, tell);
  const running = commands.start({
    command: watched(input.command, end),
    timeoutSeconds: input.timeout,
    isSandboxed: permit.isSandboxed,
    isReadOnly: permit.isReadOnly,
    network: permit.network,
    hasOwnShell: true,
    signal: controller.signal,
    onOutput: (chunk) => lines.add(chunk),
  });
  id = becomeJob(context, running, { description, controller, lines, hasTold: () => hasTold && !persistent });
  for (const line of early) tell(line);
  return id;
}

/** The line says everything: that the monitor has ended with it, too, is not told. */
function seenWithItsEnd({ jobs, watch, acknowledge }: AgentBackground, id: string): void {
  const unwatch = watch([id]);
  void jobs.firstToEnd([id]).then(() => {
    acknowledge([id]);
    unwatch();
  });
}

/** What it writes to its standard error comes at its end, behind the end mark. */
function watched(command: string, end: string): string {
  return [
    "stet_errors=$(mktemp)",
    // In a shell of its own, so that its end is not the end of this one; read there, so that a command that is none fails alone.
    `( eval ${quoted(command)} ) 2>"$stet_errors"`,
    "stet_code=$?",
    `printf '%s\\n' '${end}'`,
    'tail -c 4096 "$stet_errors"; rm -f "$stet_errors"; (exit $stet_code)',
  ].join("\n");
}

interface Watch {
  readonly description: string;
  readonly controller: AbortController;
  readonly lines: MonitorLines;
  /** Whether it was to tell one line, and has. */
  readonly hasTold: () => boolean;
}

function becomeJob({ background }: BashContext, running: RunningCommand, watch: Watch): string {
  running.leave();
  const { description, controller, lines } = watch;
  const ended = running.ended.then((end) => outcomeOf(end, lines, watch.hasTold()));
  const output = () => running.lastLines(progressTail);
  const work = { started: running.started, ended, output, controller };
  return background.jobs.add({ type: "monitor", label: description }, work).id;
}

function outcomeOf(end: CommandEnd | Fault, lines: MonitorLines, hasTold: boolean): JobOutcome {
  if (isFault(end)) return { isFailed: true, text: `${end.message} ${end.suggestion}` };
  if (hasTold) return { isFailed: false, text: "It has told its first line, and was ended." };
  if (end.timedOut) return { isFailed: false, text: `Its ${end.timeoutSeconds} seconds are over.` };
  if (end.cancelled) return { isFailed: true, text: "It was ended." };
  const { errors } = lines;
  const why = errors === "" ? "" : ` It wrote to its standard error:\n${errors}`;
  return { isFailed: end.exitCode !== 0, text: `It ended with code ${end.exitCode ?? "unknown"}.${why}` };
}

function told(taskId: string, { kind, description, command, persistent = false }: Input): ToolOutcome {
  return {
    content: `Monitor started · task ${taskId} · persistent: ${persistent}`,
    details: { taskId, kind, description, command, persistent },
  };
}
