// What Ollama tells of its models: `/api/tags` lists them, `/api/show` describes one, `/api/ps` says what is loaded.
//
// The window is the most that a conversation may be given, of what holds first:
//   the size in the Modelfile (`num_ctx`), or what is loaded where that is more;
//   what is loaded, where that is more than careful;
//   a careful size: 32,768 tokens, or fewer where the model takes fewer, or where the machine's memory would not hold the
//   weights and the context. At least 8,192: less does not hold the tools and a file.

import { totalmem } from "node:os";
import { isRecord, type JsonRecord } from "@stet/protocol/json-record";
import { type ModelFacts, unknownLocalLimits } from "../table/model-limits.ts";
import { isOllamaCloud } from "./cloud-name.ts";

/** Gets a path of the server, or posts to it; undefined where there is no answer. */
export type AskOllama = (path: string, body?: unknown) => Promise<unknown>;

export interface OllamaFacts extends ModelFacts {
  readonly name: string;
}

const leastWindow = 8192;
const atOnce = 8;
const maxDescribed = 200;
const keptDescriptions = 500;
/** By digest: what a model is does not change. */
const descriptions = new Map<string, Promise<unknown>>();

/** All models, each with its facts; undefined where no list came. */
export async function ollamaModels(
  ask: AskOllama,
  isOwnMachine: boolean,
): Promise<OllamaFacts[] | undefined> {
  const [tags, running] = await Promise.all([ask("/api/tags"), ask("/api/ps")]);
  const listed = modelsIn(tags);
  if (listed === undefined) return undefined;
  const found: OllamaFacts[] = listed.map(({ name }) => ({ name }));
  let next = 0;
  const describe = async () => {
    for (let place = next++; place < Math.min(listed.length, maxDescribed); place = next++) {
      const model = listed[place];
      const details = model && (await described(ask, model.name, model.digest));
      if (model === undefined || !isRecord(details)) continue;
      found[place] = {
        name: model.name,
        ...factsIn(details, model.name, loadedSize(running, model.name), memory(isOwnMachine, model.size)),
      };
    }
  };
  await Promise.all(Array.from({ length: atOnce }, describe));
  return found;
}

export async function ollamaFacts(
  ask: AskOllama,
  name: string,
  isOwnMachine: boolean,
): Promise<ModelFacts | undefined> {
  const [details, running, tags] = await Promise.all([
    ask("/api/show", { model: name }),
    ask("/api/ps"),
    isOwnMachine ? ask("/api/tags") : undefined,
  ]);
  if (!isRecord(details)) return undefined;
  const size = modelsIn(tags)?.find((model) => model.name === fullName(name))?.size;
  return factsIn(details, name, loadedSize(running, name), memory(isOwnMachine, size));
}

/** The size that a model is loaded with, from the answer of `/api/ps`. */
export function loadedSize(running: unknown, name: string): number | undefined {
  const models = isRecord(running) && Array.isArray(running.models) ? running.models : [];
  const loaded = models.find((model) => isRecord(model) && model.name === fullName(name));
  return positive(isRecord(loaded) ? loaded.context_length : undefined);
}

export interface Memory {
  readonly total: number;
  /** Of the model's weights. */
  readonly weights: number;
}

/** The largest careful size for a model with these facts (`model_info`); undefined where nothing is known of it. */
export function carefulWindow(info: JsonRecord, memory: Memory | undefined): number | undefined {
  const trained = positive(infoOf(info, "context_length"));
  if (trained === undefined) return undefined;
  const most = Math.min(trained, unknownLocalLimits.contextWindow);
  const perToken = cacheBytesPerToken(info);
  if (memory === undefined || perToken === undefined) return most;
  // The rest is for the system and for what else is open.
  const free = memory.total * 0.7 - memory.weights;
  for (let window = most; window > leastWindow; window = Math.floor(window / 2))
    if (window * perToken <= free) return window;
  return Math.min(most, leastWindow);
}

/** Keys and values of every layer, in 16 bits. */
function cacheBytesPerToken(info: JsonRecord): number | undefined {
  const layers = positive(infoOf(info, "block_count"));
  const heads = positive(infoOf(info, "attention.head_count"));
  const width = positive(infoOf(info, "embedding_length"));
  const shared = infoOf(info, "attention.head_count_kv");
  if (layers === undefined || heads === undefined || width === undefined) return undefined;
  // A list has the heads of each layer.
  const all = Array.isArray(shared)
    ? shared.reduce<number>((sum, count) => sum + (positive(count) ?? 0), 0)
    : layers * (positive(shared) ?? heads);
  const key = positive(infoOf(info, "attention.key_length")) ?? width / heads;
  const value = positive(infoOf(info, "attention.value_length")) ?? width / heads;
  return all * (key + value) * 2;
}

function factsIn(
  details: JsonRecord,
  name: string,
  loaded: number | undefined,
  memory: Memory | undefined,
): ModelFacts {
  const configured = positive(Number(/^num_ctx\s+(\d+)/m.exec(String(details.parameters ?? ""))?.[1]));
  const info = isRecord(details.model_info) ? details.model_info : {};
  // The cloud gives every model all that it takes.
  const all = isOllamaCloud(name) ? positive(infoOf(info, "context_length")) : undefined;
  const most = configured ?? all ?? carefulWindow(info, memory);
  const contextWindow =
    loaded === undefined || most === undefined ? (loaded ?? most) : Math.max(loaded, most);
  const { capabilities } = details;
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(Array.isArray(capabilities) && {
      tools: capabilities.includes("tools"),
      images: capabilities.includes("vision"),
      thinking: capabilities.includes("thinking"),
    }),
  };
}

function described(ask: AskOllama, name: string, digest: string): Promise<unknown> {
  const key = `${digest} ${name}`;
  const known = digest === "" ? undefined : descriptions.get(key);
  if (known !== undefined) return known;
  const details = ask("/api/show", { model: name });
  descriptions.set(key, details);
  // One that did not answer is asked again the next time.
  void details.then((answer) => {
    if (answer === undefined) descriptions.delete(key);
  });
  const [oldest] = descriptions.keys();
  if (descriptions.size > keptDescriptions && oldest !== undefined) descriptions.delete(oldest);
  return details;
}

function memory(isOwnMachine: boolean, weights: number | undefined): Memory | undefined {
  return isOwnMachine && weights !== undefined ? { total: totalmem(), weights } : undefined;
}

interface Listed {
  readonly name: string;
  readonly digest: string;
  readonly size: number | undefined;
}

function modelsIn(tags: unknown): Listed[] | undefined {
  if (!isRecord(tags) || !Array.isArray(tags.models)) return undefined;
  return tags.models.flatMap((model) => {
    if (!isRecord(model) || typeof model.name !== "string" || model.name === "") return [];
    const digest = typeof model.digest === "string" ? model.digest : "";
    return [{ name: model.name, digest, size: positive(model.size) }];
  });
}

/** `llama.context_length`, `qwen3.context_length`: by its end. */
function infoOf(info: JsonRecord, end: string): unknown {
  return Object.entries(info).find(([key]) => key.endsWith(`.${end}`))?.[1];
}

function fullName(name: string): string {
  return name.includes(":") ? name : `${name}:latest`;
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
