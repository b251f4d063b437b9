// What an agent gave back, from how its turn ended.

import { type Fault, isFault } from "@stet/protocol/fault";
import { isRecord } from "@stet/protocol/json-record";
import type { ChildRequest, ChildResult, Finding } from "@stet/tools/agents/delegation";
import type { FinishedTurn } from "../turn/agent-turn.ts";
import type { ChildAgent } from "./child-agent.ts";
import type { Leftover } from "./child-changes.ts";

const maxOutputBytes = 500_000;
const maxOutputLines = 5000;
const maxSummary = 200;

export interface ChildEnd {
  readonly finished: FinishedTurn | Fault;
  readonly changed: readonly string[];
  readonly turn: string | undefined;
  readonly leftover: Leftover;
  /** What else there is to know of its folder. */
  readonly notes: readonly string[];
  /** Why it was stopped, where it was. */
  readonly stopped: string | undefined;
}

interface Judged {
  readonly status: ChildResult["status"];
  readonly output: string;
  readonly problem: string;
}

const notYielded = "SYSTEM WARNING: Subagent exited without calling yield tool after 3 reminders.";

/** The whole output, and the result with as much of it as is told. */
export function childResult(
  child: ChildAgent,
  request: ChildRequest,
  end: ChildEnd,
): { readonly result: ChildResult; readonly whole: string } {
  const { status, output: whole, problem } = judge(child, end);
  const output = bounded(whole);
  const { agent, description, assignment } = request;
  const result: ChildResult = {
    id: child.place.id,
    agent: agent.name,
    agentSource: agent.source,
    description,
    assignment,
    status,
    exitCode: status === "completed" ? 0 : 1,
    output,
    stderr: [problem, ...end.notes].filter((text) => text !== "").join("\n"),
    ...(status === "aborted" ? { abortReason: end.stopped ?? "It was stopped." } : {}),
    truncated: output.length < whole.length,
    durationMs: child.durationMs,
    usage: child.usage,
    turn: end.turn,
    changed: end.changed,
    conflicts: end.leftover.conflicts,
    findings: child.assignment.findings,
  };
  return { result, whole };
}

function judge({ assignment, lastText, failure }: ChildAgent, { finished, stopped }: ChildEnd): Judged {
  const { yielded, schema, findings } = assignment;
  if (yielded !== undefined && "result" in yielded)
    return { status: "completed", output: outputOf(yielded.result, findings), problem: "" };
  const output = outputOf(lastText, findings);
  if (yielded !== undefined) return { status: "failed", output, problem: `It gave up: ${yielded.error}` };
  if (isFault(finished)) {
    const problem = `${finished.message} ${finished.suggestion}`;
    return { status: finished.error === "aborted" ? "aborted" : "failed", output, problem };
  }
  if (finished.outcome === "aborted" || stopped !== undefined)
    return { status: "aborted", output, problem: stopped ?? "It was stopped." };
  const { stop } = finished;
  if (finished.outcome === "failed")
    return { status: "failed", output, problem: failure ?? "Its model failed." };
  const why = stop === undefined ? notYielded : `${stop.message} It had given back nothing by then.`;
  const isUseless = schema !== undefined || lastText === "";
  return { status: isUseless ? "failed" : "completed", output, problem: why };
}

/** With what it found: whoever sent it gets its output and nothing else. JSON stays JSON. */
function outputOf(result: unknown, findings: readonly Finding[]): string {
  if (typeof result === "string")
    return [result, ...findings.map(findingText)].filter((text) => text !== "").join("\n\n");
  if (findings.length === 0) return JSON.stringify(result, null, 2);
  const whole = isRecord(result) && !("findings" in result) ? { ...result, findings } : { result, findings };
  return JSON.stringify(whole, null, 2);
}

function findingText({
  title,
  body,
  priority,
  confidence,
  file_path,
  line_start,
  line_end,
}: Finding): string {
  const lines = line_end === line_start ? line_start : `${line_start}-${line_end}`;
  return `${priority} ${file_path}:${lines} (confidence ${confidence}): ${title}\n${body}`;
}

function bounded(text: string): string {
  const lines = text.split("\n");
  const fewer = lines.length > maxOutputLines ? lines.slice(0, maxOutputLines).join("\n") : text;
  if (Buffer.byteLength(fewer) <= maxOutputBytes) return fewer;
  return Buffer.from(fewer)
    .subarray(0, maxOutputBytes)
    .toString("utf8")
    .replace(/\ufffd+$/, "");
}

/** For the list of agents. */
export function summaryOf({ output, stderr, status }: ChildResult): string {
  const text = status === "completed" && output.trim() !== "" ? output : stderr || output;
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxSummary ? line : `${line.slice(0, maxSummary - 1)}…`;
}
