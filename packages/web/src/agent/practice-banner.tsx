// Says that no real model is connected, and how to connect one.

import XIcon from "lucide-solid/icons/x";
import { For, Show } from "solid-js";
import { IconButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { Popover } from "./popover.tsx";

const keys: readonly (readonly [model: string, needs: string])[] = [
  ["openai/NAME", "OPENAI_API_KEY"],
  ["anthropic/NAME", "ANTHROPIC_API_KEY"],
  ["google/NAME", "GEMINI_API_KEY"],
  ["openai-compatible/NAME", "OPENAI_COMPATIBLE_BASE_URL"],
  ["ollama/NAME, lmstudio/NAME, llamacpp/NAME", "a server on this machine"],
];

export function PracticeBanner() {
  const workbench = useWorkbench();
  const { layout } = workbench;
  const isShown = () =>
    workbench.state.models?.is_practice === true &&
    (layout.state.model ?? "practice") === "practice" &&
    !layout.state.hidesPracticeBanner;
  return (
    <Show when={isShown()}>
      <div class="practice">
        <p>
          This is the practice model. It can rename, replace and look things up, without an account or
          network.
        </p>
        <Popover label="Connect a model" class="button small" side="below" button="Connect a model">
          {() => <HowToConnect />}
        </Popover>
        <IconButton
          icon={XIcon}
          size={14}
          label="Hide this note"
          onPress={() => layout.set({ hidesPracticeBanner: true })}
        />
      </div>
    </Show>
  );
}

function HowToConnect() {
  return (
    <div class="connect column">
      <h3>Connect a model</h3>
      <p>
        Start Stet again with the key of a provider and the name of a model. Once a provider is ready, its
        model can also be chosen below the message field.
      </p>
      <dl>
        <For each={keys}>
          {([model, needs]) => (
            <>
              <dt>
                <code>{model}</code>
              </dt>
              <dd>{needs.includes(" ") ? needs : <code>{needs}</code>}</dd>
            </>
          )}
        </For>
      </dl>
      <p>
        For example: <code>ANTHROPIC_API_KEY=… STET_MODEL=anthropic/NAME npm start</code>
      </p>
      <p>
        <code>stet models</code> shows what can be used here, and for the rest why not. More is in{" "}
        <code>docs/models.md</code>.
      </p>
    </div>
  );
}
