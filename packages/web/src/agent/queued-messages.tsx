// What was said while the agent works, and it has not heard yet.

import ClockIcon from "lucide-solid/icons/clock";
import XIcon from "lucide-solid/icons/x";
import SteerIcon from "lucide-solid/icons/zap";
import { For, Show } from "solid-js";
import { IconButton } from "../ui/button.tsx";
import type { Agent } from "./agent.ts";
import { takeBack } from "./speaking.ts";

export function QueuedMessages(props: { readonly agent: Agent }) {
  return (
    <Show when={props.agent.state.queued.length > 0}>
      <ul class="queued unlisted column" aria-label="Messages that wait">
        <For each={props.agent.state.queued}>
          {(message) => (
            <li class="queued-message soft card row">
              <Show when={message.mode === "steer"} fallback={<ClockIcon size={13} aria-hidden="true" />}>
                <SteerIcon size={13} aria-hidden="true" />
              </Show>
              <span class="queued-text ellipsis grow" title={message.text}>
                <span class="unseen">{message.mode === "steer" ? "Soon: " : "Afterwards: "}</span>
                {message.text}
              </span>
              <IconButton
                icon={XIcon}
                size={13}
                class="context-button"
                label={`Take back: ${message.text.slice(0, 60)}`}
                title="Take back"
                onPress={() => takeBack(props.agent, message.id)}
              />
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
