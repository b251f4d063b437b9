// A question of the agent, with its options, room for another answer, and a way around it.

import type { QuestionItem } from "@stet/client/items";
import type { Question } from "@stet/protocol/question";
import { noAnswer, optionText, type QuestionPart, questionParts } from "@stet/protocol/question-text";
import QuestionIcon from "lucide-solid/icons/message-circle-question-mark";
import PermissionIcon from "lucide-solid/icons/shield-question-mark";
import { createSignal, createUniqueId, For, Match, onMount, type ParentProps, Show, Switch } from "solid-js";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { agentOf } from "./agent.ts";
import { isLongQuestion } from "./question-size.ts";
import { answerQuestion } from "./speaking.ts";
import "./question-card.css";

/** Whether the answer was taken; without words, the question is skipped. */
type Answer = (words?: string) => Promise<boolean>;

export function QuestionCard(props: {
  readonly item: QuestionItem;
  /** Where it is not asked by whoever works in the conversation in sight. */
  readonly answer?: Answer;
  /** Goes to the conversation in which it is asked, where that is another one. */
  readonly onShow?: () => unknown;
}) {
  const label = createUniqueId();
  const isPermission = () => props.item.asked.kind === "permission";
  const words = () => (
    <QuestionText
      id={label}
      question={props.item.asked}
      isPermission={isPermission()}
      onShow={props.onShow}
    />
  );
  return (
    <Show when={props.item.questionId} fallback={<Answered item={props.item}>{words()}</Answered>}>
      {(id) => (
        <div class="chat-question open">
          {words()}
          <Answering
            item={props.item}
            questionId={id()}
            label={label}
            isPermission={isPermission()}
            answer={props.answer}
          />
        </div>
      )}
    </Show>
  );
}

/** Of a permission only the answer: the call that it was about stands above it. */
function Answered(props: ParentProps<{ readonly item: QuestionItem }>) {
  const words = () => {
    const { answer } = props.item;
    if (answer === null) return "Not answered.";
    return answer === noAnswer ? "You skipped this." : `You answered: ${answer}`;
  };
  return (
    <Show
      when={props.item.asked.kind === "permission"}
      fallback={
        <div class="chat-question">
          {props.children}
          <p class="faint">{words()}</p>
        </div>
      }
    >
      <details class="chat-permitted">
        <summary>{words()}</summary>
        <div class="chat-question">{props.children}</div>
      </details>
    </Show>
  );
}

function QuestionText(props: {
  readonly id: string;
  readonly question: Question;
  readonly isPermission: boolean;
  readonly onShow: (() => unknown) | undefined;
}) {
  return (
    <div class="chat-question-head">
      <Show when={props.isPermission} fallback={<QuestionIcon size={16} aria-hidden="true" />}>
        <PermissionIcon size={16} aria-hidden="true" />
      </Show>
      <div
        class="chat-question-text column grow"
        id={props.id}
        tabIndex={isLongQuestion(props.question) ? 0 : undefined}
      >
        <Show when={props.question.agent}>
          {(agent) => (
            <div class="bar">
              <p class="chat-question-agent grow">{agent()} asks:</p>
              <Show when={props.onShow}>
                {(show) => (
                  <Button small onPress={() => show()()}>
                    Show its work
                  </Button>
                )}
              </Show>
            </div>
          )}
        </Show>
        <For each={questionParts(props.question)}>{(part) => <Part part={part} />}</For>
      </div>
    </div>
  );
}

function Part(props: { readonly part: QuestionPart }) {
  const as = <Kind extends QuestionPart["kind"]>(kind: Kind) => {
    return props.part.kind === kind ? (props.part as Extract<QuestionPart, { kind: Kind }>) : undefined;
  };
  return (
    <Switch>
      <Match when={as("words")}>{(part) => <p>{part().text}</p>}</Match>
      <Match when={as("command")}>{(part) => <pre>{part().text}</pre>}</Match>
      <Match when={as("text")}>{(part) => <pre>{part().text}</pre>}</Match>
      <Match when={as("items")}>
        {(part) => (
          <ul>
            <For each={part().items}>{(item) => <li>{item}</li>}</For>
          </ul>
        )}
      </Match>
    </Switch>
  );
}

function Answering(props: {
  readonly item: QuestionItem;
  readonly questionId: string;
  /** The id of the question's text. */
  readonly label: string;
  readonly isPermission: boolean;
  readonly answer: Answer | undefined;
}) {
  const workbench = useWorkbench();
  const agent = agentOf(workbench);
  const [text, setText] = createSignal("");
  const [isSent, setSent] = createSignal(false);
  let place!: HTMLDivElement;
  const answer = async (words?: string) => {
    const log = place.closest<HTMLElement>(".chat-list");
    const wasHere = place.contains(document.activeElement);
    setSent(true);
    const send = props.answer ?? ((said?: string) => answerQuestion(agent, props.questionId, said));
    if (!(await send(words))) setSent(false);
    // The answers go away; whoever was among them stays in the conversation.
    else if (wasHere && isIdle(document.activeElement)) log?.focus({ preventScroll: true });
  };
  // Whoever writes elsewhere is not taken away from there. The card has the focus and none of its answers: a key that was
  // meant for the next message must not answer. A row can be focused once the list has measured it.
  onMount(() => {
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        if (isIdle(document.activeElement)) place.focus();
      });
    });
  });
  /** What is typed at the card itself was begun as a message, and becomes one. */
  const onKeyDown = (event: KeyboardEvent) => {
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.target === place && isText) agent.composer?.focus();
  };
  const hint = () => {
    if (props.isPermission) return "Or say what to do instead";
    return props.item.asked.options.length > 0 ? "Or in your own words" : "Your answer";
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend of its own.
    <div
      class="chat-answers"
      role="group"
      aria-labelledby={props.label}
      tabIndex={-1}
      ref={place}
      onKeyDown={onKeyDown}
    >
      <div class="chat-options cluster">
        <For each={answersOf(props.item.asked)}>
          {({ id, text }) => (
            <Button disabled={isSent()} onPress={() => answer(id)}>
              {text}
            </Button>
          )}
        </For>
      </div>
      <form
        class="chat-answer"
        onSubmit={(event) => {
          event.preventDefault();
          if (text().trim() !== "") void answer(text().trim());
        }}
      >
        <Field
          label={props.isPermission ? "What to do instead" : "Your answer"}
          placeholder={hint()}
          value={text()}
          disabled={isSent()}
          onType={setText}
        />
        <button type="submit" class="button" disabled={isSent() || text().trim() === ""}>
          {props.isPermission ? "Say" : "Answer"}
        </button>
        {/* Of a permission, no answer is a no: there is a button for that. */}
        <Show when={!props.isPermission}>
          <Button disabled={isSent()} onPress={() => answer()}>
            Skip
          </Button>
        </Show>
      </form>
    </div>
  );
}

function answersOf(question: Question): { id: string; text: string }[] {
  if (question.kind === "clarification") return question.options.map((text) => ({ id: text, text }));
  return question.options.map((option) => ({ id: option.id, text: optionText(option) }));
}

function isIdle(element: Element | null): boolean {
  if (element === null || element === document.body || element.classList.contains("chat-list")) return true;
  // The button that sent the message; there is nothing more to send.
  if (element.matches(":disabled")) return true;
  const isComposer = element instanceof HTMLTextAreaElement && element.classList.contains("composer-text");
  return isComposer && element.value === "";
}
