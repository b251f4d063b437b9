// What a step asks for, done by the tour itself: through the same routes, with the same effect.

import { agentOf } from "../agent/agent.ts";
import { fillComposer } from "../agent/composer-text.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { type OpenHunk, type TourTurn, toReject } from "./tour-steps.ts";

export const request = "Rename Tobias to Elias in all files";

export async function ask(workbench: Workbench): Promise<void> {
  const session = await agentOf(workbench).ensureSession();
  if (session === undefined) return;
  fillComposer(workbench, "");
  await workbench.ask("run", { body: { session_id: session, instruction: request } });
}

export async function showFirst(workbench: Workbench, hunks: readonly OpenHunk[]): Promise<void> {
  const [first] = hunks;
  if (first !== undefined) await workbench.openDocument(first.document, first.line);
}

export async function reject(workbench: Workbench, turn: TourTurn, open: readonly OpenHunk[]): Promise<void> {
  const hunk_ids = toReject(turn, open).map(({ id }) => id);
  await workbench.ask("decide", { body: { verdict: "reject", hunk_ids } });
}

export async function accept(workbench: Workbench, open: readonly OpenHunk[]): Promise<void> {
  const hunk_ids = open.map(({ id }) => id);
  await workbench.ask("decide", { body: { verdict: "accept", hunk_ids } });
}

export async function save(workbench: Workbench): Promise<void> {
  await workbench.saveAll();
}
