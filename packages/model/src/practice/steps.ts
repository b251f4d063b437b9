// How the practice model takes one step at a time without a memory.
//
// A skill is a generator: it yields a call and is resumed with its result. A request holds every
// earlier call and its result, so a skill is run again from its beginning against these records until it asks for something
// that no record answers. That is the next step. Skills must therefore be deterministic.
//
//   a record answers a step    same tool, same arguments, not used by an earlier step
//   a result in plain text     is the field `text`; a refusal is JSON all the same

import { isRecord } from "@stet/protocol/json-record";

export interface PracticeStep {
  /** What the model says to itself before the call; empty where there is nothing new to say. */
  readonly thought: string;
  readonly tool: string;
  readonly arguments: Fields;
  /** The tool answers in plain text, which may look like JSON and is none. */
  readonly isText?: boolean;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Why something could not be done, as a sentence for the person. */
export class Obstacle {
  readonly code: string;
  readonly sentence: string;

  constructor(code: string, sentence: string) {
    this.code = code;
    this.sentence = sentence;
  }
}

export type Steps<Value> = Generator<PracticeStep, Value, Fields | Obstacle>;

export interface CallRecord {
  readonly tool: string;
  readonly arguments: Fields;
  /** The text of the result, as the model was given it. */
  readonly text: string;
  readonly isError: boolean;
}

export const noCallsLeft = new Obstacle(
  "no_calls_left",
  "The tool calls of this turn are used up. Ask again, and I go on with what is left.",
);

/** The next call of a skill, or its answer. */
export function nextStep(skill: Steps<string>, records: readonly CallRecord[]): PracticeStep | string {
  const keys = records.map((record) => keyOf(record.tool, record.arguments));
  let cursor = 0;
  let state = skill.next();
  while (!state.done) {
    const { tool, arguments: values, isText = false } = state.value;
    const index = keys.indexOf(keyOf(tool, values), cursor);
    const record = records[index];
    if (record === undefined) return state.value;
    cursor = index + 1;
    state = skill.next(outcomeOf(record, isText));
  }
  return state.value;
}

function keyOf(tool: string, values: Fields): string {
  return JSON.stringify([tool, Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1))]);
}

/** A result that was cut to fit, so that it is no JSON. */
export const unreadable = "unreadable_result";

function outcomeOf({ tool, text, isError }: CallRecord, isText: boolean): Fields | Obstacle {
  // What watches over a turn may add a note below a result, which is one line of JSON.
  const value = parsed(text) ?? parsed(text.split("\n", 1)[0] ?? "");
  // A refusal is JSON; a failure by the tool's own measure, such as a command's, is plain text.
  if (isText && (!isError || value === undefined)) return { text };
  if (value === undefined) {
    const sentence = isError
      ? `${tool} failed: ${text.trim().slice(0, 300)}`
      : `${tool} told too much at once.`;
    return new Obstacle(isError ? "tool_failed" : unreadable, sentence);
  }
  const isRefusal = isError || value.error === true || value.success === false;
  if (typeof value.error !== "string" && !isRefusal) return value;
  // A fault without a code that shows the lines as they are now is about lines that changed.
  const unnamed = value.current === undefined ? "tool_failed" : "stale_anchor";
  const code = typeof value.error === "string" ? value.error : unnamed;
  return new Obstacle(code, typeof value.message === "string" ? value.message : `${tool} refused: ${code}.`);
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
