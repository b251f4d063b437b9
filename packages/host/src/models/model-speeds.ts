// How fast models were here: until an answer begins, and tokens a second from then on, as a moving average over the latest
// answers. A small file of the data folder; what cannot be read or written is forgotten, since it only informs.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { authorOf, wrapModel } from "@stet/model/wrapped-model";
import { isRecord } from "@stet/protocol/json-record";
import type { Model, ModelEvent, ModelRequest } from "@stet/protocol/model-stream";
import { makePrivateFolder, writePrivateFile } from "@stet/storage/private-files";
import { dataFolder } from "@stet/workspace/files/state-folder";

export interface Speed {
  readonly first_token_ms: number;
  readonly tokens_per_second: number;
  readonly answers: number;
}

export interface Speeds {
  of(model: string): Speed | undefined;
}

/** One answer. */
export interface Answered {
  readonly model: string;
  readonly firstTokenMs: number;
  /** From the first piece of the answer to its end. */
  readonly restMs: number;
  readonly tokens: number;
}

const mostModels = 200;
/** An answer that comes at once, or all in one piece, does not tell how fast it was written. */
const leastRestMs = 50;
/** A hundred agents answer many times a second. */
const gatherMs = 1000;
/** The weight of the newest answer, once there are several. */
const newest = 0.3;

export function readSpeeds(environment: NodeJS.ProcessEnv): Speeds {
  const all = new Map(Object.entries(read(pathOf(environment))));
  return { of: (model) => all.get(model) };
}

/** Answers that a file is told of in a moment, by its path. */
const gathered = new Map<string, Answered[]>();

/** The first is kept at once; those that follow within a moment are kept together, at its end. */
export function noteAnswer(environment: NodeJS.ProcessEnv, answer: Answered): void {
  const path = pathOf(environment);
  const waiting = gathered.get(path);
  if (waiting !== undefined) {
    waiting.push(answer);
    return;
  }
  keep(environment, [answer]);
  const following: Answered[] = [];
  gathered.set(path, following);
  setTimeout(() => {
    gathered.delete(path);
    if (following.length > 0) keep(environment, following);
  }, gatherMs).unref();
}

function keep(environment: NodeJS.ProcessEnv, answers: readonly Answered[]): void {
  const path = pathOf(environment);
  const all = new Map(Object.entries(read(path)));
  for (const answer of answers) {
    const next = joined(all.get(answer.model), answer);
    // The newest are the last.
    all.delete(answer.model);
    all.set(answer.model, next);
  }
  try {
    // A command that only asks a model may be the first of all.
    makePrivateFolder(dataFolder(environment));
    writePrivateFile(path, `${JSON.stringify(Object.fromEntries([...all].slice(-mostModels)))}\n`);
  } catch {
    // It only informs.
  }
}

/** The model, whose answers are measured. A reader that is slow does not make it slower: only the wait for events counts. */
export function measured(
  model: Model,
  note: (answer: Answered) => void,
  now = () => performance.now(),
): Model {
  return wrapModel(
    () => model,
    (request, signal) => timed(model, request, signal, note, now),
  );
}

async function* timed(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal | undefined,
  note: (answer: Answered) => void,
  now: () => number,
): AsyncGenerator<ModelEvent, void, undefined> {
  let waited = 0;
  let firstTokenMs: number | undefined;
  let asked = now();
  for await (const event of model.stream(request, signal)) {
    waited += now() - asked;
    if ("delta" in event) firstTokenMs ??= waited;
    if (event.type === "done" && firstTokenMs !== undefined) {
      const restMs = waited - firstTokenMs;
      note({ model: authorOf(event.message), firstTokenMs, restMs, tokens: event.message.usage.output });
    }
    yield event;
    asked = now();
  }
}

function joined(before: Speed | undefined, { firstTokenMs, restMs, tokens }: Answered): Speed {
  const rate = restMs >= leastRestMs ? (tokens * 1000) / restMs : undefined;
  const weight = before === undefined ? 1 : Math.max(newest, 1 / (before.answers + 1));
  const mix = (old: number, value: number) => old + (value - old) * weight;
  const rateBefore = before?.tokens_per_second ?? 0;
  return {
    first_token_ms: Math.round(mix(before?.first_token_ms ?? 0, firstTokenMs)),
    tokens_per_second:
      Math.round((rateBefore === 0 ? (rate ?? 0) : mix(rateBefore, rate ?? rateBefore)) * 10) / 10,
    answers: (before?.answers ?? 0) + 1,
  };
}

function read(path: string): Record<string, Speed> {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isRecord(content)) return {};
    return Object.fromEntries(Object.entries(content).flatMap(([name, value]) => speedIn(name, value)));
  } catch {
    return {};
  }
}

function speedIn(name: string, value: unknown): [string, Speed][] {
  if (!isRecord(value)) return [];
  const { first_token_ms, tokens_per_second, answers } = value;
  const isGood = [first_token_ms, tokens_per_second, answers].every(
    (number) => typeof number === "number" && number >= 0,
  );
  if (!isGood) return [];
  return [
    [
      name,
      {
        first_token_ms: Number(first_token_ms),
        tokens_per_second: Number(tokens_per_second),
        answers: Number(answers),
      },
    ],
  ];
}

function pathOf(environment: NodeJS.ProcessEnv): string {
  return join(dataFolder(environment), "model-speeds.json");
}
