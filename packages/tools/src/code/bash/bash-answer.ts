// What a model is told of a command that has ended: its output, then what else there is to know, in brackets.

import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { KeepArtifact } from "@stet/agent/bound-output";
import type { TextContent } from "@stet/protocol/message";
import type { CommandEnd } from "@stet/workspace/commands/command";
import {
  maxSpilledBytes,
  type OutputSummary,
  removeSpill,
  tailOf,
} from "@stet/workspace/commands/command-output";
import type { Effect } from "./bash-context.ts";

/** For people and their programs. */
export interface BashDetails {
  readonly exitCode: number | undefined;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  /** Where the shell is now: from the root, or absolute where that is elsewhere. */
  readonly cwd: string;
  readonly durationMs: number;
  readonly truncated: boolean;
  /** Where the whole output is kept. */
  readonly artifact: string | undefined;
  readonly jobId: string | undefined;
  readonly isSandboxed: boolean;
  readonly changed: readonly string[];
  readonly lost: readonly string[];
}

export interface AnswerContext {
  readonly root: string;
  /** Where the shell was before: absolute. */
  readonly folderBefore: string;
  readonly keepArtifact: KeepArtifact | undefined;
  readonly effect: Effect;
  readonly hadTerminal: boolean;
  /** What else there is to know of where it ran. */
  readonly notes?: readonly string[];
}

// Room for the notes below what an answer may have at most.
const shown = { bytes: 47 * 1024, lines: 2950 };
const maxNamed = 20;

export function bashAnswer(
  end: CommandEnd,
  context: AnswerContext,
): { content: TextContent[]; details: BashDetails } {
  const { output } = end;
  const text = tailOf(output.text, shown);
  const isCut = output.isTruncated || text.length < output.text.length;
  const artifact = isCut ? keepWhole(output, context.keepArtifact) : undefined;
  const notes = [
    ...(isCut ? [cutNote(output, text, artifact)] : []),
    ...endNotes(end, context),
    ...hints(end, output.text),
    ...folderNotes(end, context),
    ...putBackNotes(end, context),
    ...(context.notes ?? []),
  ].map((note) => `[${note}]`);
  const body = text === "" ? "(no output)" : text.replace(/\n$/, "");
  removeSpill(output.spill);
  return {
    content: [
      { type: "text", text: body },
      ...notes.map((text) => ({ type: "text", text, isNote: true }) as const),
      ...effectLines(context.effect).map((text) => ({ type: "text", text }) as const),
    ],
    details: {
      exitCode: end.exitCode,
      timedOut: end.timedOut,
      cancelled: end.cancelled,
      cwd: fromRoot(context.root, end.folder),
      durationMs: end.durationMs,
      truncated: isCut,
      artifact,
      jobId: undefined,
      isSandboxed: end.isSandboxed,
      changed: context.effect.changed,
      lost: context.effect.lost,
    },
  };
}

/** A folder from the root; absolute where it is not in it. */
export function fromRoot(root: string, folder: string): string {
  const inside = relative(root, folder);
  if (inside === "") return ".";
  return inside === ".." || inside.startsWith("../") ? folder : inside;
}

function keepWhole({ spill, text }: OutputSummary, keep: KeepArtifact | undefined): string | undefined {
  if (keep === undefined) return undefined;
  try {
    return keep(spill === undefined ? text : readFileSync(spill.path, "utf8"));
  } catch {
    // The end of it is told all the same.
    return undefined;
  }
}

function cutNote(output: OutputSummary, text: string, artifact: string | undefined): string {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  const size = `Shown: the last ${lines} of ${output.totalLines} lines, ${output.totalBytes} bytes in all.`;
  if (artifact === undefined) return `${size} The rest was not kept; write it to a file to see it.`;
  const isWhole = output.spill?.isComplete !== false;
  const what = isWhole ? "The whole output is" : `The first ${maxSpilledBytes / 1024 ** 2} MB of it are`;
  return `${size} ${what} at ${artifact}; read it in parts.`;
}

function endNotes(end: CommandEnd, { hadTerminal }: AnswerContext): string[] {
  const notes: string[] = [];
  if (end.timedOut) {
    const input = hadTerminal
      ? "If it waited for a key: nobody can type."
      : "If it waited for input: nobody can type; pass input by a pipe or use options such as -y, or pty if it needs a terminal.";
    notes.push(
      `Stopped after ${end.timeoutSeconds} s, with all its processes. Give a longer timeout (at most 3600), or async: true. ${input}`,
    );
  } else if (end.cancelled) {
    notes.push("Stopped before its end, with all its processes.");
  } else if (end.exitCode !== 0) {
    notes.push(`Command exited with code ${end.exitCode ?? "unknown"}`);
  }
  if (end.shellEnded) {
    notes.push(
      "The shell ended with it: variables and functions are gone, the next command gets a fresh shell.",
    );
  }
  return notes;
}

const networkFailure =
  /could not resolve|name resolution|name or service not known|network is unreachable|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|connection refused|failed to connect|dial tcp|failed to establish a new connection|unable to access 'http|no route to host/i;

const readOnlyFailure = /read-only file system|EROFS|device or resource busy/i;

function hints(end: CommandEnd, output: string): string[] {
  const { isSandboxed, wasReadOnly, network, exitCode } = end;
  if (!isSandboxed || exitCode === 0) return [];
  const hint: string[] = [];
  if (!network && networkFailure.test(output)) {
    hint.push("sandboxed: network is off. If the command needs it, call bash again with network: true");
  }
  if (wasReadOnly && readOnlyFailure.test(output)) {
    hint.push(
      "sandboxed: this looked like a command that only reads, so it could not write in the workspace or /tmp. If it has to, call bash again with writes: true; the person may be asked",
    );
  } else if (readOnlyFailure.test(output)) {
    hint.push(
      "sandboxed: only the workspace and /tmp can be written, and there not .stet, nor git's config and hooks. Ask the person to do what needs more",
    );
  }
  return hint;
}

function folderNotes(end: CommandEnd, { root, folderBefore }: AnswerContext): string[] {
  if (end.folderWasGone) {
    return [`The folder ${fromRoot(root, folderBefore)} is gone; this ran in the workspace's folder`];
  }
  return end.folder === folderBefore ? [] : [`cwd: ${fromRoot(root, end.folder)}`];
}

function putBackNotes({ putBack, setAside }: CommandEnd, { root }: AnswerContext): string[] {
  const paths = putBack.map((path) => fromRoot(root, path)).join(", ");
  const notes = paths === "" ? [] : [`Put back, because a command must not change it: ${paths}`];
  for (const { path, kept, reason } of setAside) {
    const now = kept === undefined ? "it could not be moved" : `it is now ${fromRoot(root, kept)}`;
    notes.push(
      `${fromRoot(root, path)} would make git run a program outside the sandbox (${reason}), so it was set aside: ${now}. Leave that out, or ask the person to set it`,
    );
  }
  return notes;
}

/** A line for what is part of the review, and one for what cannot be taken back; none where nothing changed. */
export function effectLines({ changed, lost }: Effect): string[] {
  return [
    ...(changed.length === 0 ? [] : [`Changed on disk: ${named(changed)}`]),
    ...(lost.length === 0
      ? []
      : [`Cannot be undone, what was there before is too large to be kept: ${named(lost)}`]),
  ];
}

function named(things: readonly string[]): string {
  const more = things.length > maxNamed ? ` and ${things.length - maxNamed} more` : "";
  return `${things.slice(0, maxNamed).join(", ")}${more}`;
}
