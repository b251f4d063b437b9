// For browser tests: turns of the agent, made through the API.

import { isFault } from "@stet/protocol/fault";
import type { BrowserFixture } from "./browser.ts";

export interface AgentAskOptions {
  readonly toolset?: "project" | "tabs";
  /** Goes on with a conversation; a new one unless given. */
  readonly session?: string;
}

/** Asks the agent for something, waits until it waits for the person, and returns the session. */
export async function askAgent(
  fixture: BrowserFixture,
  request: string,
  options: AgentAskOptions = {},
): Promise<string> {
  const { client } = fixture.served;
  const { toolset = "project", session } = options;
  const made = session === undefined ? await client.call("createSession", { body: {} }) : undefined;
  if (isFault(made)) throw new Error(made.message);
  const session_id = session ?? made?.session_id ?? "";
  const job = await client.call("run", {
    body: { session_id, instruction: request, toolset, tool_config: { max_tool_calls: 100 } },
  });
  if (isFault(job)) throw new Error(job.message);
  for (let tries = 0; tries < 1000; tries += 1) {
    const { status } = await jobOf(fixture, job.job_id);
    if (["awaiting_review", "completed"].includes(status)) return session_id;
    if (status === "failed") throw new Error("the job failed");
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("the job did not end");
}

async function jobOf({ served }: BrowserFixture, job_id: string) {
  const job = await served.client.call("getJob", { params: { job_id } });
  if (isFault(job)) throw new Error(job.message);
  return job;
}
