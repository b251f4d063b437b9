// How the practice model takes one step at a time without a memory.
//
// A skill is a generator: it yields the call that it wants made and is resumed with what came back. A request holds
// every earlier call and its result, so a skill is run again from its beginning against these records until it asks for
// something that no record answers. That is the next step. Skills must therefore be deterministic.
//
//   a record answers a step    same tool, same arguments, not used by an earlier step
//   an unreadable result       (cut or elided since) makes the model call again, once; then it is an obstacle
//   a result in plain text     is the field `text`; a refusal is JSON all the same
//   no calls are left          every further step meets an obstacle, so that the skill ends with what was done so far

export interface Step {
  /** What the model says to itself before the call; empty where there is nothing new to say. */
  readonly thought: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
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

export type Steps<Value> = Generator<Step, Value, Fields | Obstacle>;

export interface CallRecord {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The text of the result, as the model was given it. */
  readonly text: string;
  readonly isError: boolean;
}

export const noCallsLeft = new Obstacle(
  "no_calls_left",
  "the tool calls of this turn are used up. Say “go on”, and I continue.",
);

/** The skill's answer where its records suffice for one, or where no more calls are allowed. */
export function lastAnswer(skill: Steps<string>, records: readonly CallRecord[]): string {
  let step = nextStep(skill, records);
  while (typeof step !== "string") {
    step = skill.next(noCallsLeft).value;
  }
  return step;
}

/** The next call of a skill, or its answer. */
export function nextStep(skill: Steps<string>, records: readonly CallRecord[]): Step | string {
  const keys = records.map((record) => keyOf(record.tool, record.arguments));
  let cursor = 0;
  let state = skill.next();
  while (!state.done) {
    const { isText = false } = state.value;
    const key = keyOf(state.value.tool, state.value.arguments);
    let index = keys.indexOf(key, cursor);
    if (index < 0) return state.value;
    let outcome = outcomeOf(records[index], isText);
    if (outcome instanceof Obstacle && outcome.code === unreadable) {
      const repeated = keys.indexOf(key, index + 1);
      if (repeated < 0) return state.value;
      index = repeated;
      outcome = outcomeOf(records[index], isText);
    }
    cursor = index + 1;
    state = skill.next(outcome);
  }
  return state.value;
}

export const unreadable = "unreadable_result";

function keyOf(tool: string, values: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(values).sort();
  return JSON.stringify([tool, names.map((name) => [name, values[name]])]);
}

/** What stands in the place of an old result where the context is short of room. */
const elided = /^\[The answer of \S{1,100} \(\d+ characters\) was left out to save space\./;

function outcomeOf(record: CallRecord | undefined, isText: boolean): Fields | Obstacle {
  if (record === undefined) return new Obstacle(unreadable, "The result of a call is missing.");
  // A refusal is JSON; what failed by its own measure, such as a command, is told in its own words.
  if (isText && (!record.isError || firstValue(record.text) === undefined)) {
    return elided.test(record.text)
      ? new Obstacle(unreadable, `The result of ${record.tool} was left out.`)
      : { text: record.text };
  }
  const value = firstValue(record.text);
  if (value === undefined) {
    return record.isError
      ? new Obstacle("tool_failed", `${record.tool} failed: ${record.text.trim().slice(0, 300)}`)
      : new Obstacle(unreadable, `The result of ${record.tool} could not be read.`);
  }
  if (typeof value.error === "string") return faultOf(record.tool, value, value.error);
  if (value.error === true || value.success === false) {
    // A fault without a code that shows the lines as they are now is about lines that changed.
    return faultOf(record.tool, value, value.current === undefined ? "tool_failed" : "stale_anchor");
  }
  return record.isError ? faultOf(record.tool, value, "tool_failed") : value;
}

/** What watches over a turn may add a note below a result, which is one line of JSON. */
function firstValue(text: string): Fields | undefined {
  return parsed(text) ?? parsed(text.split("\n", 1)[0] ?? "");
}

function faultOf(tool: string, value: Fields, code: string): Obstacle {
  const message = typeof value.message === "string" ? value.message : `${tool} refused: ${code}.`;
  return new Obstacle(code, message);
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
