// Who works for the conversation, and what goes on between its turns, where one looks while a turn runs: a line that sums it
// up, questions that agents ask, and on request everything. It is there only where there is something.

import { agentOfSession, isAtWork } from "@stet/client/agents";
import type { QuestionItem } from "@stet/client/items";
import ChevronIcon from "lucide-solid/icons/chevron-right";
import { createEffect, createMemo, createSignal, createUniqueId, For, on, onMount, Show } from "solid-js";
import type { Agent } from "../agent/agent.ts";
import { QuestionCard } from "../agent/question-card.tsx";
import { announcedQuestion } from "../agent/question-size.ts";
import { BareButton, Button } from "../ui/button.tsx";
import { useWorkbench, type Workbench } from "../workspace/workbench.ts";
import { AgentRows } from "./agent-rows.tsx";
import { BackgroundRows, WaitingRows } from "./background-rows.tsx";
import { watchClock } from "./clock.ts";
import { type SessionWork, sessionWorkOf } from "./session-work.ts";
import { agentsWords, backgroundWords } from "./work-words.ts";
import "./agents.css";

/** What the person chose; else it is open while something is at work in the session that is looked at. */
const [choice, setChoice] = createSignal<boolean>();

/** Until when the focus goes there as it comes into the page: of a session that is opened for it, the work is read first. */
let focusWantedUntil = 0;
const focusWaitMs = 3000;

/** Unfolds it, and goes there. */
export function showAgents({ layout }: Workbench): void {
  layout.set({ isAgentOpen: true });
  setChoice(true);
  focusWantedUntil = performance.now() + focusWaitMs;
  focusIfWanted();
}

function focusIfWanted(): void {
  const fold = document.querySelector<HTMLElement>(".agents-fold");
  if (fold === null || performance.now() > focusWantedUntil) return;
  focusWantedUntil = 0;
  fold.focus();
}

export function AgentsSection(props: { readonly agent: Agent }) {
  const work = sessionWorkOf(useWorkbench());
  return (
    <Show when={work.hasWork()}>
      <Section agent={props.agent} work={work} />
    </Show>
  );
}

function Section(props: { readonly agent: Agent; readonly work: SessionWork }) {
  const { agent, work } = props;
  const id = createUniqueId();
  createEffect(on(work.session, () => setChoice(undefined), { defer: true }));
  onMount(focusIfWanted);
  const isChild = () => agentOfSession(agent.state.session) !== undefined;
  const isOpen = () => choice() ?? (work.isBusy() && !isChild());
  const working = createMemo(() => work.state.agents.filter(isAtWork));
  createEffect(() => {
    if (work.isBusy()) watchClock();
  });
  const agentWords = () =>
    work.state.agents.length === 0 ? "" : agentsWords(work.state.agents.length, work.sum());
  const otherWords = () => (work.state.background === null ? "" : backgroundWords(work.state.background));
  const stopAll = () => work.stop(working().map(({ agent_id }) => agent_id));
  return (
    <section class="agents" aria-label="Agents and background">
      <div class="agents-head row">
        <BareButton
          class="agents-fold ring-inside hovers stretched bar"
          aria-expanded={isOpen()}
          aria-controls={id}
          onPress={() => setChoice(!isOpen())}
        >
          <span class="agents-chevron" aria-hidden="true">
            <ChevronIcon size={14} />
          </span>
          <span class="agents-sum column grow">
            <span class="ellipsis" title={agentWords()}>
              {agentWords()}
            </span>
            <span class="ellipsis" title={otherWords()}>
              {otherWords() || (agentWords() ? "" : "Work that has ended")}
            </span>
          </span>
        </BareButton>
        <Show when={working().length > 1}>
          <Button small onPress={stopAll}>
            Stop all agents
          </Button>
        </Show>
      </div>
      <Questions work={work} />
      <div id={id} class="agents-body" hidden={!isOpen()}>
        <Show when={isOpen()}>
          <WaitingRows work={work} />
          <Show when={work.state.agents.length > 0}>
            <AgentRows work={work} />
          </Show>
          <BackgroundRows work={work} />
        </Show>
      </div>
    </section>
  );
}

/** Those that are not asked in the conversation in sight. */
function Questions(props: { readonly work: SessionWork }) {
  const { work } = props;
  const asking = createMemo(
    () => {
      const shown = work.shownAgent()?.agent_id;
      return work.state.agents.filter(({ question, agent_id: id }) => question !== null && id !== shown);
    },
    [],
    { equals: (one, other) => one.length === other.length && one.every((each, at) => each === other[at]) },
  );
  const announcement = () => {
    const last = asking().at(-1);
    return last?.question ? `${last.agent_id} asks: ${announcedQuestion(last.question.asked)}` : "";
  };
  return (
    <>
      <p class="unseen" role="status">
        {announcement()}
      </p>
      <div class="agents-questions" hidden={asking().length === 0}>
        <For each={asking()}>
          {(agent) => (
            <Show when={agent.question?.question_id} keyed>
              {(id) => (
                <Show when={itemOf(agent.question)}>
                  {(item) => (
                    <QuestionCard
                      item={item()}
                      answer={(words) => work.answer(agent, id, words)}
                      onShow={() => work.open(agent)}
                    />
                  )}
                </Show>
              )}
            </Show>
          )}
        </For>
      </div>
    </>
  );
}

function itemOf(question: SessionWork["state"]["agents"][number]["question"]): QuestionItem | undefined {
  if (question === null) return undefined;
  const { question_id: questionId, asked } = question;
  return { kind: "question", key: `asked:${questionId}`, questionId, asked, answer: null };
}
