// Find and replace as an edit like any other: based on a revision, under a policy, all of it or nothing.
//
// Apart from revise.ts because the engine for regular expressions is large, and loaded only where it is needed.

import { type Fault, isFault } from "@stet/protocol/fault";
import { type FindOptions, planReplace } from "./find.ts";
import { type History, type Provenance, rebaseSplices, textAt } from "./history.ts";
import { type Revised, reviseBy, versionMismatch } from "./revise.ts";

export interface ReplaceRequest extends Provenance {
  /** The revision that the author of the request saw. */
  readonly revision: number;
  readonly policy: { readonly kind: "strict" } | { readonly kind: "rebase" };
  readonly find: string;
  readonly replacement: string;
  readonly options?: FindOptions;
  readonly rewrite?: boolean;
}

export interface ReplacedAll extends Revised {
  readonly matchesFound: number;
  readonly replacementsMade: number;
}

export function replaceAll(history: History, request: ReplaceRequest): ReplacedAll | Fault {
  const { revision, policy, find, replacement, options = {} } = request;
  if (policy.kind === "strict" && revision !== history.revision) return versionMismatch(history, revision);
  const seen = textAt(history, revision);
  if (isFault(seen)) return seen;
  const plan = planReplace(seen, find, replacement, options);
  if (isFault(plan)) return plan;
  const planned = plan.splices.map((splice) => {
    return { ...splice, target: { first: splice.at, last: splice.at + splice.removed - 1 } };
  });
  const rebased = rebaseSplices(history, revision, planned);
  if (isFault(rebased)) return rebased;
  const revised = reviseBy(history, rebased, request);
  if (isFault(revised)) return revised;
  return { ...revised, matchesFound: plan.matchesFound, replacementsMade: plan.replacements.length };
}
