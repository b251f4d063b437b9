// A session as a tree: all its messages, going back to an earlier entry, and labels of entries.

import type { Operations } from "@stet/protocol/api/operation";
import type { SessionTreeNode } from "@stet/protocol/api/sessions";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { SessionEntry } from "@stet/session/entry";
import type { Session } from "@stet/session/session-tree";
import { depthFirst, visibleLeaf } from "@stet/session/visible-tree";
import { tellIfFault } from "@stet/storage/notices";
import { checkpointIdOf } from "@stet/workspace/checkpoints/checkpoints";
import type { Host } from "../host.ts";
import { modelFailed } from "../jobs/job-faults.ts";
import { branchSummary } from "../turn/branch-summary.ts";
import { isRefused } from "../turn/choose-model.ts";
import { deliveryEntry } from "../turn/conversation.ts";
import { keptChoices, modelFor } from "../turn/session-choices.ts";
import { isAtWork, jobAtWork } from "./job-at-work.ts";
import { treeEntries } from "./tree-entries.ts";

export function treeOperations(host: Host) {
  const { sessions, store, events } = host;
  /** Undefined where none is wanted, or where nothing is left behind. */
  const summaryOf = async (
    session: Session,
    leafId: string | null,
    {
      summarise,
      summary_prompt: prompt,
    }: { summarise?: boolean | undefined; summary_prompt?: string | undefined },
    signal: AbortSignal,
  ) => {
    const configured = host.configuration();
    if (isFault(configured)) return configured;
    const { settings } = configured;
    if (!(summarise ?? settings["branchSummary.enabled"])) return undefined;
    const asked = modelFor(session, settings, keptChoices(session));
    const chosen = await host.chooseModel(settings, {}, asked);
    if (isRefused(chosen)) return modelFailed(chosen);
    return branchSummary(session, leafId, chosen.model, { prompt, signal });
  };

  return {
    async sessionTree({ params, query }) {
      const session = await sessions.find(params.session_id);
      if (isFault(session)) return session;
      const words = wordsOf(query.query ?? "");
      const shown = await treeEntries(session, query.filter, words);
      const onPath = new Set(session.pathSlots());
      const nodes: SessionTreeNode[] = [];
      for (const { slot, parent, depth } of depthFirst(session.log.index, (one) => shown.has(one))) {
        const entry = shown.get(slot);
        if (entry === undefined) continue;
        if (nodes.length === query.limit) return { leaf_id: visibleLeaf(session), nodes, truncated: true };
        nodes.push({
          entry_id: entry.entry_id,
          parent_id: parent?.head.id ?? null,
          depth,
          kind: entry.kind,
          text: entry.text,
          ts: entry.ts,
          label: session.label(slot.head.id) ?? null,
          is_on_path: onPath.has(slot),
        });
      }
      return { leaf_id: visibleLeaf(session), nodes, truncated: false };
    },

    async branchSession({ params, body }, { signal }) {
      const { session_id: id } = params;
      const job = await jobAtWork(store, id);
      const session = await sessions.find(id);
      if (isFault(session)) return session;
      if (job !== undefined || sessions.isHeld(id)) return isAtWork(id, job);
      const destination = session.destination(body.entry_id);
      if (isFault(destination)) return destination;
      const { leafId, prefill } = destination;
      const left = session.abandonedTurns(leafId);
      const summary = await summaryOf(session, leafId, body, signal);
      if (isFault(summary)) return summary;
      const begun = await jobAtWork(store, id);
      if (begun !== undefined || sessions.isHeld(id)) return isAtWork(id, begun);
      // The last entry of the file is where the conversation goes on, also for the next process that opens it.
      const kept =
        summary === undefined
          ? goOnFrom(session, leafId, body.entry_id)
          : session.branchWithSummary(leafId, summary);
      if (isFault(kept)) return kept;
      const ended = host.open.endTimers(id);
      if (ended !== undefined) tellIfFault(session.append(deliveryEntry(host.redact(ended))));
      events.tellSession(id);
      return {
        leaf_id: visibleLeaf(session),
        prefill: prefill ?? null,
        left_turns: left.map(({ turnId, summary }) => {
          return { turn: turnId, checkpoint_id: checkpointIdOf(turnId), summary };
        }),
      };
    },

    async labelEntry({ params, body }) {
      const session = await sessions.find(params.session_id);
      if (isFault(session)) return session;
      const { entry_id, label } = body;
      const kept = session.setLabel(entry_id, label);
      if (isFault(kept)) return kept;
      events.tellSession(params.session_id);
      return { entry_id, label: label === "" ? null : label };
    },
  } satisfies Partial<Operations>;
}

function goOnFrom(session: Session, leafId: string | null, entryId: string): SessionEntry | Fault {
  const branched = leafId === null ? session.resetLeaf() : session.branch(leafId);
  if (isFault(branched)) return branched;
  return session.append({ type: "custom", customType: "branch", data: { entryId } });
}

/** What was typed, as words to look for, whatever their case. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}
