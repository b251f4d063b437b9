// One piece of work of an agent that was sent, from its place among those at work to its result.
//
// Its edits are a held turn over the sender's documents, or are brought back from a folder of its own into one. When it ends,
// what fits lands in the review under its name. What it gave back, and what did not fit, is kept before anybody is told.

import { fullName } from "@stet/model/wrapped-model";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Question } from "@stet/protocol/question";
import type { Session } from "@stet/session/session-tree";
import type { ChildRequest, ChildResult } from "@stet/tools/agents/delegation";
import type { FinishedTurn, SentTurn, TurnEvent } from "../turn/agent-turn.ts";
import type { ModelWatcher } from "../turn/choose-model.ts";
import { prepareTurn } from "../turn/prepare-turn.ts";
import { ownChanges, pathsOf } from "../turn/turn-changes.ts";
import type { AgentParts } from "./agent-parts.ts";
import type { ChildAgent } from "./child-agent.ts";
import { HeldChanges } from "./child-changes.ts";
import { type ChildEnd, childResult, summaryOf } from "./child-result.ts";
import { noteAgent, noteBeginning, noteEnd, openChildSession } from "./child-session.ts";
import { childLimits, childPermission, childSettings, childTime } from "./child-settings.ts";
import { sentSystem } from "./child-system.ts";
import { type BroughtEnd, bringBackFrom } from "./folder-result.ts";
import { type ChildWorkplace, openWorkplace } from "./isolation.ts";
import { othersOf } from "./others.ts";
import type { ChildHands, Sender } from "./sender.ts";
import { tellBelow } from "./tell-below.ts";

/** Never rejects: whatever goes wrong is the agent's result. */
export async function runChild(
  parts: AgentParts,
  sender: Sender,
  child: ChildAgent,
  request: ChildRequest,
): Promise<ChildResult> {
  const { tree } = parts;
  const { stop } = child;
  const onAbort = () => stop.abort();
  request.signal?.addEventListener("abort", onAbort, { once: true });
  if (request.signal?.aborted) onAbort();
  const hasSlot = await tree.slots.take(stop.signal);
  let end: ChildEnd;
  try {
    end = hasSlot
      ? await work(parts, sender, child, request)
      : ended(new Fault("aborted", "It was stopped before it began.", "Send it again."));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    end = ended(
      new Fault("subagent_failed", `It broke off: ${reason}`, "Send it again, or do it without it."),
    );
  } finally {
    if (hasSlot) tree.slots.give();
    request.signal?.removeEventListener("abort", onAbort);
  }
  return conclude(parts, child, request, end);
}

function ended(finished: FinishedTurn | Fault): ChildEnd {
  const leftover = { conflicts: [], patch: undefined };
  return { finished, changed: [], turn: undefined, leftover, notes: [], stopped: undefined };
}

async function work(
  parts: AgentParts,
  sender: Sender,
  child: ChildAgent,
  request: ChildRequest,
): Promise<ChildEnd> {
  const { settings } = sender;
  const budget = child.begin(sender.budget, childLimits(settings, child.definition));
  const time = childTime(settings, child.definition);
  const overtime = `Its time of ${(time ?? 0) / 60_000} minutes is over.`;
  const timer = time === undefined ? undefined : setTimeout(() => child.stop.abort(overtime), time);
  const at = { ...sender, turn: openTurnOf(sender) };
  const place = await openWorkplace(child, request, at, parts.dataFolder);
  if (isFault(place)) {
    clearTimeout(timer);
    return ended(place);
  }
  try {
    // What the sender has staged is what its agents begin with, also where it has ended meanwhile.
    const staging = openTurnOf(sender);
    if (staging?.isImmediate === false) {
      const published = staging.publish();
      if (isFault(published)) return ended(published);
    }
    return await workAt(place, budget, parts, sender, child, request);
  } finally {
    clearTimeout(timer);
    await place.close();
  }
}

/** A sender's turn may be over before the last of those whom it has sent begins. */
function openTurnOf({ turn }: Sender): Sender["turn"] {
  return turn?.isOpen === true ? turn : undefined;
}

async function workAt(
  place: ChildWorkplace,
  budget: SentTurn["budget"],
  parts: AgentParts,
  sender: Sender,
  child: ChildAgent,
  request: ChildRequest,
): Promise<ChildEnd> {
  const { tree } = parts;
  const { surroundings } = sender;
  const { id } = child.place;
  const root = surroundings.workspace.root.path;
  const session = openChildSession({ ...parts, session: tree.session, folder: tree.folder, root }, id);
  if (isFault(session)) return ended(session);
  noteBeginning(session, child.definition, request.assignment, request.schema?.source);
  const held = new HeldChanges({
    workspace: surroundings.workspace,
    session: tree.session,
    agent: id,
    isImmediate: sender.isImmediate,
  });
  const settings = childSettings(sender, child.definition, place.folder?.readable ?? []);
  const sent: SentTurn = {
    changes: place.folder === undefined ? held : ownChanges(place.workspace, settings, session.header.id),
    budget,
    system: sentSystem(child, request, place.folder !== undefined),
    rulesOf: tree.session,
    ceiling: () => childPermission(sender.permissionMode(), child.definition, sender.isImmediate),
    onlyReading: place.folder === undefined ? onlyReading : undefined,
  };
  const turn = { parts, sender, child, request, session, settings, sent, place };
  const { workspace } = surroundings;
  let brought: BroughtEnd | undefined;
  async function* run(hands: ChildHands): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
    const finished = yield* childTurn(turn, hands);
    if (place.folder === undefined || isFault(finished)) return finished;
    const { onTurn } = hands;
    brought = await bringBackFrom(place, held, workspace, { finished, stopped: reasonOf(child), onTurn });
    const { documents, turn: landed } = brought.finished;
    if (landed !== undefined) yield { type: "review", turn: landed, documents };
    return brought.finished;
  }
  const job = {
    session: child.place.session,
    instruction: request.assignment,
    toolset: settings.toolset,
    model: settings.model,
    maxToolCalls: null,
    tab: null,
    context: "",
    agent: id,
  };
  const finished = await parts.hosting.carryOut(child, job, run);
  const stopped = reasonOf(child);
  const end = { ...ended(finished), leftover: held.leftover, stopped };
  if (place.folder !== undefined) return { ...end, ...brought };
  const changed = isFault(finished) ? [] : pathsOf(workspace, finished.documents);
  return { ...end, changed, turn: isFault(finished) ? undefined : finished.turn };
}

const onlyReading = "The commands of an agent that has no folder of its own only read.";

function reasonOf({ stop: { signal } }: ChildAgent): string | undefined {
  if (!signal.aborted) return undefined;
  return typeof signal.reason === "string" ? signal.reason : "It was stopped.";
}

interface ChildTurn {
  readonly parts: AgentParts;
  readonly sender: Sender;
  readonly child: ChildAgent;
  readonly request: ChildRequest;
  readonly session: Session;
  readonly settings: Sender["settings"];
  readonly sent: SentTurn;
  readonly place: ChildWorkplace;
}

async function* childTurn(
  { parts, sender, child, request, session, settings, sent, place }: ChildTurn,
  hands: ChildHands,
): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
  const { id, depth } = child.place;
  const { workspace } = place;
  const watcher: ModelWatcher = {
    onChoice: (choice) => hands.tell("model.chosen", { ...choice }),
    onRetry: (event) => event.type === "auto_retry_start" && child.observe({ ...event }),
  };
  const prepared = await prepareTurn(
    { ...sender.surroundings, workspace, open: undefined },
    { session, configured: settings, chosen: { model: settings.model, toolset: settings.toolset }, watcher },
  );
  if ("kind" in prepared) return new Fault("model_failed", prepared.message, "Name another model for it.");
  child.model = fullName(prepared.model);
  child.inbox = hands.inbox;
  // Where nobody follows it but a command, it ends with that.
  if (child.jobId !== null) await parts.withSession((session) => noteAgent(session, child.view()));
  const own: Sender = {
    ...sender,
    id,
    depth,
    agent: child.definition.name,
    spawns: child.definition.spawns ?? [],
    surroundings: { ...sender.surroundings, workspace },
    settings: { ...settings, "sandbox.read": sender.settings["sandbox.read"] },
    model: child.model,
    budget: sent.budget,
    ask: hands.ask,
    turn: undefined,
    // What lies in a folder of its own is on disk there.
    isImmediate: sender.isImmediate || place.folder !== undefined,
  };
  const turn = prepared.run({
    text: request.assignment,
    ask: (question, signal, callId) => hands.ask(named(question, id), signal, callId),
    signal: hands.signal,
    inbox: hands.inbox,
    onTurn: hands.onTurn,
    isInteractive: sender.isInteractive,
    sent,
    background: parts.backgroundOf(id),
    others: othersOf(parts, own, { assignment: child.assignment, allowed: child.definition.tools }),
  });
  const untell = tellBelow(parts.tree, id, hands);
  try {
    for (;;) {
      const step = await turn.next();
      if (step.done) return step.value;
      if (step.value.type !== "review") child.observe(step.value);
      // What it changed in its folder is nobody else's before it is brought back.
      else if (place.folder !== undefined) continue;
      yield step.value;
    }
  } finally {
    untell();
  }
}

/** People are told who asks. */
function named(question: Question, agent: string): Question {
  return { ...question, agent };
}

/** What it came to is kept first, then told to its session, then to whoever looks. */
async function conclude(
  parts: AgentParts,
  child: ChildAgent,
  request: ChildRequest,
  end: ChildEnd,
): Promise<ChildResult> {
  const { outputs } = parts.tree;
  const { result, whole } = childResult(child, request, end);
  const outputPath = outputs.keep(result.id, "md", whole);
  const { patch } = end.leftover;
  const patchPath =
    patch === undefined ? undefined : (outputs.keep(result.id, "patch", patch) ?? `${result.id}.patch`);
  child.turn = end.turn ?? null;
  child.documents = isFault(end.finished) ? [] : end.finished.documents;
  child.conflicts = end.leftover.conflicts.length;
  const summary = summaryOf(result);
  const view = child.viewAtEnd(result.status, summary);
  await parts.withSession((session) => noteEnd(session, view, end.changed));
  child.end(result.status, summary);
  return {
    ...result,
    ...(outputPath === undefined ? {} : { outputPath }),
    ...(patchPath === undefined ? {} : { patchPath }),
  };
}
