// Why a job failed or could not be had, in sentences.

import { Fault } from "@stet/protocol/fault";
import type { ModelFailure } from "@stet/protocol/model-stream";

/** `turn` is the one that something of the job stays in, because it was on disk already. */
export function cancelled(turn?: string): Fault {
  return new Fault(
    "aborted",
    `The job was cancelled; ${remains(turn)}.`,
    "Run it again to start over.",
    leftIn(turn),
  );
}

export function closed(turn?: string): Fault {
  const message = `Stet was closed while the job was running; ${remains(turn)}.`;
  return new Fault("aborted", message, "Run it again.", leftIn(turn));
}

function remains(turn: string | undefined): string {
  return turn === undefined ? "nothing of it remains" : "what it did until then is kept for review";
}

function leftIn(turn: string | undefined): { readonly turn?: string } {
  return turn === undefined ? {} : { turn };
}

/** A limit was reached, and the model had no chance to answer with what it had. */
export function stopped(message: string): Fault {
  return new Fault("limit_reached", message, "Send another message to go on, or raise the limit.");
}

export function interrupted(calls: number): Fault {
  const done = calls === 1 ? "1 tool call" : `${calls} tool calls`;
  return new Fault(
    "aborted",
    `Stet ended while this job was running, after ${done}. None of its changes remain.`,
    "Run it again.",
    { tool_calls: calls },
  );
}

/** Every process that took it up was lost. What each of them had done by then is unknown. */
export function lostTooOften(losses: number): Fault {
  return new Fault(
    "aborted",
    `${losses} processes ended while they worked on this job. None of its changes remain.`,
    "Look into why they end, then run it again.",
    { losses },
  );
}

export function brokeOff(error: unknown): Fault {
  const reason = error instanceof Error ? error.message : String(error);
  return new Fault("tool_failed", `The job broke off: ${reason}`, "Run it again.");
}

const unknownFailure: ModelFailure = { kind: "unknown", message: "The model failed and gave no reason." };

/** The message has what to do in it; the details lead a front end to the place where it is done. */
export function modelFailed({ message, mend }: ModelFailure = unknownFailure, turn?: string): Fault {
  const kept = turn === undefined ? "" : "What it did until then is kept for review. ";
  return new Fault("model_failed", message, `${kept}Mend what the message names, then try again.`, {
    ...leftIn(turn),
    ...mend,
  });
}

export function tooManyJobs(limit: number): Fault {
  return new Fault(
    "too_many_jobs",
    `${limit} jobs are waiting already.`,
    "Wait for some of them to end, or cancel some.",
    // How long they take is unknown; a caller that backs off a little does not crowd out the others.
    { limit, retry_after_seconds: 5 },
  );
}

export function unknownQuestion(asked: string, open: string | undefined): Fault {
  return new Fault(
    "unknown_question",
    open === undefined
      ? "This job waits for no answer."
      : `The question ${asked} is not the one that is open.`,
    "Look at the job for its open question.",
    { question_id: asked, open_question_id: open ?? null },
  );
}
