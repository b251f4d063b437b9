// The turn of `stet -p`, and those that follow it: with --background wait, what goes on after it is waited for and told. What
// is left then is ended by whoever called, and named here first.

import type { FinishedTurn, TurnEvent } from "@stet/host/turn/agent-turn";
import type { PreparedTurn, TurnHandles } from "@stet/host/turn/prepare-turn";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { ModelFailure } from "@stet/protocol/model-stream";
import type { TurnAgents } from "./turn-agents.ts";

type Running = ReturnType<TurnAgents["running"]>;

export interface RunOptions {
  readonly agents: TurnAgents;
  readonly isWaiting: boolean;
  show(event: TurnEvent): void;
  /** The same turn once more, which may cost so much. */
  again(maxCost: number | null): Promise<PreparedTurn | ModelFailure>;
  /** Something goes on and is ended; `why` it is not waited for, where it was to be. */
  tellEnded(jobs: Running, why: string | undefined): void;
}

/** How the person's own turn ended, whatever followed it. */
export async function runTurns(
  prepared: PreparedTurn,
  handles: TurnHandles,
  options: RunOptions,
): Promise<FinishedTurn | Fault> {
  const { agents, isWaiting } = options;
  if (!isWaiting || agents.company === undefined) return runOnly(prepared.run(handles), options);
  const session = agents.opened();
  if (session === undefined) return runOnly(prepared.run(handles), options);
  const { attachInbox, followUp } = await import("./follow-ups.ts");
  const runOne = async (turn: PreparedTurn, own: Partial<TurnHandles>) => {
    const { inbox, detach } = attachInbox(session);
    try {
      return await carryOut(turn.run({ ...handles, ...own, inbox }), options.show);
    } finally {
      detach();
    }
  };
  const first = await runOne(prepared, {});
  const { finished } = first;
  const { settings } = prepared;
  const mayFollow = !isFault(finished) && ["completed", "stopped"].includes(finished.outcome);
  const why = mayFollow
    ? await followUp(session, {
        limits: settings,
        signal: handles.signal,
        async run(deliveries, maxCost) {
          const next = await options.again(capOf(prepared, maxCost));
          if ("kind" in next) return undefined;
          const turn = await runOne(next, { text: "", images: [], deliveries });
          return isFault(turn.finished) ? undefined : turn.cost;
        },
      })
    : undefined;
  const running = agents.running();
  if (running.length > 0) options.tellEnded(running, why ?? reasonFor(mayFollow, handles.signal));
  return finished;
}

/** A model without a known price cannot keep a limit in money: its turns are counted only. */
function capOf({ model, settings }: PreparedTurn, maxCost: number): number | null {
  if (model.price === undefined) return settings.maxCost;
  return settings.maxCost === null ? maxCost : Math.min(maxCost, settings.maxCost);
}

function reasonFor(mayFollow: boolean, { aborted }: AbortSignal): string {
  if (aborted) return "It was stopped.";
  return mayFollow ? "Timers are not waited for." : "After a turn that failed nothing is waited for.";
}

/** What runs when the model has ended is ended with the turn. */
async function runOnly(
  running: ReturnType<PreparedTurn["run"]>,
  { agents, show, tellEnded }: RunOptions,
): Promise<FinishedTurn | Fault> {
  let left: Running = [];
  const { finished } = await carryOut(running, (event) => {
    if (event.type === "turn_end") left = agents.running();
    show(event);
  });
  if (left.length > 0) tellEnded(left, undefined);
  return finished;
}

async function carryOut(
  running: ReturnType<PreparedTurn["run"]>,
  show: (event: TurnEvent) => void,
): Promise<{ readonly finished: FinishedTurn | Fault; readonly cost: number }> {
  let cost = 0;
  for (;;) {
    const step = await running.next();
    if (step.done === true) return { finished: step.value, cost };
    if (step.value.type === "turn_end") cost = step.value.usage.cost.total;
    show(step.value);
  }
}

/** In text. */
export function endedLine(jobs: Running, why: string | undefined): string {
  const names = jobs.map(({ id, label }) => `${id} (${label})`).join(", ");
  const reason = why ?? "With --background wait such work is waited for.";
  return `Ended, because the turn has: ${names}. ${reason}`;
}
