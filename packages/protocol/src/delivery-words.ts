// Why something is said in a conversation that nobody typed, as people read it. The text of a delivery is written for a model,
// between tags; what stands between them is what happened.

import type { DeliverySource } from "./api/background.ts";

export interface SaidDelivery {
  readonly source: DeliverySource;
  readonly text: string;
}

/** In a line: `Command ended: npm test (exit 0)`. */
export function deliveryTitle({ source, text }: SaidDelivery): string {
  const { label } = source;
  switch (source.kind) {
    case "job": {
      const how = jobEnd(text);
      if (source.type === "task") return `Agent ${source.id}${how.isPlain ? "" : ` (${how.word})`}: ${label}`;
      const what = source.type === "bash" ? "Command" : "Monitor";
      return `${what} ${how.isStopped ? "was stopped" : "ended"}: ${label}${how.code === "" ? "" : ` (${how.code})`}`;
    }
    case "monitor": {
      const lines = deliveryText({ source, text }).split("\n");
      const more = lines.length > 1 ? ` (${lines.length} lines)` : "";
      return `Monitor: ${label}: ${lines.at(-1) ?? ""}${more}`;
    }
    case "timer":
      return `Timer: ${label}`;
    case "note":
      return deliveryText({ source, text }).split("\n")[0] ?? label;
    case "agent":
      return `Agent ${source.id} says: ${deliveryText({ source, text }).split("\n")[0] ?? ""}`;
  }
}

/** All of it, without the tags. */
export function deliveryText({ source, text }: SaidDelivery): string {
  if (source.kind === "note") return text.trim();
  return text
    .split("\n")
    .map((line) => line.replace(tags, ""))
    .join("\n")
    .trim();
}

/** Those that the host writes, at the beginning and the end of a line. */
const tags =
  /^<(?:job-result|task-notification|timer|irc)\b[^>]*>|<\/(?:job-result|task-notification|timer|irc)>$/g;

interface JobEnd {
  /** Completed, failed or cancelled. */
  readonly word: string;
  readonly isPlain: boolean;
  readonly isStopped: boolean;
  /** `exit 1`; empty where it is not known. */
  readonly code: string;
}

function jobEnd(text: string): JobEnd {
  const word = /^<job-result [^>]*status="(\w+)"/.exec(text)?.[1] ?? "ended";
  const exit = /(?:exited|It ended) with code (\d+)/.exec(text)?.[1];
  const isStopped = word === "cancelled";
  const code = isStopped ? "" : word === "completed" ? "exit 0" : exit === undefined ? word : `exit ${exit}`;
  return { word, isPlain: word === "completed", isStopped, code };
}
