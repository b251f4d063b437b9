// Going on from an entry that was chosen in the tree: a summary of what is left where that is wanted, the move itself, and the
// files.

import { isFault } from "@stet/protocol/fault";
import type { App } from "../app.ts";
import { waitFor } from "../commands/wait-for.ts";
import { goBack } from "../review/go-back.ts";
import { type TreeChoice, TreePanel, type TreePosition } from "./tree-panel.ts";

interface Summary {
  readonly summarise: boolean;
  readonly summary_prompt?: string;
}

const noSummary: Summary = { summarise: false };

/** The tree, as often as the person comes back to it. */
export async function openTree(app: App): Promise<void> {
  if (app.conversation.id === "") {
    app.tell("Nothing was said in this session yet.");
    return;
  }
  let position: TreePosition | undefined;
  for (;;) {
    const choice = await chooseEntry(app, position);
    if (choice === undefined) return;
    if (choice.isLeaf) {
      app.tell("Already at this point");
      return;
    }
    position = choice.position;
    if ((await goOnFrom(app, choice.node.entry_id)) === "moved") return;
  }
}

async function chooseEntry(app: App, position: TreePosition | undefined): Promise<TreeChoice | undefined> {
  let chosen: TreeChoice | undefined;
  const session = app.conversation.id;
  const open = (close: () => void) =>
    new TreePanel(app, {
      session,
      position,
      done(choice) {
        chosen = choice;
        close();
      },
    });
  await app.dialogs.panel(open);
  return chosen;
}

/** `back`: the tree is to be shown again, and nothing was moved. */
async function goOnFrom(app: App, entry: string): Promise<"moved" | "back"> {
  const summary = app.settings["branchSummary.enabled"] ? await askForSummary(app) : noSummary;
  if (summary === undefined) return "back";
  const session = app.conversation.id;
  const call = (signal: AbortSignal) =>
    app.api.call(
      "branchSession",
      { params: { session_id: session }, body: { entry_id: entry, ...summary } },
      signal,
    );
  const moved = summary.summarise
    ? await waitFor(app, "Summarizing what is left behind …", call)
    : await call(new AbortController().signal);
  if (isFault(moved)) {
    if (moved.error !== "aborted") app.tellFault(moved);
    return "back";
  }
  await app.openSession(session, moved.prefill ?? undefined);
  await offerFiles(app, moved.left_turns);
  return "moved";
}

/** Undefined is Esc. */
async function askForSummary(app: App): Promise<Summary | undefined> {
  for (;;) {
    const choice = await app.dialogs.choose({
      title: "Keep a summary of what is left behind?",
      choices: [
        { value: "none" as const, label: "No summary" },
        { value: "summary" as const, label: "Summarize" },
        { value: "prompt" as const, label: "Summarize with custom prompt" },
      ],
    });
    if (choice === undefined) return undefined;
    if (choice === "none") return noSummary;
    if (choice === "summary") return { summarise: true };
    const prompt = await app.dialogs.ask({ title: "What shall the summary tell?" });
    if (prompt !== undefined && prompt.trim() !== "")
      return { summarise: true, summary_prompt: prompt.trim() };
  }
}

/** The turns that were left still have their changes in the files. */
async function offerFiles(
  app: App,
  left: readonly { readonly checkpoint_id: string; readonly summary: string }[],
): Promise<void> {
  if (left.length === 0) return;
  const turns = left.length === 1 ? "a turn" : `${left.length} turns`;
  await goBack(app, {
    ways: [
      {
        title: `The way that you left changed files in ${turns}`,
        rollbacks: left.map(({ checkpoint_id }) => ({ checkpoint: checkpoint_id })),
      },
    ],
    question: "Take the files back, too? This is what would change in them; otherwise they stay as they are.",
    done: "Took back",
  });
}
