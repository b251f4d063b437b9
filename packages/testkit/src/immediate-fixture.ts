// Short ways to do what tests of turns whose edits are on disk at once do all the time.

import { existsSync, readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import type { LineEdit } from "@stet/text/edits";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import { must, TestWorkspace } from "./workspace.ts";

export const song = "one\ntwo\nthree\nfour\n";

export const replaceTwo: LineEdit = { op: "replace", from: 2, to: 2, content: "TWO" };

export async function openFixture(
  t: TestContext,
  files: Record<string, string | Uint8Array> = { "a.txt": song },
) {
  const place = new TestWorkspace(t, files);
  const workspace = await place.open();
  const read = (name: string) => readFileSync(place.path(name), "utf8");
  const exists = (name: string) => existsSync(place.path(name));
  return { place, workspace, read, exists };
}

export function begin(workspace: Workspace): Turn {
  return workspace.beginTurn({ summary: "immediate", isImmediate: true });
}

/** Stages edits on what the turn sees. */
export function stage(turn: Turn, document: number, ...edits: LineEdit[]): void {
  const { revision } = must(turn.read(document));
  must(turn.edit(document, { revision, policy: { kind: "rebase" }, edits }));
}

/** Everything that is open is rejected, on disk, too. */
export function rejectAll(workspace: Workspace) {
  return workspace.decide(() => workspace.review.reject("everything"));
}
