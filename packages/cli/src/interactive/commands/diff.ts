// /diff: everything that is open, what is open in one file (/diff FILE), or what the latest turn did (/diff turn, and where
// nothing is open), in the pager.

import { relative, resolve } from "node:path";
import type { RollbackPatch } from "@stet/client/rollback";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { Component } from "@stet/tui/component";
import { nameOf } from "../../hunk-lines.ts";
import type { App } from "../app.ts";
import { checkpointTitle } from "../review/checkpoint-words.ts";
import { openPatches, turnPatches } from "../review/diff-patches.ts";
import { planRows } from "../review/rollback-panel.ts";

const mostCheckpoints = 200;

export async function diff(argument: string, app: App): Promise<void> {
  if (argument === "turn") {
    await showTurn(app);
    return;
  }
  const review = await app.api.call("listReview", { query: { compare: "true" } });
  if (isFault(review)) {
    app.tellFault(review);
    return;
  }
  const named = [argument, relative(app.root, resolve(app.folder, argument))];
  const files = review.files.filter((file) => argument === "" || named.includes(nameOf(file)));
  if (files.length === 0) {
    if (argument === "") await showTurn(app, "Nothing is open. ");
    else app.tell(`Nothing is open in ${visibleName(argument)}.`);
    return;
  }
  const patches = await openPatches(app.api, files);
  if (isFault(patches)) app.tellFault(patches);
  else await show(app, argument === "" ? "Open changes" : `Open changes in ${argument}`, patches);
}

/** Files with something open, for completion. */
export async function completeDiff(word: string, app: App): Promise<string[]> {
  const review = await app.api.call("listReview", { query: {} });
  const names = isFault(review) ? [] : review.files.map(nameOf);
  return ["turn", ...names].filter((name) => name.startsWith(word));
}

async function showTurn(app: App, before = ""): Promise<void> {
  const reply = await app.api.call("listCheckpoints", { query: { limit: mostCheckpoints } });
  if (isFault(reply)) {
    app.tellFault(reply);
    return;
  }
  const { id } = app.conversation;
  const latest = reply.checkpoints.find(({ kind, session_id }) => kind === "agent" && session_id === id);
  if (latest === undefined) {
    app.tell(`${before}No turn of this session has changed anything yet.`);
    return;
  }
  const patches = await turnPatches(app.api, latest);
  if (isFault(patches)) app.tellFault(patches);
  else await show(app, `${before}The latest turn: ${checkpointTitle(latest)}`, patches);
}

async function show(app: App, title: string, patches: readonly RollbackPatch[]): Promise<void> {
  const content: Component = {
    render: (width) => planRows({ patches, conflicts: [] }, [], width, app.theme),
  };
  await app.dialogs.page(visibleName(title), kept(content));
}

/** Draws once for each width: a long diff is not made anew for every key. */
function kept(content: Component): Component {
  let drawn: { readonly width: number; readonly rows: readonly string[] } | undefined;
  return {
    render(width) {
      if (drawn?.width !== width) drawn = { width, rows: content.render(width) };
      return drawn.rows;
    },
  };
}
