// Gives the agent a place that was found to see.

import AddIcon from "lucide-solid/icons/message-square-plus";
import { addContextRow } from "../agent/context.ts";
import { IconButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";

export function AddToContext(props: { readonly path: string; readonly line: number }) {
  const workbench = useWorkbench();
  return (
    <IconButton
      icon={AddIcon}
      size={14}
      class="search-add"
      label={`Add line ${props.line} of ${props.path} to the agent's context`}
      title="Add to the agent's context"
      onPress={() =>
        void addContextRow(workbench, {
          kind: "selection",
          file_path: props.path,
          start_line: props.line,
          end_line: props.line,
        })
      }
    />
  );
}
