// What the agent may do, and to what.

import WrenchIcon from "lucide-solid/icons/wrench";
import { For } from "solid-js";
import { useDesk } from "../workspace/desk.ts";
import { Choice } from "./model-picker.tsx";
import { Popover, type PopoverControl } from "./popover.tsx";
import { chosenToolset, type ToolsetName, toolsets } from "./speaking.ts";

const names: Readonly<Record<ToolsetName, readonly [name: string, about: string]>> = {
  project: ["Project", "All files of the folder; you review change by change, and can go on writing."],
  tabs: ["Tabs", "The open documents, of any length; you review the turn as a whole."],
  paper: ["Paper", "The document in front, in small steps that follow your text."],
  code: [
    "Code",
    "A programmer's tools: edits are on disk at once, commands run; you review and undo afterwards.",
  ],
};

export function ToolsetPicker(props: { readonly control: (control: PopoverControl) => void }) {
  const desk = useDesk();
  const { layout } = desk;
  const chosen = () => chosenToolset(desk);
  return (
    <Popover
      label={`Switch toolset: ${names[chosen()][0]}`}
      title={`Toolset: ${names[chosen()][0]}. ${names[chosen()][1]}`}
      class="picker"
      side="above"
      control={props.control}
      button={
        <>
          <WrenchIcon size={14} aria-hidden="true" />
          <span class="picker-name">{names[chosen()][0]}</span>
        </>
      }
    >
      {(close) => (
        <>
          <h3>Toolset</h3>
          <ul class="popover-list">
            <For each={toolsets}>
              {(name) => (
                <li>
                  <Choice
                    isChosen={chosen() === name}
                    name={names[name][0]}
                    about={names[name][1]}
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
