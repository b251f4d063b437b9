// What the conversation in the sidebar has used: read again whenever one of its jobs goes on.

import type { SessionUse } from "@stet/protocol/api/sessions";
import { isFault } from "@stet/protocol/fault";
import { type Accessor, createEffect, createSignal, on } from "solid-js";
import { reloadOn } from "../workspace/reload.ts";
import type { Workbench } from "../workspace/workbench.ts";

export function followUse(workbench: Workbench): Accessor<SessionUse | undefined> {
  const [use, setUse] = createSignal<SessionUse | undefined>();
  const load = async () => {
    const session = workbench.layout.state.session;
    if (session === null) {
      setUse(undefined);
      return;
    }
    const reply = await workbench.client.call("getSession", { params: { session_id: session } });
    if (workbench.layout.state.session === session) setUse(isFault(reply) ? undefined : reply.use);
  };
  createEffect(on(() => workbench.layout.state.session, load));
  reloadOn(workbench, ["job.status"], 400, load, ({ session_id }) => {
    return session_id === workbench.layout.state.session;
  });
  return use;
}

/** As "12% of the context", or "3.1k tokens" where the model's context window is unknown. */
export function contextWords({ context_tokens: tokens, context_window: window }: SessionUse): string {
  if (tokens === 0) return "";
  if (window !== null && window > 0) {
    const percent = Math.round((100 * tokens) / window);
    return `${percent === 0 ? "under 1" : percent}% of the context`;
  }
  return tokens < 1000 ? `${tokens} tokens` : `${(tokens / 1000).toFixed(1)}k tokens`;
}

export function costWords(cost: number): string {
  if (cost === 0) return "";
  return cost < 0.01 ? "under $0.01" : `$${cost.toFixed(2)}`;
}
