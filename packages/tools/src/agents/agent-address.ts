// `agent://`: what agents gave back, and parts of it where that is JSON.
//
//   agent://                 whose outputs there are
//   agent://0-Look           the whole output
//   agent://0-Look.patch     what of its changes is not in the files
//   agent://0-Look/a/0/b     a part, by keys and positions
//   agent://0-Look?q=.a[0].b the same; also ["a.b"] for a key

import { Fault, isFault } from "@stet/protocol/fault";
import { isRecord } from "@stet/protocol/json-record";
import type { Address, Addresses } from "../code/read/addresses.ts";

export interface AgentOutputs {
  /** Where the session keeps them; undefined for one that leaves nothing behind. */
  readonly folder?: string | undefined;
  names(): readonly string[];
  /** Undefined where there is none of this name. */
  read(name: string): string | Fault | undefined;
}

const scheme = "agent";

export function agentAddresses(outputs: AgentOutputs): Addresses {
  return {
    schemes: [scheme],
    async resolve(url) {
      const [, rest] = /^agent:\/\/(.*)$/is.exec(url) ?? [];
      return rest === undefined ? undefined : resolveAgent(rest, outputs);
    },
    isExtract: (url) => /^agent:\/\/[^/?]+(?:\/.|\?q=)/i.test(url),
  };
}

function resolveAgent(rest: string, outputs: AgentOutputs): Address | Fault {
  const [path = "", query] = rest.split("?q=", 2);
  const [name = "", ...keys] = path.split("/").filter((part) => part !== "");
  const names = outputs.names();
  if (name === "") {
    if (names.length === 0) return { text: "No agent has given back anything yet." };
    return { text: names.map((each) => `agent://${each}`).join("\n") };
  }
  if (query !== undefined && keys.length > 0)
    return new Fault(
      "invalid_arguments",
      "Name the part by a path or by q, not by both.",
      "Leave one of them out.",
    );
  const text = outputs.read(decoded(name));
  if (text === undefined) return unknownAgent(name, names);
  if (isFault(text)) return text;
  const steps = query === undefined ? keys.map(decoded) : stepsOf(decoded(query));
  return steps.length === 0 ? { text } : extract(name, text, steps);
}

/** `.a[0].b` and `a.0.b` alike; a key with a dot or a bracket in it stands in quotes, as in `["a.b"]`. */
function stepsOf(query: string): string[] {
  const steps = query.matchAll(/\["([^"]*)"\]|\['([^']*)'\]|[^.[\]]+/g);
  return [...steps].map(([step, inDouble, inSingle]) => inDouble ?? inSingle ?? step);
}

function extract(name: string, text: string, steps: readonly string[]): Address | Fault {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Fault(
      "not_readable",
      `The output of ${name} is not JSON, so there are no parts of it.`,
      `Read agent://${name} as a whole, or by lines.`,
    );
  }
  for (const [index, step] of steps.entries()) {
    const next = childOf(value, step);
    if (next === undefined) {
      return new Fault(
        "no_match",
        `There is no ${steps.slice(0, index + 1).join("/")} in the output of ${name}.`,
        `There is: ${keysOf(value)}.`,
      );
    }
    value = next.value;
  }
  return { text: typeof value === "string" ? value : JSON.stringify(value, null, 2) };
}

function childOf(value: unknown, step: string): { readonly value: unknown } | undefined {
  if (Array.isArray(value)) {
    const at = /^\d+$/.test(step) ? Number(step) : -1;
    return at >= 0 && at < value.length ? { value: value[at] } : undefined;
  }
  return isRecord(value) && Object.hasOwn(value, step) ? { value: value[step] } : undefined;
}

function keysOf(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? "an empty list" : `positions 0 to ${value.length - 1}`;
  if (!isRecord(value)) return `${JSON.stringify(value)}, which has no parts`;
  return Object.keys(value).slice(0, 20).join(", ") || "an empty object";
}

function unknownAgent(name: string, names: readonly string[]): Fault {
  const shown = names.slice(-20).map((each) => `agent://${each}`);
  return new Fault(
    "unknown_address",
    `There is no output of an agent ${JSON.stringify(name)}.`,
    shown.length === 0 ? "No agent has given back anything yet." : `There is: ${shown.join(", ")}.`,
    { address: `agent://${name}` },
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
