// A question of the agent, with its options, room for another answer, and a way around it.

import QuestionIcon from "lucide-solid/icons/message-circle-question-mark";
import { createSignal, createUniqueId, For, onMount, Show } from "solid-js";
import { useDesk } from "../workspace/desk.ts";
import { agentOf } from "./agent.ts";
import { type QuestionItem, skipped } from "./conversation.ts";
import { answerQuestion } from "./speaking.ts";

export function QuestionCard(props: { readonly item: QuestionItem }) {
  return (
    <div class="chat-question" classList={{ open: props.item.questionId !== null }}>
      <p class="chat-question-text">
        <QuestionIcon size={16} aria-hidden="true" />
        <span>{props.item.question}</span>
      </p>
      <Show
        when={props.item.questionId}
        fallback={
          <p class="faint">
            {props.item.answer === null
              ? "Not answered."
              : props.item.answer === skipped
                ? "You skipped this."
                : `You answered: ${props.item.answer}`}
          </p>
        }
      >
        {(id) => <Answering item={props.item} questionId={id()} />}
      </Show>
    </div>
  );
}

/** What a key pressed by accident may do: nothing is allowed by that. */
function firstAnswer(place: HTMLElement, options: readonly string[]): HTMLElement | null {
  const buttons = [...place.querySelectorAll<HTMLElement>(".chat-options button")];
  const no = options.indexOf("Deny");
  return buttons[no] ?? place.querySelector<HTMLElement>("button, input");
}

function Answering(props: { readonly item: QuestionItem; readonly questionId: string }) {
  const desk = useDesk();
  const agent = agentOf(desk);
  const field = createUniqueId();
  const [text, setText] = createSignal("");
  const [isSent, setSent] = createSignal(false);
  let place!: HTMLDivElement;
  const answer = async (words?: string) => {
    setSent(true);
    if (!(await answerQuestion(agent, props.questionId, words))) setSent(false);
  };
  // Whoever writes elsewhere is not taken away from there. A row can be focused once the list has measured it.
  onMount(() => {
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        if (isIdle(document.activeElement)) firstAnswer(place, props.item.options)?.focus();
      });
    });
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend of its own.
    <div class="chat-answers" role="group" aria-label={props.item.question} ref={place}>
      <div class="chat-options">
        <For each={props.item.options}>
          {(option) => (
            <button type="button" class="button" disabled={isSent()} onClick={() => void answer(option)}>
              {option}
            </button>
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
        <label class="unseen" for={field}>
          Your answer
        </label>
        <input
          id={field}
          class="field"
          autocomplete="off"
          placeholder={props.item.options.length > 0 ? "Or in your own words" : "Your answer"}
          value={text()}
          disabled={isSent()}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={isSent() || text().trim() === ""}>
          Answer
        </button>
        <button type="button" class="button" disabled={isSent()} onClick={() => void answer()}>
          Skip
        </button>
      </form>
    </div>
  );
}

function isIdle(element: Element | null): boolean {
  if (element === null || element === document.body) return true;
  const isComposer = element instanceof HTMLTextAreaElement && element.classList.contains("composer-text");
  return isComposer && element.value === "";
}
