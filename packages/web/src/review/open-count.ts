// How many changes wait for a decision. The bar, the tabs, the tree, the panel and the status line all count here, so that they
// say the same: of a document that is open here, what is drawn in its text; of the others, the last reply.

import type { Workbench } from "../workspace/workbench.ts";
import { decisionsOf } from "./decisions.ts";

/** By document, without those that have none. A memo that calls this follows the review. */
export function openCounts(workbench: Workbench): ReadonlyMap<number, number> {
  const reviews = decisionsOf(workbench);
  const hidden = reviews.hidden();
  const counts = new Map<number, number>();
  for (const { document, hunks } of workbench.state.review.files) {
    counts.set(document, hunks.filter(({ hunk_id }) => !hidden.has(hunk_id)).length);
  }
  for (const review of reviews.reviews()) {
    if (review.isKnown()) counts.set(review.document.id, review.count());
  }
  for (const [document, count] of counts) if (count === 0) counts.delete(document);
  return counts;
}

export function openCount(workbench: Workbench): number {
  let sum = 0;
  for (const count of openCounts(workbench).values()) sum += count;
  return sum;
}
