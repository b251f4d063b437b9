// What a step asks for, done by the tour itself: through the same routes, with the same effect.

import { agentOf } from "../agent/agent.ts";
import { fillComposer } from "../agent/composer-text.ts";
import type { Desk } from "../workspace/desk.ts";
import { type OpenHunk, type TourTurn, toReject } from "./tour-steps.ts";

export const request = "Rename Tobias to Elias in all files";

export async function ask(desk: Desk): Promise<void> {
  const session = await agentOf(desk).ensureSession();
  if (session === undefined) return;
  fillComposer(desk, "");
  await desk.told(desk.client.call("run", { body: { session_id: session, instruction: request } }));
}

export async function showFirst(desk: Desk, hunks: readonly OpenHunk[]): Promise<void> {
  const [first] = hunks;
  if (first !== undefined) await desk.openDocument(first.document, first.line);
}

export async function reject(desk: Desk, turn: TourTurn, open: readonly OpenHunk[]): Promise<void> {
  const hunk_ids = toReject(turn, open).map(({ id }) => id);
  await desk.told(desk.client.call("decide", { body: { verdict: "reject", hunk_ids } }));
}

export async function accept(desk: Desk, open: readonly OpenHunk[]): Promise<void> {
  const hunk_ids = open.map(({ id }) => id);
  await desk.told(desk.client.call("decide", { body: { verdict: "accept", hunk_ids } }));
}

export async function save(desk: Desk): Promise<void> {
  await desk.saveAll();
}
