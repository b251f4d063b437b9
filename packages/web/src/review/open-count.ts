// How many changes wait for a decision. The bar, the tabs, the tree, the panel and the status line all count here, so that they
// say the same: of a document that is open here, what is drawn in its text; of the others, what was heard last.

import type { Desk } from "../workspace/desk.ts";
import { reviewDeskOf } from "./review-desk.ts";

/** By document, without those that have none. A memo that calls this follows the review. */
export function openCounts(desk: Desk): ReadonlyMap<number, number> {
  const reviews = reviewDeskOf(desk);
  const hidden = reviews.hidden();
  const counts = new Map<number, number>();
  for (const { document, hunks } of desk.state.review.files) {
    counts.set(document, hunks.filter(({ hunk_id }) => !hidden.has(hunk_id)).length);
  }
  for (const review of reviews.reviews()) {
    if (review.isKnown()) counts.set(review.document.id, review.count());
  }
  for (const [document, count] of counts) if (count === 0) counts.delete(document);
  return counts;
}

export function openCount(desk: Desk): number {
  let sum = 0;
  for (const count of openCounts(desk).values()) sum += count;
  return sum;
}
