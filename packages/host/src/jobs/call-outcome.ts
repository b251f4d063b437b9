// What a call came to, for people: why it failed, what an edit did, how a command ended, the list of tasks. Events tell it when
// the call is done, and sessions later, in the same words.

import type { CallOutcome } from "@stet/protocol/api/sessions";

/** Of what an edit did and what a command printed, as much as a front end shows at once. */
const maxDiff = 16_384;
const maxOutput = 4096;
const outputLines = 10;
const maxReason = 500;
const maxTasks = 200;

export interface EndedCall {
  readonly details?: unknown;
  /** What the model was told. */
  readonly content: string;
  /** What a command printed, where that is more than the model was told. */
  readonly output?: string | undefined;
  readonly isError: boolean;
}

export function callOutcome({ details, content, output, isError }: EndedCall): CallOutcome {
  return {
    ...(isError ? { reason: reasonOf(details, content) } : {}),
    ...diffIn(details),
    ...commandIn(details, output ?? content),
    ...(isError ? {} : todoIn(details)),
  };
}

/** As a person reads it: its fault's message, or the first line of what the tool said, which may be a heading. */
function reasonOf(details: unknown, content: string): string {
  const message = fieldOf(details, "message");
  const [first = ""] = content.split("\n", 1);
  return (typeof message === "string" ? message : first.replace(/^#+ /, "")).slice(0, maxReason);
}

/** What an edit did, where its tool tells it. */
function diffIn(details: unknown): Pick<CallOutcome, "diff"> {
  const files = fieldOf(details, "perFileResults");
  const diffs = (Array.isArray(files) ? files : [details]).map((file) => fieldOf(file, "diff"));
  const diff = diffs.filter((each) => typeof each === "string").join("");
  return diff === "" ? {} : { diff: diff.slice(0, maxDiff).toWellFormed() };
}

/** How a command ended, and the end of what it printed. */
function commandIn(details: unknown, output: string): Pick<CallOutcome, "command"> {
  if (typeof details !== "object" || details === null || !("exitCode" in details)) return {};
  const { exitCode } = details;
  const lines = output.split("\n");
  return {
    command: {
      exit_code: typeof exitCode === "number" ? exitCode : null,
      timed_out: fieldOf(details, "timedOut") === true,
      output: lines.slice(-outputLines).join("\n").slice(-maxOutput).toWellFormed(),
      hidden_lines: Math.max(0, lines.length - outputLines),
    },
  };
}

const statuses = ["pending", "in_progress", "completed", "abandoned"] as const;

/** The list of tasks as it is after the call, where its tool keeps one. */
function todoIn(details: unknown): Pick<CallOutcome, "todo"> {
  const phases = fieldOf(details, "phases");
  if (!Array.isArray(phases)) return {};
  let left = maxTasks;
  return {
    todo: phases.flatMap((phase) => {
      const tasks = fieldOf(phase, "tasks");
      if (!Array.isArray(tasks)) return [];
      const shown = tasks.slice(0, left).map((task) => ({
        content: String(fieldOf(task, "content")).slice(0, maxReason),
        status: statuses.find((status) => status === fieldOf(task, "status")) ?? "pending",
      }));
      left -= shown.length;
      return { name: String(fieldOf(phase, "name")).slice(0, maxReason), tasks: shown };
    }),
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
