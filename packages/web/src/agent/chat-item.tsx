// One item of the conversation.

import { agentOfSession } from "@stet/client/agents";
import type { Item } from "@stet/client/items";
import { deliveryText, deliveryTitle } from "@stet/protocol/delivery-words";
import DeliveryIcon from "lucide-solid/icons/bell";
import StoppedIcon from "lucide-solid/icons/circle-pause";
import BranchIcon from "lucide-solid/icons/git-branch";
import LoaderIcon from "lucide-solid/icons/loader-circle";
import { createSignal, createUniqueId, onCleanup, type ParentProps, Show } from "solid-js";
import { shownModel } from "../models/model-words.ts";
import { plural } from "../status/word-count.ts";
import { BareButton, Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { agentOf } from "./agent.ts";
import { Failure } from "./failure.tsx";
import { MarkdownView } from "./markdown-view.tsx";
import { isOpened, toggleOpened } from "./opened.ts";
import { QuestionCard } from "./question-card.tsx";
import { request } from "./speaking.ts";
import { ToolCard } from "./tool-card.tsx";
import { TurnCard } from "./turn-card.tsx";
import { decisionWords, noteWords } from "./turn-words.ts";

type Of<Kind extends Item["kind"]> = { readonly item: Extract<Item, { kind: Kind }> };

/** A row is made for one item, whose kind never changes. */
export function ChatItem(props: { readonly item: Item }) {
  const { item } = props;
  switch (item.kind) {
    case "user":
      return <Words item={item} />;
    case "assistant":
      return <Answer item={item} />;
    case "thinking":
      return (
        <Folded id={item.key} label="Thinking: " title={firstLine(item.text)}>
          <p class="chat-thinking soft verbatim">{item.text}</p>
        </Folded>
      );
    case "tool":
      return <ToolCard item={item} />;
    case "question":
      return <QuestionCard item={item} />;
    case "turn":
      return <TurnCard item={item} />;
    case "decision":
      return <p class="chat-note quiet">{decisionWords(item.verdict, item.hunks)}</p>;
    case "model":
    case "retry":
    case "compacted":
      return <p class="chat-note quiet">{noteWords(item)}</p>;
    case "stop":
      return <Stopped item={item} />;
    case "waiting":
      return <Waiting item={item} />;
    case "summary":
      return (
        <Folded id={item.key} title="Summary of what was said before">
          <MarkdownView text={item.text} isStreaming={false} />
        </Folded>
      );
    case "delivery":
      return <Delivery item={item} />;
    case "error":
      return <Failure item={item} />;
  }
}

function Answer(props: Of<"assistant">) {
  const agent = agentOf(useWorkbench());
  const author = () => agent.authors().get(props.item.key);
  return (
    <>
      <article class="chat-assistant" aria-label="The agent">
        <MarkdownView text={props.item.text} isStreaming={props.item.isStreaming} />
      </article>
      <Show when={author()}>
        {(model) => (
          <p class="chat-author quiet" title={model()}>
            Answered by {shownModel(model())}
          </p>
        )}
      </Show>
    </>
  );
}

function Waiting(props: Of<"waiting">) {
  const [seconds, setSeconds] = createSignal(0);
  const begun = props.item.since === null ? Date.now() : Date.parse(props.item.since);
  const timer = setInterval(() => setSeconds(Math.floor((Date.now() - begun) / 1000)), 1000);
  onCleanup(() => clearInterval(timer));
  return (
    <p class="chat-note quiet chat-waiting bar">
      <LoaderIcon size={14} class="chat-spin" aria-hidden="true" />
      Waiting for the model{seconds() < 3 ? " …" : ` … ${seconds()} s`}
    </p>
  );
}

function Words(props: Of<"user">) {
  const workbench = useWorkbench();
  const agent = agentOf(workbench);
  /** The first words in an agent's conversation are of whoever sent it. */
  const speaker = () => (agentOfSession(agent.state.session) === undefined ? "You" : "Said to the agent");
  const showTree = () => {
    const { session, title } = agent.state;
    if (session !== null) workbench.views.show({ kind: "session", session, title: title || "Conversation" });
  };
  return (
    <article class="chat-user" aria-label={speaker()} classList={{ pending: props.item.key === "pending" }}>
      <div class="chat-user-text verbatim">{props.item.text}</div>
      <Show when={props.item.siblings > 0}>
        <BareButton class="chat-ways chip quiet" onPress={showTree}>
          <BranchIcon size={12} aria-hidden="true" />
          {plural(props.item.siblings, "other way")} from here
        </BareButton>
      </Show>
    </article>
  );
}

/** Nobody typed it: what happened in the background, with its text on request. */
function Delivery(props: Of<"delivery">) {
  const id = createUniqueId();
  const key = () => props.item.key;
  return (
    <div class="chat-folded chat-delivery">
      <BareButton
        class="chat-fold quiet"
        aria-expanded={isOpened(key())}
        aria-controls={id}
        onPress={() => toggleOpened(key())}
      >
        <DeliveryIcon size={13} aria-hidden="true" />
        <span class="ellipsis">{deliveryTitle(props.item)}</span>
      </BareButton>
      <div id={id} hidden={!isOpened(key())}>
        <Show when={isOpened(key())}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
          <pre class="verbatim" tabIndex={0}>
            {deliveryText(props.item)}
          </pre>
        </Show>
      </div>
    </div>
  );
}

/** What it is about can be seen without opening it. */
function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] || "Thinking …";
}

function Folded(
  props: ParentProps<{ readonly id: string; readonly label?: string; readonly title: string }>,
) {
  const id = createUniqueId();
  return (
    <div class="chat-folded">
      <BareButton
        class="chat-fold chip ellipsis quiet"
        aria-expanded={isOpened(props.id)}
        aria-controls={id}
        onPress={() => toggleOpened(props.id)}
      >
        <span class="unseen">{props.label}</span>
        {props.title}
      </BareButton>
      <div id={id} hidden={!isOpened(props.id)}>
        <Show when={isOpened(props.id)}>{props.children}</Show>
      </div>
    </div>
  );
}

/** Why a turn ended before it was done, and a way to go on; it stays in the conversation. */
function Stopped(props: Of<"stop">) {
  const agent = agentOf(useWorkbench());
  const isLast = () => agent.items().findLast((item) => goesOn.includes(item.kind))?.key === props.item.key;
  return (
    <div class="chat-error bar stopped">
      <StoppedIcon size={16} aria-hidden="true" />
      <div class="chat-error-words grow">
        <p>{props.item.text}</p>
        <p class="faint">It is not finished. What it did until then is kept.</p>
      </div>
      <Show when={isLast()}>
        <Button small disabled={agent.state.job !== null} onPress={() => request(agent, "Go on.")}>
          Go on
        </Button>
      </Show>
    </div>
  );
}

/** Where one of these comes after a stop, the conversation has gone on. */
const goesOn: readonly Item["kind"][] = ["user", "stop"];
