// Where a model may run, in one sentence each on what leaves the machine, and the local model of the modes that have one.

import { createMemo, createUniqueId, For, Show } from "solid-js";
import { useWorkbench } from "../workspace/workbench.ts";
import { changeModelSetting } from "./model-choice.ts";
import { type AgentMode, modeWords, shownModel } from "./model-words.ts";
import { firstModelOf, groupsOf } from "./provider-groups.ts";

export function ModeChoice() {
  const workbench = useWorkbench();
  const group = createUniqueId();
  const mode = () => workbench.state.models?.mode ?? "remote";
  const local = () => workbench.state.models?.local_model ?? "";
  const here = createMemo(() => groupsOf(workbench.state.models?.providers ?? []).here);
  /** The one that is set stays to choose, also while its server does not answer. */
  const names = () => {
    const known = here().flatMap(({ models }) => models.map(({ name }) => name));
    return local() === "" || known.includes(local()) ? known : [local(), ...known];
  };
  const change = async (name: string, value: string) => {
    const decider = await changeModelSetting(workbench, name, value);
    if (decider === undefined || decider === "") return;
    workbench.notices.tell({ text: `It is kept, but ${decider} comes before it.`, tone: "plain" });
  };
  const choose = async (next: AgentMode) => {
    const [first] = here().flatMap(
      (provider) => firstModelOf(provider, workbench.state.models?.favourites ?? []) ?? [],
    );
    if (next !== "remote" && local() === "" && first !== undefined) await change("localModel", first.name);
    await change("agentMode", next);
  };
  return (
    <fieldset class="connect-part mode-choice column">
      <legend>Where a model may run</legend>
      <For each={modeWords}>
        {(one) => (
          <label class="mode-choice-row">
            <input
              type="radio"
              name={group}
              checked={mode() === one.mode}
              onChange={() => choose(one.mode)}
            />
            <span>
              {one.title}
              <small class="quiet">{one.about}</small>
            </span>
          </label>
        )}
      </For>
      <Show when={mode() !== "remote"}>
        <Show
          when={names().length > 0}
          fallback={
            <p class="models-fault" role="status">
              No server on this machine answers, so there is no local model to choose. Start one, and look
              again.
            </p>
          }
        >
          <label class="mode-choice-local row">
            <span>Local model</span>
            <select class="field" onChange={(event) => change("localModel", event.currentTarget.value)}>
              <Show when={local() === ""}>
                <option value="" selected>
                  Choose one
                </option>
              </Show>
              <For each={names()}>
                {(name) => (
                  <option value={name} selected={name === local()}>
                    {shownModel(name)}
                  </option>
                )}
              </For>
            </select>
          </label>
        </Show>
      </Show>
    </fieldset>
  );
}
