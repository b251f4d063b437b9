// Above an agent's own conversation: the way back, what it is, what it does, and how to stop it.

import { agentPath, isAtWork } from "@stet/client/agents";
import BackIcon from "lucide-solid/icons/arrow-left";
import { createEffect, For, Show } from "solid-js";
import { BareButton, Button, IconButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { AgentIcon, AgentTime } from "./agent-rows.tsx";
import { watchClock } from "./clock.ts";
import { sessionWorkOf } from "./session-work.ts";
import { statusWords, stepWords, useOfAgent } from "./work-words.ts";
import "./agents.css";

/** Without those above it, which stand before it: of 0-A.1-B, 1-B. */
function ownName(id: string): string {
  return id.slice(id.lastIndexOf(".") + 1);
}

export function AgentCrumbs(props: { readonly id: string }) {
  const work = sessionWorkOf(useWorkbench());
  const above = () => agentPath(props.id).slice(0, -1);
  const agent = () => work.known(props.id);
  createEffect(() => {
    if (agent()?.status === "running") watchClock();
  });
  const openAgent = (id: string) => {
    const known = work.known(id);
    if (known !== undefined) work.open(known);
  };
  return (
    <>
      <header class="panel-head agent-head">
        <IconButton icon={BackIcon} label="Back to the conversation" onPress={() => work.openRoot()} />
        <nav class="agents-crumbs grow" aria-label="Whose conversation this is">
          <ol class="unlisted row">
            <li class="agents-crumb">
              <BareButton class="agents-crumb-link hovers ellipsis" onPress={() => work.openRoot()}>
                {work.title() || "Conversation"}
              </BareButton>
            </li>
            <For each={above()}>
              {(id) => (
                <li class="agents-crumb">
                  <BareButton class="agents-crumb-link hovers ellipsis" onPress={() => openAgent(id)}>
                    {ownName(id)}
                  </BareButton>
                </li>
              )}
            </For>
            <li class="agents-crumb here" aria-current="page">
              <h2 class="ellipsis" title={props.id}>
                {ownName(props.id)}
              </h2>
            </li>
          </ol>
        </nav>
      </header>
      <Show when={agent()}>
        {(known) => (
          <div class="agents-shown divided bar">
            <AgentIcon agent={known()} />
            <div class="agents-words column grow">
              <p class="agents-shown-about">{known().description}</p>
              <p class="agents-line quiet">
                {known().agent}, {statusWords[known().status]}
                <Show when={stepWords(known())}>{(words) => <>: {words()}</>}</Show>
              </p>
              <p class="agents-line bar quiet">
                <AgentTime agent={known()} />
                <span class="agents-use">{useOfAgent(known())}</span>
                <span class="ellipsis" title={known().model}>
                  {known().model}
                </span>
              </p>
            </div>
            <Show when={isAtWork(known())}>
              <Button small onPress={() => work.stop([props.id])}>
                Stop
              </Button>
            </Show>
          </div>
        )}
      </Show>
    </>
  );
}
