// `agent://`: what a subagent answered, whole or, where it is JSON, a part of it.

import { Fault } from "@stet/protocol/fault";
import { listed, unknownAddress } from "./address-list.ts";
import type { Address } from "./addresses.ts";

export function agentOutput(rest: string, outputs: ReadonlyMap<string, string>): Address | Fault {
  const [place = "", query] = splitOnce(rest, "?");
  const [id = "", path] = splitOnce(place, "/");
  const ids = [...outputs.keys()];
  if (id === "") return { text: ids.length === 0 ? "No subagent has answered yet." : listed("agent", ids) };
  const output = outputs.get(id);
  if (output === undefined) return unknownAddress(`agent://${id}`, "agent", ids);
  const keys = query === undefined ? (path ?? "").split("/").filter((key) => key !== "") : queryKeys(query);
  if (keys === undefined) {
    return new Fault(
      "invalid_arguments",
      `${JSON.stringify(query)} is not a query for a part of agent://${id}.`,
      `Use agent://${id}?q=.key[0].other, or agent://${id}/key/0/other.`,
      { query },
    );
  }
  if (keys.length === 0) return { text: output };
  return extract(id, output, keys);
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** `.key[0]["other key"]` as keys. */
function queryKeys(query: string): string[] | undefined {
  const wanted = new URLSearchParams(query).get("q")?.trim();
  if (wanted === undefined || wanted === "") return undefined;
  const step = /\.?([\p{L}_$][\p{L}\p{N}_$-]*)|\[(\d+)\]|\["([^"]*)"\]|\.(?=\[|$)/uy;
  const keys: string[] = [];
  while (step.lastIndex < wanted.length) {
    const match = step.exec(wanted);
    if (match === null) return undefined;
    const key = match[1] ?? match[2] ?? match[3];
    if (key !== undefined) keys.push(key);
  }
  return keys;
}

function extract(id: string, output: string, keys: readonly string[]): Address | Fault {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    return new Fault(
      "not_readable",
      `agent://${id} is not JSON, so no part of it can be picked out.`,
      `Read agent://${id}, with a range of lines where it is long.`,
      { id },
    );
  }
  for (const [index, key] of keys.entries()) {
    const known = typeof value === "object" && value !== null ? Object.entries(value) : [];
    const entry = known.find(([name]) => name === key);
    if (entry === undefined) {
      const where = [`agent://${id}`, ...keys.slice(0, index)].join("/");
      return unknownAddress(
        `${where}/${key}`,
        where.replace("://", ":"),
        known.map(([name]) => name),
      );
    }
    value = entry[1];
  }
  return { text: typeof value === "string" ? value : JSON.stringify(value, null, 2), isExtract: true };
}
