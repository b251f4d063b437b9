// What the tour says at each step, and what it points at.

import { request } from "./tour-actions.ts";
import { type Facts, type OpenHunk, type StepId, toReject } from "./tour-steps.ts";

export interface TourWords {
  readonly title: string;
  readonly text: string;
  /** Of the button that goes on, where there is one. */
  readonly action?: string;
  /** Whether the person does it themselves; then the button only offers to. */
  readonly isTheirs?: boolean;
  /** Whether what it is about can be brought into sight again. */
  readonly canShow?: boolean;
  /** What to point at: the first of these that is there. */
  readonly targets: readonly string[];
  /** What is to be seen with it, and therefore not covered. */
  readonly surroundings?: string;
}

const forMe = "Do it for me";

export function wordsOf(
  step: StepId,
  facts: Facts,
  keysOf: (command: string) => string | undefined,
): TourWords {
  const orKeys = (command: string) => {
    const keys = keysOf(command);
    return keys === undefined ? "" : ` (${keys})`;
  };
  switch (step) {
    case "welcome":
      return {
        title: "Welcome to Stet",
        text: "This is a short novel to try things on. In two minutes you let the agent change it, decide what stays, and take everything back. It is a copy, so nothing can break.",
        action: "Start the tour",
        targets: [],
      };
    case "ask":
      return {
        title: "Ask the agent",
        text: `The harbour master gets another name. “${request}” is written in the agent's field already: send it.`,
        action: forMe,
        isTheirs: true,
        canShow: true,
        targets: ['[data-tour="composer"]'],
      };
    case "wait":
      return {
        title: "The agent is at work",
        text: "It looks for the name in all files and proposes changes. Nothing is written to disk.",
        targets: ['[data-tour="composer"]'],
      };
    case "reject":
      return rejectWords(facts, orKeys("review.reject"));
    case "accept":
      return {
        ...acceptWords(facts.open),
        action: forMe,
        isTheirs: true,
        canShow: true,
        targets: ['[data-tour="accept-all"]', '[data-tour="panel-review"]'],
        surroundings: ".left-panel",
      };
    case "save":
      return {
        title: "Save",
        text: `What you accepted is in the documents, and not on disk yet. Save all of them${orKeys("file.saveAll")}.`,
        action: forMe,
        isTheirs: true,
        targets: ['[data-tour="save-decided"]', ".tab-bar"],
        surroundings: ".left-panel",
      };
    case "history":
      return {
        title: "Look at the history",
        text: `Every turn of the agent is kept, with what was there before it. Open the history${orKeys("panel.history")}.`,
        action: forMe,
        isTheirs: true,
        targets: ['[data-tour="panel-history"]', '[data-tour="panel-more"]'],
      };
    case "rollback":
      return {
        title: "Take it all back",
        text: "Under “All checkpoints”, open the turn and choose “Roll back everything”. You see exactly what would change before anything does.",
        action: forMe,
        isTheirs: true,
        canShow: true,
        targets: ['[data-tour="roll-back"]', ".history-list .history-turn", "#history-tab-all"],
        surroundings: ".left-panel",
      };
    case "saveBack":
      return {
        title: "Everything is as before",
        text: `The documents are as they were before the turn. Save once more${orKeys("file.saveAll")}, and so are the files. Going back can be undone, too: it is in the history.`,
        action: forMe,
        isTheirs: true,
        targets: ['[data-tour="save-decided"]', ".tab-bar"],
      };
    case "done":
      return {
        title: "That was the tour",
        text: `To open a folder of your own, start Stet with npm start -- --root DIR. To connect a model, see the agent's sidebar. Everything that can be done is in the palette${orKeys("palette.commands")}.`,
        action: "Close",
        targets: [],
      };
  }
}

function acceptWords(open: readonly OpenHunk[]): { readonly title: string; readonly text: string } {
  if (open.some(({ isWhole }) => isWhole)) {
    return {
      title: "Accept the turn",
      text: "With toolset Tabs, the changes of a turn belong together: they are accepted or rejected all at once. Accept them in the review panel.",
    };
  }
  const count = open.length === 1 ? "One change is" : `The other ${open.length} changes are`;
  return {
    title: "Accept the rest",
    text: `${count} right. Accept them in the review panel, file by file or all at once.`,
  };
}

function rejectWords({ turn, open }: Facts, keys: string): TourWords {
  const wrong = turn === undefined ? [] : toReject(turn, open);
  const isFirst = turn !== undefined && open.length === turn.hunks;
  const isAboutHim = wrong.some(({ removed }) => removed.includes("Ketteridge"));
  const count = wrong.length === 1 ? "One change is" : `${wrong.length} changes are`;
  const text = isAboutHim
    ? isFirst
      ? `The changes are in the text, and you decide on each. ${count} wrong: Tobias Ketteridge, who built the tower, is another man and keeps his name. Reject the change at line ${wrong[0]?.line} with the cross beside it.`
      : `${count} still about Tobias Ketteridge, who keeps his name. Reject ${wrong.length === 1 ? "it" : "them"}, too${keys}.`
    : `The changes are in the text, and you decide on each. Reject the change at line ${wrong[0]?.line} with the cross beside it.`;
  return {
    title: "Reject what should stay",
    text,
    action: forMe,
    isTheirs: true,
    canShow: true,
    targets: [`.review-bar[aria-label="Change at line ${wrong[0]?.line}"]`, ".review-strip"],
    surroundings: ".stage",
  };
}
