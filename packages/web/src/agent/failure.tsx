// Why a turn failed, and what can be done about it from here: the field of the model's connection that is wrong, room in the
// context, or the same again.

import type { Item, ModelMend } from "@stet/client/items";
import FailedIcon from "lucide-solid/icons/triangle-alert";
import { createSignal, Match, Show, Switch } from "solid-js";
import { mendWords } from "../models/fault-field.ts";
import { openMend } from "../models/model-dialog-state.ts";
import { titleOf } from "../models/model-words.ts";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { agentOf } from "./agent.ts";
import { request } from "./speaking.ts";
import { stoppedWords } from "./turn-words.ts";

export function Failure(props: { readonly item: Extract<Item, { kind: "error" }> }) {
  const workbench = useWorkbench();
  const agent = agentOf(workbench);
  return (
    <div class="chat-error bar" classList={{ stopped: props.item.isStopped }}>
      <FailedIcon size={16} aria-hidden="true" />
      <div class="chat-error-words grow">
        <p>{props.item.isStopped ? stoppedWords(props.item.isKept) : props.item.message}</p>
        <Show when={!props.item.isStopped}>
          <p class="faint">{props.item.suggestion}</p>
        </Show>
        <div class="chat-error-ways cluster">
          <Show when={props.item.mend}>{(mend) => <Mend mend={mend()} />}</Show>
          <Show when={props.item.instruction !== ""}>
            <Button
              small
              disabled={agent.state.job !== null}
              onPress={() => request(agent, props.item.instruction)}
            >
              Try again
            </Button>
          </Show>
        </div>
      </div>
    </div>
  );
}

function Mend(props: { readonly mend: ModelMend }) {
  const workbench = useWorkbench();
  const agent = agentOf(workbench);
  const [isSumming, setSumming] = createSignal(false);
  const title = () => {
    const known = workbench.state.models?.providers.find(({ name }) => name === props.mend.provider);
    return known === undefined ? props.mend.provider : titleOf(known);
  };
  const sumUp = async () => {
    const { session } = agent.state;
    if (session === null || isSumming()) return;
    setSumming(true);
    const reply = await workbench.ask("compactSession", { params: { session_id: session }, body: {} });
    setSumming(false);
    if (reply === undefined) return;
    await agent.refresh();
    workbench.notices.tell({ text: "The older part of the conversation was summed up.", tone: "good" });
  };
  return (
    <Switch
      fallback={
        <Button small class="primary" onPress={() => openMend(props.mend.provider, props.mend.field)}>
          {mendWords(props.mend.field, title())}
        </Button>
      }
    >
      <Match when={props.mend.field === "context"}>
        <Button small class="primary" aria-disabled={isSumming()} onPress={sumUp}>
          {isSumming() ? "Summing up …" : "Sum up the older part"}
        </Button>
        <Button small onPress={() => workbench.commands.run("agent.new")}>
          Start a new conversation
        </Button>
      </Match>
    </Switch>
  );
}
