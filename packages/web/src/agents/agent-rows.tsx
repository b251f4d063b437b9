// The agents of a session as a tree of rows of one height, of which only those in sight are in the page.

import { agentTree, isAtWork } from "@stet/client/agents";
import type { AgentStatus } from "@stet/protocol/api/agents";
import CheckIcon from "lucide-solid/icons/check";
import StoppedIcon from "lucide-solid/icons/circle-slash";
import PendingIcon from "lucide-solid/icons/clock";
import LoaderIcon from "lucide-solid/icons/loader-circle";
import QuestionIcon from "lucide-solid/icons/message-circle-question-mark";
import FailedIcon from "lucide-solid/icons/triangle-alert";
import { createMemo, createSignal, Match, onCleanup, Show, Switch } from "solid-js";
import { VList, type VListHandle } from "virtua/solid";
import { BareButton } from "../ui/button.tsx";
import { movedTo } from "../ui/tree-keys.ts";
import { workedMs } from "./clock.ts";
import type { KnownAgent, SessionWork } from "./session-work.ts";
import { StopButton } from "./stop-button.tsx";
import { clockWords, statusWords, stepWords, useOfAgent } from "./work-words.ts";

/** Pixels; also in agents.css. */
const rowHeight = 48;
/** Where there are more, the list scrolls. */
const rowsInSight = 5;

export function AgentRows(props: { readonly work: SessionWork }) {
  const { work } = props;
  let place!: HTMLDivElement;
  let list: VListHandle | undefined;
  const nodes = createMemo(() => agentTree(work.state.agents));
  const depths = createMemo(() => new Map(nodes().map(({ agent, depth }) => [agent.agent_id, depth])));
  // A row is made for an id: what an agent does meanwhile changes the row, and not the list.
  const ids = createMemo(() => nodes().map(({ agent }) => agent.agent_id), [], { equals: isSame });
  // The row with the focus stays in the page when it is scrolled out of sight: without it the focus would be nowhere.
  const [focused, setFocused] = createSignal("");
  const kept = createMemo(() => ids().indexOf(focused()));
  const focusRow = rowFocus(
    () => place,
    (id) => ids().includes(id),
  );
  const move = (event: KeyboardEvent) => {
    const at = ids().indexOf(focusRow.wanted() ?? rowOf(event.target));
    const to = at < 0 ? undefined : movedTo(event.key, ids().length, at);
    const id = to === undefined ? undefined : ids()[to];
    if (to === undefined || id === undefined) return;
    event.preventDefault();
    list?.scrollToIndex(to, { align: "nearest" });
    focusRow.want(id);
  };
  return (
    <div
      class="agents-list"
      ref={place}
      style={{ height: `${Math.min(ids().length, rowsInSight) * rowHeight}px` }}
      onFocusIn={({ target }) => setFocused(rowOf(target))}
    >
      <VList
        ref={(handle) => {
          list = handle;
        }}
        role="list"
        aria-label="Agents"
        data={ids()}
        itemSize={rowHeight}
        keepMounted={kept() < 0 ? [] : [kept()]}
        onKeyDown={move}
      >
        {(id) => <Row work={work} id={id} depth={depths().get(id) ?? 0} />}
      </VList>
    </div>
  );
}

/** Of which agent the row is that an element is in. */
function rowOf(element: EventTarget | null): string {
  const row = element instanceof Element ? element.closest("[data-agent]") : null;
  return row?.getAttribute("data-agent") ?? "";
}

/** Moves the focus to a row as soon as it can have it: one that was out of sight is first made, measured and shown. */
function rowFocus(list: () => HTMLElement, isListed: (id: string) => boolean) {
  let wanted: string | undefined;
  const tryIt = () => {
    if (wanted === undefined || !isListed(wanted)) {
      wanted = undefined;
      return;
    }
    const button = list().querySelector<HTMLElement>(`[data-agent="${CSS.escape(wanted)}"] .agents-open`);
    button?.focus({ preventScroll: true });
    // Whoever has gone elsewhere meanwhile stays there.
    const now = document.activeElement;
    const isLeft = now !== document.body && !list().contains(now);
    if (isLeft || (button !== null && now === button)) wanted = undefined;
    else requestAnimationFrame(tryIt);
  };
  onCleanup(() => {
    wanted = undefined;
  });
  return {
    wanted: () => wanted,
    want(id: string) {
      const isTrying = wanted !== undefined;
      wanted = id;
      if (!isTrying) requestAnimationFrame(tryIt);
    },
  };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

function Row(props: { readonly work: SessionWork; readonly id: string; readonly depth: number }) {
  const known = createMemo(() => props.work.known(props.id));
  return (
    <Show when={known()}>
      {(agent) => <AgentRow work={props.work} agent={agent()} depth={props.depth} />}
    </Show>
  );
}

function AgentRow(props: { readonly work: SessionWork; readonly agent: KnownAgent; readonly depth: number }) {
  const agent = () => props.agent;
  const isShown = () => props.work.shownAgent()?.agent_id === agent().agent_id;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list around it is virtual, with elements of its own between.
    <div
      class="agents-row row"
      role="listitem"
      data-agent={agent().agent_id}
      data-status={agent().status}
      style={{ "padding-inline-start": `${props.depth}rem` }}
    >
      <BareButton
        class="agents-open ring-inside hovers stretched bar"
        aria-current={isShown() ? "true" : undefined}
        title={agent().description}
        onPress={() => props.work.open(agent())}
      >
        <AgentIcon agent={agent()} />
        <span class="agents-words column grow">
          <span class="bar">
            <span class="agents-name">{agent().agent_id}</span>
            <span class="agents-about ellipsis grow soft">{agent().description}</span>
            <AgentTime agent={agent()} />
          </span>
          <span class="agents-line bar quiet">
            <span class="ellipsis grow">
              <Show when={agent().parent !== "main"}>
                <span class="unseen">for {agent().parent}, </span>
              </Show>
              {agent().agent}, {statusWords[agent().status]}
              <Show when={stepWords(agent())}>{(words) => <>: {words()}</>}</Show>
            </span>
            <span class="agents-use">{useOfAgent(agent())}</span>
          </span>
        </span>
      </BareButton>
      <Show when={isAtWork(agent())} fallback={<span class="agents-no-stop" />}>
        <StopButton of={agent().agent_id} onPress={() => props.work.stop([agent().agent_id])} />
      </Show>
    </div>
  );
}

/** Its clock goes on while it works. */
export function AgentTime(props: { readonly agent: KnownAgent }) {
  const isBegun = () => props.agent.status !== "pending" || props.agent.duration_ms > 0;
  return (
    <Show when={isBegun()}>
      <span class="agents-time faint">{clockWords(workedMs(props.agent))}</span>
    </Show>
  );
}

export function AgentIcon(props: { readonly agent: Pick<KnownAgent, "status" | "question"> }) {
  const is = (status: AgentStatus) => props.agent.status === status;
  return (
    <span
      class={`agents-icon ${props.agent.question === null ? props.agent.status : "asking"}`}
      aria-hidden="true"
    >
      <Switch fallback={<PendingIcon size={14} />}>
        <Match when={props.agent.question !== null}>
          <QuestionIcon size={14} />
        </Match>
        <Match when={is("running")}>
          <LoaderIcon size={14} class="chat-spin" />
        </Match>
        <Match when={is("completed")}>
          <CheckIcon size={14} />
        </Match>
        <Match when={is("failed")}>
          <FailedIcon size={14} />
        </Match>
        <Match when={is("aborted")}>
          <StoppedIcon size={14} />
        </Match>
      </Switch>
    </span>
  );
}
