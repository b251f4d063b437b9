// Why a job failed or could not be had, in sentences.

import { Fault } from "@stet/protocol/fault";

export function cancelled(): Fault {
  return new Fault("aborted", "The job was cancelled; nothing of it remains.", "Run it again to start over.");
}

export function closed(): Fault {
  return new Fault(
    "aborted",
    "Stet was closed while the job was running; nothing of it remains.",
    "Run it again.",
  );
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

export function brokeOff(error: unknown): Fault {
  const reason = error instanceof Error ? error.message : String(error);
  return new Fault("tool_failed", `The job broke off: ${reason}`, "Run it again.");
}

export function modelFailed(reason = "The model failed and gave no reason."): Fault {
  return new Fault("model_failed", reason, "See to what the message says, and run it again.");
}

export function tooManyJobs(limit: number): Fault {
  return new Fault(
    "too_many_jobs",
    `${limit} jobs are waiting already.`,
    "Wait for some of them to end, or cancel some.",
    { limit },
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
