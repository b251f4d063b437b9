// How much the model thinks before it answers.

import { thinkingLevels } from "@stet/protocol/model-stream";
import { For } from "solid-js";
import { useWorkbench } from "../workspace/workbench.ts";
import { changeModelSetting } from "./model-choice.ts";
import { thinkingWords } from "./model-words.ts";

export function ThinkingChoice() {
  const workbench = useWorkbench();
  const level = () => workbench.state.models?.thinking ?? "";
  return (
    <label class="thinking-choice row">
      <span>Thinking</span>
      <select
        class="field"
        onChange={(event) => changeModelSetting(workbench, "thinking", event.currentTarget.value)}
      >
        <For each={["" as const, ...thinkingLevels]}>
          {(one) => (
            <option value={one} selected={one === level()}>
              {thinkingWords(one)}
            </option>
          )}
        </For>
      </select>
    </label>
  );
}
