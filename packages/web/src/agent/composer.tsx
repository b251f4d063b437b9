// Where the person writes to the agent. While it works, Enter lets it hear the words when it is done, Mod-Enter right away.

import { agentOfSession } from "@stet/client/agents";
import { isFault } from "@stet/protocol/fault";
import SendIcon from "lucide-solid/icons/arrow-up";
import StopIcon from "lucide-solid/icons/square";
import SteerIcon from "lucide-solid/icons/zap";
import { createEffect, createSignal, createUniqueId, For, on, onCleanup, Show } from "solid-js";
import { isMac } from "../app/commands.ts";
import { IconButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import type { Agent } from "./agent.ts";
import { takeWantedText, wantedText } from "./composer-text.ts";
import { ModelPicker } from "./model-picker.tsx";
import { NameCompletion } from "./name-completion.ts";
import type { PopoverControl } from "./popover.tsx";
import { PromptRecall } from "./prompt-recall.ts";
import { chosenToolset, type Mode, say } from "./speaking.ts";
import { ToolsetPicker } from "./toolset-picker.tsx";
import { UseMeter } from "./use-meter.tsx";
import "./composer.css";

const noControl: PopoverControl = { open() {}, close() {} };

export function Composer(props: { readonly agent: Agent }) {
  const workbench = useWorkbench();
  const { agent } = props;
  const list = createUniqueId();
  const [text, setText] = createSignal("");
  const recall = new PromptRecall();
  const names = new NameCompletion(workbench);
  let field!: HTMLTextAreaElement;
  let model = noControl;
  let toolset = noControl;
  const isWorking = () => agent.state.job !== null;
  const hasText = () => text().trim() !== "";
  /** Whose conversation it is, where that is an agent that was sent: it is steered, and asked again when it has ended. */
  const child = () => agentOfSession(agent.state.session);
  const later = (): Mode => (child() === undefined ? "follow_up" : "steer");

  const write = (next: string, cursor = next.length) => {
    setText(next);
    agent.drafts.set(agent.state.session, next);
    field.value = next;
    field.setSelectionRange(cursor, cursor);
    fit();
  };
  /** As high as its text; the style sheet sets the limit. */
  const fit = () => {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight + 2}px`;
  };
  const focus = () => field.focus();
  createEffect(
    on(
      () => agent.state.session,
      (session) => write(agent.drafts.get(session)),
    ),
  );
  createEffect(() => {
    if (wantedText() === undefined) return;
    const wanted = takeWantedText();
    if (wanted === undefined) return;
    const before = wanted.isAdded ? text().trimEnd() : "";
    write(before === "" ? wanted.text : `${before}\n\n${wanted.text}`);
    if (!wanted.isAdded) focus();
  });
  createEffect(() => {
    const control = { focus, openModels: () => model.open(), openToolsets: () => toolset.open() };
    agent.composer = control;
    const watcher = new ResizeObserver(fit);
    watcher.observe(field.parentElement ?? field);
    onCleanup(() => {
      watcher.disconnect();
      if (agent.composer === control) agent.composer = undefined;
    });
  });

  const send = async (mode: Mode) => {
    const said = text();
    if (said.trim() === "") return;
    names.close();
    recall.end();
    write("");
    if (!(await say(agent, said, mode)) && text() === "") write(said);
  };
  /** The button goes, or rests, with the text; the focus would go with it. */
  const press = (mode: Mode) => {
    void send(mode);
    focus();
  };
  const bringBack = async (isOlder: boolean) => {
    if (!isOlder) return write(recall.newer());
    if (!recall.isBrowsing) {
      const reply = await workbench.client.call("listPrompts", { query: { limit: 50 } });
      recall.begin(isFault(reply) ? [] : reply.prompts.map((prompt) => prompt.text));
    }
    const prompt = recall.older();
    if (prompt !== undefined) write(prompt);
  };
  const complete = (index?: number) => {
    const done = names.choose(text(), index);
    if (done !== undefined) write(done.text, done.cursor);
    focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (names.isOpen && completionKey(event)) return event.preventDefault();
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void send((isMac ? event.metaKey : event.ctrlKey) ? "steer" : later());
      return;
    }
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const isOlder = event.key === "ArrowUp" && (text() === "" || recall.isBrowsing);
    const isNewer = event.key === "ArrowDown" && recall.isBrowsing;
    if (!isPlain || !(isOlder || isNewer)) return;
    event.preventDefault();
    void bringBack(isOlder);
  };
  const completionKey = ({ key, shiftKey }: KeyboardEvent): boolean => {
    if (key === "ArrowDown" || key === "ArrowUp") names.move(key === "ArrowDown" ? 1 : -1);
    else if (key === "Enter" && names.isWritten()) return false;
    else if ((key === "Enter" || key === "Tab") && !shiftKey) complete();
    else if (key === "Escape") names.close();
    else return false;
    return true;
  };
  const hint = () => {
    if (child() !== undefined)
      return isWorking()
        ? `Steer ${child()}: it hears you after the step that it is at.`
        : `Ask ${child()} again.`;
    if (isWorking())
      return `Enter sends when the agent is done, ${isMac ? "⌘" : "Ctrl+"}Enter steers it now.`;
    return "Ask the agent. @ adds a file, or names an agent to send.";
  };

  const sending = () => {
    if (!isWorking()) return "Send";
    return child() === undefined ? "Send when the agent is done" : `Steer ${child()}`;
  };

  const missingSandbox = () =>
    chosenToolset(workbench)?.runs_commands ? (workbench.state.models?.no_sandbox ?? undefined) : undefined;

  return (
    <div class="composer">
      <Show when={missingSandbox()}>
        {(reason) => (
          <p class="composer-note aside" title={reason()}>
            Commands run without a sandbox here, so more of them are asked for.
          </p>
        )}
      </Show>
      <Show when={names.choices().length > 0}>
        <div class="composer-files floating" role="listbox" id={list} aria-label="Agents and files">
          <For each={names.choices()}>
            {(choice, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
              <div
                role="option"
                id={`${list}-${index()}`}
                class="composer-file ellipsis"
                tabIndex={-1}
                aria-selected={names.selected() === index()}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => complete(index())}
              >
                <Show when={choice.kind === "agent" ? choice : undefined} fallback={choice.name}>
                  {(named) => (
                    <>
                      <strong>@{named().name}</strong> <span class="faint">{named().about}</span>
                    </>
                  )}
                </Show>
              </div>
            )}
          </For>
        </div>
      </Show>
      <div class="composer-box" data-tour="composer">
        <textarea
          ref={field}
          class="composer-text"
          aria-label="Message to the agent"
          aria-autocomplete="list"
          aria-controls={names.choices().length > 0 ? list : undefined}
          aria-activedescendant={names.choices().length > 0 ? `${list}-${names.selected()}` : undefined}
          rows={2}
          placeholder={hint()}
          onKeyDown={onKeyDown}
          onInput={(event) => {
            const { value, selectionStart } = event.currentTarget;
            setText(value);
            agent.drafts.set(agent.state.session, value);
            recall.end();
            fit();
            void names.look(value, selectionStart);
          }}
          onBlur={() => names.close()}
        />
        <div class="composer-foot">
          {/* An agent that was sent works as it was sent. */}
          <Show when={child() === undefined}>
            <ModelPicker
              control={(control) => {
                model = control;
              }}
            />
            <ToolsetPicker
              control={(control) => {
                toolset = control;
              }}
            />
          </Show>
          <UseMeter agent={agent} />
          <span class="composer-space" />
          <Show when={isWorking()}>
            {/* Before the others: where it goes with the text, Stop must not come under the pointer. */}
            <Show when={hasText() && child() === undefined}>
              <IconButton
                icon={SteerIcon}
                label="Steer now"
                title="Steer now: the agent hears it after the step that it is at"
                onPress={() => press("steer")}
              />
            </Show>
            <button
              type="button"
              class="icon-button composer-stop"
              aria-label="Stop the agent"
              title={workbench.commands.titleOf("Stop the agent", "agent.stop")}
              onClick={() => workbench.commands.run("agent.stop")}
            >
              <StopIcon size={14} fill="currentColor" />
            </button>
          </Show>
          <IconButton
            icon={SendIcon}
            class="composer-send"
            label={sending()}
            title={`${sending()} (Enter)`}
            disabled={!hasText()}
            onPress={() => press(later())}
          />
        </div>
      </div>
    </div>
  );
}
