// Which model answers, in small: chosen for the conversation or from now on. What is not ready says what is missing, and leads
// to where it is mended.

import CpuIcon from "lucide-solid/icons/cpu";
import { lazy, Show, Suspense } from "solid-js";
import { currentModel, hasOwnModel } from "../models/model-choice.ts";
import { shownModel } from "../models/model-words.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import { Popover, type PopoverControl } from "./popover.tsx";

const ModelPickerPanel = lazy(async () => ({
  default: (await import("../models/model-picker-panel.tsx")).ModelPickerPanel,
}));

export function ModelPicker(props: { readonly control: (control: PopoverControl) => void }) {
  const workbench = useWorkbench();
  const name = () => currentModel(workbench);
  return (
    <Popover
      label={`Switch model: ${shownModel(name())}`}
      title={`Model: ${name()}${hasOwnModel(workbench) ? ", in this conversation" : ""}`}
      class="picker chip bare aside"
      side="above"
      control={props.control}
      button={
        <>
          <CpuIcon size={14} aria-hidden="true" />
          <span class="picker-name ellipsis">
            {shownModel(name())}
            <Show when={hasOwnModel(workbench)}>
              <span class="unseen">, in this conversation</span>
            </Show>
          </span>
        </>
      }
    >
      {(close) => (
        <Suspense>
          <ModelPickerPanel close={close} />
        </Suspense>
      )}
    </Popover>
  );
}
