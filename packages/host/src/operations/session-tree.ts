// A session as a tree: all its messages, going back to an earlier entry, and labels of entries.

import { setImmediate } from "node:timers/promises";
import type { Operations } from "@stet/protocol/api/operation";
import type { SessionTreeNode } from "@stet/protocol/api/sessions";
import { Fault, isFault } from "@stet/protocol/fault";
import type { SessionEntry } from "@stet/session/entry";
import type { EntrySlot } from "@stet/session/entry-index";
import type { Session } from "@stet/session/session-tree";
import { depthFirst, isVisibleType, visibleLeaf } from "@stet/session/visible-tree";
import { checkpointIdOf } from "@stet/workspace/checkpoints/checkpoints";
import type { Host } from "../host.ts";
import { modelFailed } from "../jobs/job-faults.ts";
import { branchSummary } from "../turn/branch-summary.ts";
import { isRefused } from "../turn/choose-model.ts";
import { keptChoices, modelFor } from "../turn/session-choices.ts";
import { type EntryView, entryView } from "./entry-view.ts";

type Filter = "all" | "messages" | "user" | "labelled";

const maxNodeText = 500;
/** Entries that are read before others get their time. */
const readAtOnce = 500;

export function treeOperations(host: Host) {
  const { sessions, store, events } = host;
  /** A job that waits its turn was asked in the conversation as it is. */
  const jobAtWork = async (session: string) => {
    for (const status of ["running", "waiting_for_user", "queued"] as const) {
      const [job] = await store.jobs({ session, status, limit: 1 });
      if (job !== undefined) return job.id;
    }
    return undefined;
  };

  /** Undefined where none is wanted, or where nothing is left behind. */
  const summaryOf = async (
    session: Session,
    leafId: string | null,
    {
      summarise,
      summary_prompt: prompt,
    }: { summarise?: boolean | undefined; summary_prompt?: string | undefined },
  ) => {
    const configured = host.configuration();
    if (isFault(configured)) return configured;
    const { settings } = configured;
    if (!(summarise ?? settings["branchSummary.enabled"])) return undefined;
    const asked = modelFor(session, settings, keptChoices(session));
    const chosen = await host.chooseModel(settings, {}, asked);
    if (isRefused(chosen)) return modelFailed(chosen.message);
    return branchSummary(session, leafId, chosen.model, prompt);
  };

  return {
    async sessionTree({ params, query }) {
      const session = await sessions.find(params.session_id);
      if (isFault(session)) return session;
      const words = wordsOf(query.query ?? "");
      const shown = await readShown(session, query.filter, words);
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

    async branchSession({ params, body }) {
      const { session_id: id } = params;
      const job = await jobAtWork(id);
      const session = await sessions.find(id);
      if (isFault(session)) return session;
      if (job !== undefined || sessions.isHeld(id)) return isAtWork(id, job);
      const destination = session.destination(body.entry_id);
      if (isFault(destination)) return destination;
      const { leafId, prefill } = destination;
      const left = session.abandonedTurns(leafId);
      const summary = await summaryOf(session, leafId, body);
      if (isFault(summary)) return summary;
      const begun = await jobAtWork(id);
      if (begun !== undefined || sessions.isHeld(id)) return isAtWork(id, begun);
      // The last entry of the file is where the conversation goes on, also for the next process that opens it.
      const kept =
        summary === undefined
          ? goOnFrom(session, leafId, body.entry_id)
          : session.branchWithSummary(leafId, summary);
      if (isFault(kept)) return kept;
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

/** The entries that pass the filter and hold all the words, by their position; of long ones only the beginning. */
async function readShown(
  session: Session,
  filter: Filter,
  words: readonly string[],
): Promise<Map<EntrySlot, EntryView>> {
  const { log } = session;
  const slots = log.index.slots.filter((slot) => mayPass(session, slot, filter));
  const found = new Map<EntrySlot, EntryView>();
  for (let start = 0; start < slots.length; start += readAtOnce) {
    const some = slots.slice(start, start + readAtOnce);
    for (const [position, entry] of log.read(some).entries()) {
      const slot = some[position];
      const shown = isFault(entry) ? undefined : entryView(entry);
      if (slot === undefined || shown === undefined || !passes(shown, filter, words)) continue;
      found.set(slot, { ...shown, text: shown.text.slice(0, maxNodeText).toWellFormed() });
    }
    await setImmediate();
  }
  return found;
}

/** As far as the head tells: what cannot pass is not read. */
function mayPass(session: Session, slot: EntrySlot, filter: Filter): boolean {
  const { type, role, id } = slot.head;
  if (!isVisibleType(slot) && type !== "custom_message") return false;
  if (filter === "all") return true;
  if (filter === "labelled") return session.label(id) !== undefined;
  if (type !== "message") return type === "custom_message";
  return role === "user" || (role === "assistant" && filter === "messages");
}

function passes({ kind, text }: EntryView, filter: Filter, words: readonly string[]): boolean {
  if (filter === "user" && kind !== "user") return false;
  if (filter === "messages" && kind === "assistant" && text.trim() === "") return false;
  if (words.length === 0) return true;
  const folded = text.toLowerCase();
  return words.every((word) => folded.includes(word));
}

/** What was typed, as words to look for, whatever their case. */
export function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

function isAtWork(id: string, job: string | undefined): Fault {
  return new Fault(
    "session_busy",
    `A job is at work in the session ${id}, so the conversation cannot go on from elsewhere now.`,
    "Wait until it is done, or cancel it, and go back then.",
    { session_id: id, job_id: job ?? null },
  );
}
