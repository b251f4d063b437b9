// What can be done with the chosen entry of a conversation: read it, name it, go on from it.

import type { SessionTreeNode } from "@stet/protocol/api/sessions";
import GoOnIcon from "lucide-solid/icons/corner-down-right";
import { createEffect, createSignal, on } from "solid-js";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { kinds } from "./session-node.tsx";

export function SessionDetail(props: {
  readonly session: string;
  readonly node: SessionTreeNode;
  readonly onLabel: () => void;
  readonly onGoOn: () => void;
}) {
  const workbench = useWorkbench();
  const [label, setLabel] = createSignal("");
  createEffect(
    on(
      () => [props.node.entry_id, props.node.label] as const,
      ([, known]) => setLabel(known ?? ""),
    ),
  );
  const isChanged = () => label().trim() !== (props.node.label ?? "");
  const keep = async () => {
    const kept = await workbench.ask("labelEntry", {
      params: { session_id: props.session },
      body: { entry_id: props.node.entry_id, label: label() },
    });
    if (kept !== undefined) props.onLabel();
  };
  return (
    <section class="tree-detail" aria-label="The chosen message">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reached by the keyboard */}
      <p class="tree-detail-text verbatim" tabIndex={0}>
        <strong>{kinds[props.node.kind].title}:</strong> {props.node.text}
      </p>
      <form
        class="tree-detail-actions cluster"
        onSubmit={(event) => {
          event.preventDefault();
          void keep();
        }}
      >
        <Field
          label="Label of this place"
          placeholder="Label this place"
          maxLength={100}
          value={label()}
          onType={setLabel}
        />
        <button type="submit" class="button" disabled={!isChanged()}>
          {label().trim() === "" && props.node.label !== null ? "Remove label" : "Keep label"}
        </button>
        <Button class="primary" onPress={() => props.onGoOn()}>
          <GoOnIcon size={14} /> Go on from here
        </Button>
      </form>
    </section>
  );
}
