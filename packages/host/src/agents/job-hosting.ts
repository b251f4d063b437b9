// Agents of a host: each is a job of its own, with an event log, messages and questions, like every other one.

import type { EventData } from "@stet/protocol/events/log-event";
import type { JobRunner } from "../jobs/job-runner.ts";
import type { ChildAgent } from "./child-agent.ts";
import type { ChildHosting } from "./sender.ts";

export class JobHosting implements ChildHosting {
  readonly #runner: () => JobRunner;
  /** Agents at work, by their jobs. */
  readonly #working = new Map<string, ChildAgent>();

  constructor(runner: () => JobRunner) {
    this.#runner = runner;
  }

  carryOut: ChildHosting["carryOut"] = async (child, request, run) => {
    let leave = () => {};
    try {
      return await this.#runner().adopt(
        request,
        (job, hands) => {
          leave = this.follow(job.id, child);
          return run(hands);
        },
        child.stop,
      );
    } finally {
      leave();
    }
  };

  /** The job is the agent's from now on: what it asks, the agent asks. Returns what ends that. */
  follow(job: string, child: ChildAgent): () => void {
    child.jobId = job;
    this.#working.set(job, child);
    return () => this.#working.delete(job);
  }

  noteQuestion(job: string, question: EventData<"clarification.requested"> | null): void {
    this.#working.get(job)?.ask(question);
  }
}
