// What the agent may do, and to what.

import WrenchIcon from "lucide-solid/icons/wrench";
import { For } from "solid-js";
import { useWorkbench } from "../workspace/workbench.ts";
import { Choice } from "./choice.tsx";
import { Popover, type PopoverControl } from "./popover.tsx";
import { chosenToolset } from "./speaking.ts";

export function ToolsetPicker(props: { readonly control: (control: PopoverControl) => void }) {
  const workbench = useWorkbench();
  const { layout } = workbench;
  const chosen = () => chosenToolset(workbench);
  return (
    <Popover
      label={`Switch toolset: ${chosen()?.title ?? ""}`}
      title={`Toolset: ${chosen()?.title ?? ""}. ${chosen()?.about ?? ""}`}
      class="picker chip bare aside"
      side="above"
      control={props.control}
      button={
        <>
          <WrenchIcon size={14} aria-hidden="true" />
          <span class="picker-name ellipsis">{chosen()?.title}</span>
        </>
      }
    >
      {(close) => (
        <>
          <h3>Toolset</h3>
          <ul class="popover-list unlisted column">
            <For each={workbench.state.models?.toolsets}>
              {({ name, title, about }) => (
                <li>
                  <Choice
                    isChosen={chosen()?.name === name}
                    name={title}
                    about={about}
                    onChoose={() => {
                      layout.set({ toolset: name });
                      close();
                    }}
                  />
                </li>
              )}
            </For>
          </ul>
        </>
      )}
    </Popover>
  );
}
