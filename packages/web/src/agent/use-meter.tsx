// How full the model's context is, and what the conversation has cost.

import type { SessionUse } from "@stet/protocol/api/sessions";
import { Show } from "solid-js";
import type { Agent } from "./agent.ts";
import { cacheWords, shownCost, useWords } from "./use-words.ts";

export function UseMeter(props: { readonly agent: Agent }) {
  const use = () => props.agent.state.use;
  const words = (known: SessionUse) =>
    [useWords(known), cacheWords(props.agent.state.lastJob?.usage)].filter((text) => text !== "").join(" ");
  const part = () => {
    const { context_tokens = 0, context_window = null } = use() ?? {};
    return context_window === null ? 0 : Math.min(1, context_tokens / context_window);
  };
  return (
    <Show when={use()}>
      {(known) => (
        <span class="use-meter chip aside" title={words(known())}>
          <span class="unseen">{words(known())}</span>
          <span class="use-bar" classList={{ full: part() > 0.8 }} aria-hidden="true">
            <span style={{ width: `${Math.max(part() * 100, part() > 0 ? 4 : 0)}%` }} />
          </span>
          <Show when={known().cost_usd > 0}>
            <span aria-hidden="true">{shownCost(known().cost_usd)}</span>
          </Show>
        </span>
      )}
    </Show>
  );
}
