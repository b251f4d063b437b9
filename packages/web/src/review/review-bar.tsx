// The slim bar over a document with open changes: how many, which one, and what to do with all of them.

import ChevronDownIcon from "lucide-solid/icons/chevron-down";
import ChevronUpIcon from "lucide-solid/icons/chevron-up";
import { createMemo, Show } from "solid-js";
import { plural } from "../status/word-count.ts";
import { Button, CommandButton } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { decisionsOf } from "./decisions.ts";
import { decideOpen, showDiff } from "./review-commands.ts";
import type { Verdict } from "./selection.ts";
import "./review-bar.css";

export function ReviewBar(props: { readonly document: number }) {
  const workbench = useWorkbench();
  const reviews = decisionsOf(workbench);
  const review = createMemo(() => reviews.of(props.document));
  const hunks = () => review()?.placed().hunks ?? [];
  const at = () => review()?.cursorIndex() ?? -1;
  const wholeTurn = () => review()?.wholeTurn();
  const decide = (verdict: Verdict) => {
    const here = review();
    if (here !== undefined) void decideOpen(workbench, here, verdict);
  };
  const what = () => {
    const turn = wholeTurn();
    const count = turn === undefined ? 0 : reviews.countOf({ turn }).hunks;
    return turn === undefined ? "file" : count === 1 ? "turn" : `all ${count}`;
  };
  const reason = () => hunks()[at()]?.hunk.rationales[0];
  const tip = (title: string, id: string) => workbench.commands.titleOf(title, id);
  const title = () =>
    workbench.state.tabs.find((tab) => tab.document === props.document)?.title ?? "Document";
  return (
    <Show when={hunks().length > 0}>
      <section class="review-strip divided" aria-label="Changes to review">
        <p class="review-strip-count ellipsis">
          <span aria-live="polite">
            {plural(hunks().length, "change")}
            <span class="review-strip-who"> by the agent</span>
          </span>
          <Show when={at() >= 0}>
            <span class="review-strip-at faint review-strip-place">
              {at() + 1} of {hunks().length}
            </span>
          </Show>
          <Show when={review()?.isOnDisk()}>
            <span class="review-strip-at faint" title="What you reject is taken back from disk at once.">
              on disk already
            </span>
          </Show>
          <Show when={wholeTurn()}>
            <span
              class="review-strip-at faint review-strip-whole"
              title="The changes of this turn belong together. They are accepted or rejected together."
            >
              decided as a whole
            </span>
          </Show>
          <Show when={reason()}>
            {(text) => (
              <span class="review-strip-at faint review-strip-reason" title={text()}>
                {text()}
              </span>
            )}
          </Show>
        </p>
        <div class="review-strip-tools row">
          <CommandButton icon={ChevronUpIcon} label="Previous change" command="review.previous" />
          <CommandButton icon={ChevronDownIcon} label="Next change" command="review.next" />
          <Button
            small
            class="review-yes"
            title={tip(`Accept ${what()}`, "review.acceptFile")}
            onPress={() => decide("accept")}
          >
            Accept {what()}
          </Button>
          <Button
            small
            class="review-no"
            title={tip(`Reject ${what()}`, "review.rejectFile")}
            onPress={() => decide("reject")}
          >
            Reject {what()}
          </Button>
          <Button
            small
            title={tip("Side by side", "review.diff")}
            onPress={() => showDiff(workbench, props.document, title())}
          >
            Diff
          </Button>
        </div>
      </section>
    </Show>
  );
}
