// Everything that a key does in the interactive mode: one row for each action, grouped by where it holds. Completion of keys.json,
// /help and docs/terminal.md are made from this table, and every component takes its keys from it. A row is added together with
// what it does.
//
// A group that is narrower comes first: a key of the list is the list's while a list is open, whatever it does everywhere else.
// What a component leaves (Ctrl-D on an empty prompt) goes on to `everywhere`.

import { pagerActions } from "@stet/tui/components/pager";
import { selectActions } from "@stet/tui/components/select-list";
import { editorActions } from "@stet/tui/editor/editor-keys";
import { agentsActions, jobsActions } from "../background/background-keys.ts";
import { reviewActions } from "../review/review-keys.ts";
import { treeActions } from "../sessions/tree-keys.ts";

export interface KeyAction {
  /** The keys unless keys.json says otherwise. */
  readonly keys: readonly string[];
  /** As /help shows it, without a full stop. */
  readonly help: string;
}

export const keyActions = {
  everywhere: {
    "app.interrupt": { keys: ["escape"], help: "Stop the turn; clear what is written; twice: the tree" },
    "app.clear": { keys: ["ctrl+c"], help: "Clear what is written; twice: leave" },
    "app.exit": { keys: ["ctrl+d"], help: "Leave, where nothing is written" },
    "app.suspend": { keys: ["ctrl+z"], help: "Stop and go back to the shell; fg comes back" },
    "app.screen.redraw": { keys: ["ctrl+l"], help: "Draw the whole screen anew" },
    "app.permission.next": { keys: ["shift+tab"], help: "The next permission mode" },
    "app.message.dequeue": { keys: ["alt+up"], help: "Take queued messages back into the prompt" },
    "app.message.followUp": {
      keys: ["ctrl+enter", "ctrl+s"],
      help: "Send it for when the turn is done; Enter alone steers the turn",
    },
    "app.tool.open": {
      keys: ["ctrl+o"],
      help: "Open the last tool call, or what the agent was told last, in the pager",
    },
    "app.thinking.toggle": { keys: ["ctrl+t"], help: "Show or fold what the model thinks" },
    "app.step.take": {
      keys: ["tab"],
      help: "After an error, where nothing is written: take the step it offers",
    },
    "app.command.background": {
      keys: ["ctrl+b"],
      help: "While a command of the agent runs and nothing is written: let it go on in the background",
    },
    "app.session.tree": { keys: [], help: "Open the tree of the session" },
  },
  prompt: {
    ...editorActions,
    "prompt.complete": { keys: ["tab"], help: "Complete a file behind @, a command behind /" },
    "prompt.history.search": { keys: ["ctrl+r"], help: "Search in everything that was sent before" },
    "prompt.paste": { keys: ["ctrl+v"], help: "Paste a picture from the clipboard" },
    "prompt.externalEditor": { keys: ["ctrl+g"], help: "Go on writing in $VISUAL or $EDITOR" },
  },
  list: selectActions,
  models: {
    "models.favourite": { keys: ["ctrl+f"], help: "Make the selected model a favourite, or no longer" },
  },
  pager: pagerActions,
  review: reviewActions,
  tree: treeActions,
  agents: agentsActions,
  jobs: jobsActions,
} as const satisfies Readonly<Record<string, Readonly<Record<string, KeyAction>>>>;

export type KeyGroup = keyof typeof keyActions;
export type ActionIn<Group extends KeyGroup> = keyof (typeof keyActions)[Group] & string;
export type ActionId = { [Group in KeyGroup]: ActionIn<Group> }[KeyGroup];

export const keyGroupTitles: Readonly<Record<KeyGroup, string>> = {
  everywhere: "Everywhere",
  prompt: "In the prompt",
  list: "In lists",
  models: "In the list of models",
  pager: "In the pager",
  review: "In the review",
  tree: "In the tree of a session",
  agents: "In the list of agents",
  jobs: "In the list of background work",
};
