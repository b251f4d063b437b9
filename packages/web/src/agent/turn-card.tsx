// What a turn left to decide.

import type { Item } from "@stet/client/items";
import ReviewIcon from "lucide-solid/icons/list-checks";
import { Show } from "solid-js";
import { sessionWorkOf } from "../agents/session-work.ts";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { reviewTurn } from "./review-turn.ts";
import { turnWords } from "./turn-words.ts";

export function TurnCard(props: { readonly item: Extract<Item, { kind: "turn" }> }) {
  const workbench = useWorkbench();
  const known = () => workbench.state.review.turns.find(({ turn }) => turn === props.item.turn);
  const open = () => known()?.hunks ?? props.item.hunks ?? 0;
  /** Of the agent that made it, where the session's own had sent it. */
  const author = () => {
    const { agents } = sessionWorkOf(workbench).state;
    return known()?.agent ?? agents.find(({ turn }) => turn === props.item.turn)?.agent_id;
  };
  const words = () => {
    const said = turnWords({ ...props.item, open: open(), isOnDisk: known()?.is_on_disk === true });
    return author() === undefined ? said : `${author()}: ${said}`;
  };
  return (
    <div class="chat-turn bar" classList={{ open: open() > 0 }}>
      <ReviewIcon size={16} aria-hidden="true" />
      <span class="chat-turn-words grow">{workbench.state.hasReview ? words() : "…"}</span>
      <Show when={open() > 0}>
        <Button small class="primary" onPress={() => reviewTurn(workbench, props.item.turn)}>
          Review changes
        </Button>
      </Show>
    </div>
  );
}
