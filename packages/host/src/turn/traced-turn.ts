// A turn that is also sent as OpenTelemetry spans, to the collector that the environment names.

import { SpanTrace } from "@stet/agent/trace-spans";
import type { Fault } from "@stet/protocol/fault";
import { cancelled } from "../jobs/job-faults.ts";
import type { FinishedTurn, TurnEvent } from "./agent-turn.ts";

type RunningTurn = AsyncGenerator<TurnEvent, FinishedTurn | Fault>;

export async function* tracedTurn(
  turn: RunningTurn,
  environment: NodeJS.ProcessEnv,
  toolset: string,
  /** Whether the process ends with this turn. */
  endsProcess = false,
): RunningTurn {
  const trace = new SpanTrace(toolset);
  try {
    for (;;) {
      const step = await turn.next();
      if (step.done === true) return step.value;
      if (step.value.type !== "review") trace.observe(step.value);
      yield step.value;
    }
  } finally {
    await turn.return(cancelled());
    const sent = trace.send(environment.OTEL_EXPORTER_OTLP_ENDPOINT ?? "");
    // The turn does not wait for the collector, unless the process would end before the spans are sent.
    if (endsProcess) await sent;
  }
}
