// Says that no real model is connected, and leads to connecting one.

import XIcon from "lucide-solid/icons/x";
import { Show } from "solid-js";
import { currentModel } from "../models/model-choice.ts";
import { openModelDialog } from "../models/model-dialog-state.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";

export function PracticeBanner() {
  const workbench = useWorkbench();
  const { layout } = workbench;
  const isShown = () =>
    workbench.state.models?.is_practice === true &&
    currentModel(workbench) === "practice" &&
    !layout.state.hidesPracticeBanner;
  return (
    <Show when={isShown()}>
      <div class="practice">
        <p>
          This is the practice model. It can rename, replace and look things up, without an account or
          network.
        </p>
        <Button small onPress={() => openModelDialog()}>
          Connect a model
        </Button>
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
