// The turn of a job: its settings, its model, its conversation, everything that the turn works with, and what it may ask for
// while it runs.

import type { Inbox } from "@stet/agent/inbox";
import type { ContextRow } from "@stet/protocol/api/sessions";
import type { EventData, EventType } from "@stet/protocol/events/log-event";
import { mainAgent } from "@stet/protocol/events/new-event";
import { type Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import type { ImageContent } from "@stet/protocol/message";
import type { Model } from "@stet/protocol/model-stream";
import type { Question } from "@stet/protocol/question";
import type { BlobStore } from "@stet/session/blob-store";
import type { SessionStore } from "@stet/session/session-store";
import type { Session } from "@stet/session/session-tree";
import type { PaperSearches } from "@stet/tools/paper/paper-searches";
import type { SessionRules } from "@stet/tools/permission/session-rules";
import { policyOf } from "@stet/tools/toolset-policies";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import { childOfSession } from "../agents/agent-ids.ts";
import { tellBelow } from "../agents/tell-below.ts";
import type { ServerLimits } from "../limits.ts";
import type { OpenSession } from "../open-sessions/open-session.ts";
import type { OpenSessions } from "../open-sessions/open-sessions.ts";
import type { Configuration, Settings } from "../settings/configuration.ts";
import type { JobRecord } from "../store/store.ts";
import type { AgentTurn, FinishedTurn, ResumedTurn, TurnEvent } from "../turn/agent-turn.ts";
import type { ChooseModel, ModelWatcher } from "../turn/choose-model.ts";
import type { Meanings } from "../turn/meanings.ts";
import { prepareTurn, type TurnSurroundings } from "../turn/prepare-turn.ts";
import { keptChoices, type SessionChoices } from "../turn/session-choices.ts";
import { sightOf } from "../turn/session-sight.ts";
import { showContext, tellContext } from "./context-rows.ts";
import { cancelled, modelFailed } from "./job-faults.ts";
import type { Sessions } from "./sessions.ts";

/** Runs one turn for a job. */
export type RunTurn = (job: JobRecord, hands: TurnHands) => AsyncGenerator<TurnEvent, FinishedTurn | Fault>;

export interface TurnHands {
  readonly signal: AbortSignal;
  readonly resumed: ResumedTurn | undefined;
  /** What the person says while it runs. */
  readonly inbox: Inbox;
  ask(question: Question, signal: AbortSignal, callId: string): Promise<string>;
  onTurn(turn: Turn): void;
  /** Adds an event of its own to the job's log; of an agent that it has sent, where that is named. */
  tell<Type extends EventType>(type: Type, data: EventData<Type>, agent?: string): void;
  /** The same for what is only of interest now: it is not stored. */
  pass<Type extends EventType>(type: Type, data: EventData<Type>, agent?: string): void;
  /** The model as this turn is to use it, where that differs. */
  readonly withModel?: ((model: Model) => Model) | undefined;
}

export interface JobTurns {
  readonly workspace: Workspace;
  readonly sessions: Sessions;
  readonly files: SessionStore;
  readonly limits: ServerLimits;
  readonly environment: NodeJS.ProcessEnv;
  readonly meanings: Meanings;
  readonly sessionRules: SessionRules;
  readonly chooseModel: ChooseModel;
  readonly configuration: () => Configuration | Fault;
  /** Whether the person trusts the folder now. */
  readonly isTrusted: () => boolean;
  readonly onTurn: (job: JobRecord) => void;
  /** What goes on between turns. */
  readonly open: OpenSessions;
  /** Called when a turn has come to its end. */
  readonly onEnd: (session: Session) => void;
}

/** Sessions whose searches are remembered for toolset paper. */
const maxSearchSessions = 100;

export function jobTurns(parts: JobTurns): RunTurn {
  const searches = new Map<string, PaperSearches>();
  const surroundings = (open?: OpenSession): TurnSurroundings => {
    return { ...parts, isTrusted: parts.isTrusted(), open };
  };
  return async function* runJob(job, hands): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
    const child = childOfSession(job.session);
    if (child !== undefined) {
      const { askAgain } = await import("../agents/ask-again.ts");
      return yield* askAgain({ ...parts, surroundings: surroundings() }, child, job, hands);
    }
    const configuration = parts.configuration();
    if (isFault(configuration)) return configuration;
    const record = await parts.sessions.record(job.session);
    if (isFault(record)) return record;
    const held = parts.sessions.hold(record);
    if (isFault(held)) return held;
    const open = await parts.open.of(held.session);
    if (isFault(open)) {
      held.release();
      return open;
    }
    const pump = parts.open.pump(open.id);
    const detach = pump?.attach(hands.inbox);
    const untell = tellBelow(open.tree, mainAgent, hands);
    try {
      const { session } = held;
      const { settings: configured } = configuration;
      const prepared = await prepareTurn(surroundings(open), {
        session,
        configured,
        chosen: chosenBy(job, session, configured),
        fixed: fixedBy(job, configured, parts.limits),
        watcher: watcherFor(hands),
      });
      if ("kind" in prepared) return modelFailed(prepared);
      const { model, settings } = prepared;
      const turn = prepared.run({
        text: job.instruction,
        images: picturesOf(job, parts.files.blobs),
        deliveries: job.deliveries,
        ask: hands.ask,
        signal: hands.signal,
        inbox: hands.inbox,
        tab: job.tab ?? undefined,
        searches: () => searchesOf(searches, job.session),
        isInteractive: true,
        withModel: hands.withModel,
        ...takenUp(parts.workspace, job, { session, rows: record.contextRows }, hands),
        onOverhead: (overhead) => parts.sessions.uses.noteOverhead(settings.toolset, overhead),
        onTurn(turn) {
          hands.onTurn(turn);
          parts.onTurn(job);
        },
      });
      parts.sessions.uses.noteWindow(job.model || settings.model, model.contextWindow);
      const finished = yield* tellingUse(turn, {
        async tell() {
          const use = await parts.sessions.uses.of(session);
          hands.tell("usage.updated", { ...use, context_window: model.contextWindow });
        },
        noteCost: (cost) => pump?.noteCost(job.id, cost),
      });
      if (!isFault(finished) && finished.outcome === "completed") parts.onEnd(session);
      return finished;
    } finally {
      untell();
      detach?.();
      held.release();
    }
  };
}

interface UseListener {
  /** After each reply. */
  tell(): Promise<void>;
  /** What the turn has cost by then, in US dollars; at its end with all that worked for it. */
  noteCost(cost: number): void;
}

async function* tellingUse(
  turn: AsyncGenerator<TurnEvent, FinishedTurn | Fault>,
  { tell, noteCost }: UseListener,
): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
  let cost = 0;
  try {
    for (;;) {
      const step = await turn.next();
      if (step.done === true) return step.value;
      yield step.value;
      const { value } = step;
      if (value.type === "turn_end") noteCost(value.usage.cost.total);
      if (value.type !== "model" || (value.event.type !== "done" && value.event.type !== "error")) continue;
      cost += value.event.message.usage.cost.total;
      noteCost(cost);
      await tell();
    }
  } finally {
    await turn.return(cancelled());
  }
}

/** A turn that begins gets the pinned rows; one that is resumed finds its documents open again. */
function takenUp(
  workspace: Workspace,
  job: JobRecord,
  { session, rows }: { readonly session: Session; readonly rows: readonly ContextRow[] },
  { resumed }: TurnHands,
): Pick<AgentTurn, "resumed" | "sight"> {
  const sight = sightOf(session);
  if (resumed === undefined) {
    tellContext(session, job.context);
    showContext(sight, workspace, rows, job.context);
  }
  for (const { document } of resumed?.suspended.staged ?? []) {
    const path = workspace.documents.row(document)?.path;
    // One that is gone is found missing when the turn is taken up, with a reason that says so.
    if (path !== null && path !== undefined) ignoreFault(workspace.documents.open(path));
  }
  return { resumed, sight };
}

/** What the request chooses for its session. */
function chosenBy(job: JobRecord, session: Session, configured: Settings): SessionChoices {
  const isChosen = job.toolset !== (keptChoices(session).toolset ?? configured.toolset);
  return {
    ...(isChosen ? { toolset: job.toolset } : {}),
    ...(job.model === "" ? {} : { model: job.model }),
    ...job.choices,
  };
}

/** One that is gone from the store is left out. */
function picturesOf({ pictures = [] }: JobRecord, blobs: BlobStore): ImageContent[] {
  return pictures.flatMap(({ blob, mimeType }): ImageContent[] => {
    const bytes = blobs.get(blob);
    return bytes === undefined ? [] : [{ type: "image", data: bytes.toString("base64"), mimeType }];
  });
}

/** What the request says comes before the configuration. */
function fixedBy(job: JobRecord, configured: Settings, limits: ServerLimits): Partial<Settings> {
  const maxToolCalls =
    job.maxToolCalls ??
    (policyOf(job.toolset).hasJobLimit ? limits.max_tool_calls_per_job : configured.maxToolCalls);
  return { toolset: job.toolset, maxToolCalls };
}

function watcherFor({ tell }: TurnHands): ModelWatcher {
  return {
    onChoice: (choice) => tell("model.chosen", { ...choice }),
    onRetry: (event) => {
      if (event.type !== "auto_retry_start") return;
      const { delayMs, errorMessage, attempt, maxAttempts } = event;
      tell("model.retry", { delay_ms: delayMs, reason: errorMessage, attempt, max_attempts: maxAttempts });
    },
  };
}

async function searchesOf(known: Map<string, PaperSearches>, session: string): Promise<PaperSearches> {
  const { PaperSearches } = await import("@stet/tools/paper/paper-searches");
  const searches = known.get(session) ?? new PaperSearches();
  known.delete(session);
  known.set(session, searches);
  const [oldest] = known.keys();
  if (known.size > maxSearchSessions && oldest !== undefined) known.delete(oldest);
  return searches;
}
