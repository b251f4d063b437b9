// Gives the agent a place that was found to see.

import AddIcon from "lucide-solid/icons/message-square-plus";
import { addContextRow } from "../agent/context.ts";
import { useWorkbench } from "../workspace/workbench.ts";

export function AddToContext(props: { readonly path: string; readonly line: number }) {
  const workbench = useWorkbench();
  return (
    <button
      type="button"
      class="icon-button search-add"
      aria-label={`Add line ${props.line} of ${props.path} to the agent's context`}
      title="Add to the agent's context"
      onClick={() =>
        void addContextRow(workbench, {
          kind: "selection",
          file_path: props.path,
          start_line: props.line,
          end_line: props.line,
        })
      }
    >
      <AddIcon size={14} />
    </button>
  );
}
