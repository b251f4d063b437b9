// One call of a tool: what it does, how it went, and on request everything about it.

import { agentOfSession } from "@stet/client/agents";
import { isCommand, type ToolItem } from "@stet/client/items";
import CheckIcon from "lucide-solid/icons/check";
import ChevronIcon from "lucide-solid/icons/chevron-right";
import LoaderIcon from "lucide-solid/icons/loader-circle";
import MinusIcon from "lucide-solid/icons/minus";
import FailedIcon from "lucide-solid/icons/triangle-alert";
import { createUniqueId, For, Match, Show, Switch } from "solid-js";
import { sessionWorkOf } from "../agents/session-work.ts";
import { plural } from "../status/word-count.ts";
import { BareButton, Button } from "../ui/button.tsx";
import { useWorkbench, type Workbench } from "../workspace/workbench.ts";
import { agentOf } from "./agent.ts";
import { isOpened, toggleOpened } from "./opened.ts";
import { stopAgent } from "./speaking.ts";
import { shownDuration } from "./turn-words.ts";

const states = { running: "running", ok: "done", failed: "failed", stopped: "stopped" } as const;

export function ToolCard(props: { readonly item: ToolItem }) {
  const workbench = useWorkbench();
  const id = createUniqueId();
  const key = () => `tool:${props.item.callId}`;
  const isRunning = () => props.item.status === "running";
  /** Of the tab that the call names, which tells equal calls apart. */
  const title = () => {
    const { arguments: given } = props.item;
    if (typeof given !== "object" || given === null || !("tab_id" in given)) return undefined;
    return workbench.state.tabs.find(({ tab_id }) => tab_id === given.tab_id)?.title;
  };
  /** One that the session's own agent waits for: those of agents that were sent end with them. */
  const mayGoOn = () =>
    isCommand(props.item) && agentOfSession(agentOf(workbench).state.session) === undefined;
  /** What would be done is read before it is allowed: whoever comes to the question late has not seen it being written. */
  const isAskedUnseen = () => isRunning() && props.item.preview === "" && isAsked(workbench, props.item);
  const isOpen = () => isOpened(key(), isAskedUnseen());
  const stays = () => isRunning() && (props.item.progress !== "" || props.item.subagents > 0 || mayGoOn());
  return (
    <div class={`chat-tool ${props.item.status}`}>
      <BareButton
        class="chat-tool-head ring-inside hovers stretched soft bar"
        aria-expanded={isOpen()}
        aria-controls={id}
        onPress={() => toggleOpened(key(), isAskedUnseen())}
      >
        <span class="chat-tool-state" aria-hidden="true">
          <Switch fallback={<MinusIcon size={14} />}>
            <Match when={isRunning()}>
              <LoaderIcon size={14} class="chat-spin" />
            </Match>
            <Match when={props.item.status === "ok"}>
              <CheckIcon size={14} />
            </Match>
            <Match when={props.item.status === "failed"}>
              <FailedIcon size={14} />
            </Match>
          </Switch>
        </span>
        <span class="chat-tool-words ellipsis grow">
          {props.item.words}
          <Show when={title()}>
            <span class="faint"> in {title()}</span>
          </Show>
        </span>
        <span class="unseen">({states[props.item.status]})</span>
        <Show when={props.item.durationMs !== null && props.item.durationMs >= 100}>
          <span class="faint">{shownDuration(props.item.durationMs ?? 0)}</span>
        </Show>
        <span class="chat-tool-chevron" aria-hidden="true">
          <ChevronIcon size={14} />
        </span>
      </BareButton>
      <Show when={stays()}>
        <div class="chat-tool-progress bar aside">
          <Show when={isOutput(props.item)} fallback={<span>{props.item.progress || "Working"}</span>}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
            <pre class="chat-tool-output verbatim" tabIndex={0}>
              <span>{props.item.progress}</span>
            </pre>
          </Show>
          <Show when={props.item.subagents > 0}>
            <span class="badge">{plural(props.item.subagents, "subagent")}</span>
          </Show>
          <Show when={mayGoOn()}>
            <Button small onPress={() => sessionWorkOf(workbench).putInBackground()}>
              Put in the background
            </Button>
          </Show>
          <Button small onPress={() => stopAgent(agentOf(workbench))}>
            Cancel
          </Button>
        </div>
      </Show>
      <Show when={isRunning() && props.item.preview !== ""}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
        <pre class="chat-tool-preview" tabIndex={0}>
          <For each={props.item.preview.trimEnd().split("\n")}>
            {(line) => <span class={changeOf(line)}>{line || " "}</span>}
          </For>
        </pre>
      </Show>
      <div class="chat-tool-body" id={id} hidden={!isOpen()}>
        <Show when={isOpen()}>
          <Details item={props.item} />
        </Show>
      </div>
    </div>
  );
}

/** Whether the person is asked for permission to make the call. A command stands in the question itself. */
function isAsked(workbench: Workbench, call: ToolItem): boolean {
  if (isCommand(call)) return false;
  return agentOf(workbench)
    .items()
    .some((item) => {
      if (item.kind !== "question" || item.questionId === null) return false;
      return item.asked.kind === "permission" && item.asked.tool_call_id === call.callId;
    });
}

/** Whether what it says is what a program prints. */
function isOutput({ traits, progress }: ToolItem): boolean {
  return progress !== "" && (traits.includes("runs") || progress.includes("\n"));
}

function changeOf(line: string): string {
  if (line.startsWith("+") && !line.startsWith("+++")) return "added";
  return line.startsWith("-") && !line.startsWith("---") ? "removed" : "";
}

function Details(props: { readonly item: ToolItem }) {
  const fields = () => {
    const { arguments: given } = props.item;
    return typeof given === "object" && given !== null ? Object.entries(given) : [];
  };
  return (
    <>
      <p class="faint">
        <code>{props.item.tool}</code>
      </p>
      <dl class="chat-tool-fields">
        <For each={fields()}>
          {([name, value]) => (
            <>
              <dt>{name.replaceAll("_", " ")}</dt>
              <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
            </>
          )}
        </For>
      </dl>
      <Show when={props.item.result !== ""}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
        <pre class="chat-tool-result verbatim" tabIndex={0}>
          {props.item.result}
        </pre>
      </Show>
    </>
  );
}
