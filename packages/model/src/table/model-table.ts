// The generated table of prices, context windows and abilities (`npm run model-table`), read when something is looked up.
//
//   looked up by: the exact name, else the longest name in the table that ends where a dash follows, but no version
//   (`gpt-5.2` is no kind of `gpt-5` nor `claude-opus-4-5` of `claude-opus-4`, and `claude-opus-4-5-20251101` is
//   `claude-opus-4-5`); then the same without what a cloud or a gateway puts in
//   front or behind (`us.anthropic.claude-…-v1:0`, `claude-…@20251101`, `models/gemini-…`).
//
// A price counts only in its provider's own list, or in the list that its cloud charges by.

import { readFileSync } from "node:fs";
import { isRecord } from "@stet/protocol/json-record";

export type TablePrices = readonly number[];

export interface TableEntry {
  /** In tokens; undefined where no list has it. */
  readonly contextWindow?: number;
  readonly maxOutput?: number;
  /** Input, output, reading and writing the cache, for a million tokens. */
  readonly prices?: TablePrices;
  /** The length of a prompt above which the other prices hold, and these. */
  readonly long?: TablePrices;
  /** Of these undefined is unknown. */
  readonly tools?: boolean;
  readonly images?: boolean;
  readonly thinking?: boolean;
}

interface Table {
  readonly date: string;
  /** By provider, then by name. */
  readonly prices: Lists;
  readonly limits: Lists;
  readonly examples: ReadonlyMap<string, readonly string[]>;
}

/** A provider's rows by name, made when it is first looked up. */
type Lists = (provider: string) => Rows;

type Rows = ReadonlyMap<string, readonly unknown[]>;

/** In whose lists a provider's models are looked up, in this order. */
const listsOf: Readonly<Record<string, readonly string[]>> = {
  openai: ["openai"],
  "openai-chat": ["openai"],
  anthropic: ["anthropic"],
  google: ["google"],
  azure: ["azure", "openai", "anthropic", "deepseek", "xai"],
  bedrock: ["bedrock"],
  vertex: ["vertex", "anthropic", "google"],
  openrouter: ["openrouter"],
  groq: ["groq"],
  mistral: ["mistral"],
  deepseek: ["deepseek"],
  xai: ["xai"],
};

const otherNames: Readonly<Record<string, string>> = {
  "azure-chat": "azure",
  "amazon-bedrock": "bedrock",
  "google-vertex": "vertex",
  "x-ai": "xai",
};

let loaded: Table | undefined;

/** What the table has of a model of this provider; undefined where it has nothing. */
export function tableEntry(provider: string, model: string): TableEntry | undefined {
  const lists = listsOf[otherNames[provider] ?? provider];
  if (lists === undefined) return undefined;
  const table = load();
  const priced = findIn(table.prices, lists, model);
  const limited = findIn(table.limits, lists, model);
  if (priced === undefined && limited === undefined) return undefined;
  const [, pricedWindow, prices, long] = priced?.row ?? [];
  const [, limitedWindow, output, abilities] = limited?.row ?? [];
  const windows = limited?.isExact ? [limitedWindow, pricedWindow] : [pricedWindow, limitedWindow];
  const contextWindow = windows.find(isCount);
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(isCount(output) && { maxOutput: output }),
    ...(isNumbers(prices) && { prices }),
    ...(isNumbers(long) && { long }),
    ...(typeof abilities === "string" && {
      tools: abilities.includes("t"),
      images: abilities.includes("i"),
      thinking: abilities.includes("r"),
    }),
  };
}

/** Names to show where a provider does not list its models. */
export function tableExamples(provider: string): readonly string[] {
  const [list = provider] = listsOf[otherNames[provider] ?? provider] ?? [];
  return load().examples.get(list) ?? [];
}

/** Of the prices. */
export function tableDate(): string {
  return load().date;
}

interface Found {
  readonly row: readonly unknown[];
  readonly isExact: boolean;
}

function findIn(tables: Lists, lists: readonly string[], model: string): Found | undefined {
  for (const list of lists) {
    const rows = tables(list);
    for (const name of rows.size === 0 ? [] : spellings(model)) {
      const row = rows.get(name);
      if (row !== undefined) return { row, isExact: name === model };
      const shorter = longestStart(rows, name);
      if (shorter !== undefined) return { row: shorter, isExact: false };
    }
  }
  return undefined;
}

function longestStart(rows: Rows, name: string): readonly unknown[] | undefined {
  for (const beginning of beginningsOf(name)) {
    const row = rows.get(beginning);
    if (row !== undefined) return row;
  }
  return undefined;
}

/** What the name is a kind of, the longest first: its beginnings up to a dash, unless another part of a version follows. */
export function beginningsOf(name: string): string[] {
  const beginnings: string[] = [];
  for (let end = name.lastIndexOf("-"); end > 0; end = name.lastIndexOf("-", end - 1)) {
    if (!/^[1-9]\d?(?:[-@:]|$)/.test(name.slice(end + 1))) beginnings.push(name.slice(0, end));
  }
  return beginnings;
}

/** A cloud names a model with its region and vendor in front, and a version or a date behind. */
function spellings(model: string): string[] {
  const plain = model.replace(/^(?:models|publishers\/\w+\/models)\//, "");
  const dated = plain.replace("@", "-").replace(/-v\d+:\d+(?::\w+)?$/, "");
  const names = [plain, dated];
  const withoutRegion = dated.replace(/^(?:us-gov|us|eu|apac|ap|au|jp|ca|sa|me|af|global)\./, "");
  names.push(withoutRegion, `regional.${withoutRegion}`, withoutRegion.replace(/^[a-z0-9]+\.(?=[a-z])/, ""));
  return [...new Set(names)];
}

function load(): Table {
  loaded ??= read();
  return loaded;
}

function read(): Table {
  const content: unknown = JSON.parse(readFileSync(new URL("model-table.json", import.meta.url), "utf8"));
  const { sources, prices, limits, examples } = isRecord(content) ? content : {};
  const priced = isRecord(sources) ? sources["@pydantic/genai-prices"] : undefined;
  return {
    date: isRecord(priced) ? String(priced.date) : "",
    prices: byName(prices),
    limits: byName(limits),
    examples: new Map(
      Object.entries(isRecord(examples) ? examples : {}).map(([name, names]) => [
        name,
        Array.isArray(names) ? names.map(String) : [],
      ]),
    ),
  };
}

function byName(lists: unknown): Lists {
  const made = new Map<string, Rows>();
  return (provider) => {
    const known = made.get(provider);
    if (known !== undefined) return known;
    const names = new Map<string, readonly unknown[]>();
    const rows = isRecord(lists) ? lists[provider] : undefined;
    for (const row of Array.isArray(rows) ? rows : []) {
      if (!Array.isArray(row) || typeof row[0] !== "string") continue;
      for (const name of row[0].split(" ")) names.set(name, row);
    }
    made.set(provider, names);
    return names;
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => typeof one === "number");
}
