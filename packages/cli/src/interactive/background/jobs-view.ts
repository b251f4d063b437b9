// What runs in the background of a session and what waits to be told, as entries of a list.

import type { Background, BackgroundJob, TimerView, WaitingDelivery } from "@stet/protocol/api/background";
import { deliveryText, deliveryTitle } from "@stet/protocol/delivery-words";
import { elapsed } from "../screen/activity.ts";
import { cleanLine, cleanText, plural } from "../transcript/rows.ts";
import { costText, jobState, timerText } from "./background-words.ts";
import type { Entry } from "./entry-rows.ts";

export type JobEntry =
  | { readonly kind: "waiting"; readonly id: string; readonly delivery: WaitingDelivery }
  | { readonly kind: "job"; readonly id: string; readonly job: BackgroundJob }
  | { readonly kind: "timer"; readonly id: string; readonly timer: TimerView };

/** What waits for the person first, then what runs, then what has ended. Agents have a list of their own. */
export function jobEntries({ jobs, timers, waiting }: Background): JobEntry[] {
  const commands = jobs.filter(({ type }) => type !== "task");
  const job = (one: BackgroundJob): JobEntry => ({ kind: "job", id: one.job_id, job: one });
  return [
    ...waiting.map((one): JobEntry => ({ kind: "waiting", id: one.delivery_id, delivery: one })),
    ...commands.filter(({ status }) => status === "running").map(job),
    ...timers.map((timer): JobEntry => ({ kind: "timer", id: timer.timer_id, timer })),
    ...commands.filter(({ status }) => status !== "running").map(job),
  ];
}

export function entryOf(entry: JobEntry, now: number): Entry {
  if (entry.kind === "waiting") {
    const { delivery } = entry;
    const last = deliveryText(delivery).split("\n").at(-1) ?? "";
    return {
      symbol: "pending",
      colour: "warning",
      depth: 0,
      name: "not told",
      title: cleanLine(deliveryTitle(delivery)),
      facts: `${elapsed(Math.max(0, now - Date.parse(delivery.at)))} ago`,
      // One that was stopped has nothing to say but its name.
      detail: last === delivery.source.label ? "" : cleanLine(last),
      detailColour: "dim",
    };
  }
  if (entry.kind === "timer") {
    const { timer } = entry;
    return {
      symbol: "unchecked",
      colour: "accent",
      depth: 0,
      name: cleanLine(timer.timer_id),
      title: cleanLine(timer.prompt),
      facts: timer.recurring ? "timer" : "timer, once",
      detail: timerText(timer, now),
      detailColour: "dim",
    };
  }
  const { job } = entry;
  const { symbol, colour, word } = jobState(job);
  const who = job.agent === "main" ? "" : ` (${job.agent})`;
  return {
    symbol,
    colour,
    depth: 0,
    name: cleanLine(job.job_id),
    title: cleanLine(`${job.label}${who}`),
    facts: `${word}  ${elapsed(job.duration_ms)}`,
    detail: cleanLine(job.output.trimEnd().split("\n").at(-1) ?? ""),
    detailColour: "toolOutput",
  };
}

/** Everything that is known of one. */
export function wholeText(entry: JobEntry, now: number): string {
  if (entry.kind === "waiting") return `${deliveryTitle(entry.delivery)}\n\n${deliveryText(entry.delivery)}`;
  if (entry.kind === "timer") return `${timerText(entry.timer, now)}\n\n${entry.timer.prompt}`;
  const { output } = entry.job;
  return output.trim() === "" ? "It has printed nothing yet." : output;
}

/** Whether what happens may begin a turn by itself, and why it waits. */
export function autonomyText({ autonomy, waiting }: Background): {
  readonly text: string;
  readonly isHeld: boolean;
} {
  const { mode, turns, cost_usd: cost, held } = autonomy;
  if (mode === "ask") {
    const what =
      waiting.length === 0
        ? "what happens here waits"
        : `${plural(waiting.length, "message")} ${waiting.length === 1 ? "waits" : "wait"}`;
    return {
      text: `autonomy ask: ${what} for your next message. With /settings autonomy allowed it begins turns.`,
      isHeld: false,
    };
  }
  const began = `${plural(turns, "turn")} began by ${turns === 1 ? "itself" : "themselves"} in the last hour, ${costText(cost, true)}`;
  return held === null
    ? { text: `autonomy allowed: ${began}.`, isHeld: false }
    : { text: `autonomy allowed, but held: ${cleanText(held)}`, isHeld: true };
}
