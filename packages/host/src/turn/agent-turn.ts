// A whole turn: the person's message, the model, the tools over a workspace, the session that remembers it.
//
// Everything that the turn changed is committed to the ledger as one, also when it was stopped by a limit: what was
// done until then is there for review. A turn that failed or was aborted leaves the documents as they were, but for one
// whose edits are on disk at once: what it did has had effects, so it stays and is there for review.

import type { AgentEvent, TurnOutcome, TurnStop } from "@stet/agent/agent-event";
import type { KeepArtifact } from "@stet/agent/bound-output";
import { textTokens } from "@stet/agent/context-size";
import { describeTools } from "@stet/agent/describe-tools";
import type { Inbox } from "@stet/agent/inbox";
import { Owner } from "@stet/agent/owner";
import { filledPrompt } from "@stet/agent/prompt-file";
import type { Subagents } from "@stet/agent/subagents";
import type { TurnLimits } from "@stet/agent/turn-limits";
import { type Conversation, runTurn } from "@stet/agent/turn-loop";
import { Budget, type BudgetLimits, withBudget } from "@stet/model/budget";
import type { Router } from "@stet/model/routing";
import { withServiceTier } from "@stet/model/service-tier";
import { withThinking } from "@stet/model/thinking";
import { authorOf, fullName } from "@stet/model/wrapped-model";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { ImageContent, UserMessage } from "@stet/protocol/message";
import type { Model } from "@stet/protocol/model-stream";
import { redactionFor, secretsOf } from "@stet/protocol/redact";
import type { ArtifactFolder } from "@stet/session/artifacts";
import type { Session } from "@stet/session/session-tree";
import { tellIfFault } from "@stet/storage/notices";
import type { AskPerson, Capabilities, ReadArtifact, ReadRules } from "@stet/tools/capabilities";
import type { CodePorts } from "@stet/tools/code/code-toolset";
import { editGate } from "@stet/tools/edit-gate";
import { beginTurnFor, openToolset } from "@stet/tools/open-toolset";
import type { ProjectLimits } from "@stet/tools/project/project-toolset";
import type { Sight } from "@stet/tools/sight/sight";
import type { Toolset } from "@stet/tools/toolset";
import { policyOf } from "@stet/tools/toolset-policies";
import type { SuspendedTurn } from "@stet/workspace/turns/turn-copies";
import type { CommittedTurn, Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { TurnOverhead } from "../jobs/session-use.ts";
import { codeSettingsFor } from "../settings/code-settings.ts";
import type { Settings } from "../settings/configuration.ts";
import { retrySettings } from "../settings/model-settings.ts";
import { answerOpenCalls, conversationOf, notesFor } from "./conversation.ts";
import { type Instruction, withInstructions } from "./instructions.ts";
import type { Meanings } from "./meanings.ts";
import { keepChoices, keptChoices, type SessionChoices } from "./session-choices.ts";
import { keepSight, sightOf } from "./session-sight.ts";
import { todoEditIn } from "./todo-edit.ts";

export interface AgentTurn {
  readonly workspace: Workspace;
  readonly session: Session;
  readonly model: Model;
  readonly router?: Pick<Router, "report"> | undefined;
  readonly settings: Settings;
  /** What the person chose for this turn, beside the configuration. The session goes on with it. */
  readonly choices?: SessionChoices | undefined;
  readonly instructions: readonly Instruction[];
  readonly text: string;
  /** Pictures that belong to it. */
  readonly images?: readonly ImageContent[] | undefined;
  readonly ask: AskPerson;
  readonly signal: AbortSignal;
  readonly inbox?: Inbox | undefined;
  /** The store of outputs that are too long for the model; undefined where there is none. */
  readonly artifacts?: ArtifactFolder | undefined;
  readonly meanings?: Meanings | undefined;
  /** The sight before this turn, where more is known than the session has. */
  readonly sight?: Sight | undefined;
  /** Called with the turn when it begins, so that the job can suspend it. */
  readonly onTurn?: ((turn: Turn) => void) | undefined;
  /** Called with what it sends beside the conversation, in tokens. */
  readonly onOverhead?: ((overhead: TurnOverhead) => void) | undefined;
  /** A turn that was suspended while it waited for the person, and what they answered. */
  readonly resumed?: ResumedTurn | undefined;
  /** The tab that toolset paper works on; the one in front unless given. */
  readonly tab?: string | undefined;
  /** The stored searches of the session; none unless given. */
  readonly searches?: Capabilities["searches"] | undefined;
  readonly projectLimits?: Partial<ProjectLimits> | undefined;
  /** Invalid calls before the turn stops. */
  readonly schemaRetries?: number | undefined;
  readonly code: CodeSurroundings;
}

/** Where the turn works, and what the person allowed there. */
export type CodeSurroundings = Omit<CodePorts, "settings" | "session" | "keepArtifact">;

export interface ResumedTurn {
  readonly suspended: SuspendedTurn;
  readonly callId: string;
  readonly answer: string;
}

export interface FinishedTurn {
  readonly outcome: TurnOutcome;
  readonly stop?: TurnStop | undefined;
  /** The turn's name in the ledger; undefined where it changed nothing. */
  readonly turn?: string;
  readonly documents: readonly number[];
}

export type TurnEvent =
  | AgentEvent
  | { readonly type: "review"; readonly turn: string; readonly documents: readonly number[] };

export async function* runAgentTurn(request: AgentTurn): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
  const { workspace, session, settings } = request;
  const redact = redactionFor(request.code.environment);
  const text = redact(request.text);
  const summary = text.slice(0, 200);
  const turn = begin(request, { session: session.header.id, summary });
  if (isFault(turn)) return turn;
  request.onTurn?.(turn);
  const conversation = conversationOf(session);
  // One budget for the turn and everyone who works for it.
  const budget = new Budget("this turn", budgetOf(settings));
  const sight = request.sight ?? sightOf(session);
  const toolset = await toolsetOf(request, turn, conversation, budget, sight);
  if (isFault(toolset)) {
    tellIfFault(abandon(turn));
    return toolset;
  }
  request.onOverhead?.({
    system: textTokens(toolset.system),
    tools: textTokens(JSON.stringify(describeTools(toolset.tools))),
  });
  const { artifacts } = request;
  const spoken = withServiceTier(withThinking(request.model, settings.thinking), settings.serviceTier);
  const model = withBudget(spoken, budget.child("the agent"));
  const { resumed } = request;
  if (resumed === undefined) {
    const unkept = keepChoices(session, request.choices ?? {});
    if (isFault(unkept)) {
      tellIfFault(abandon(turn));
      return unkept;
    }
    const notes = [...notesFor(workspace, session).map(redact), ...planNote(settings)];
    await conversation.append({
      role: "user",
      content: messageOf(text, notes, request),
      timestamp: Date.now(),
    });
  } else await answerOpenCalls(conversation, resumed.callId, redact(resumed.answer));
  const gate = request.router && editGate(workspace, turn);
  let author = fullName(request.model);
  let outcome: TurnOutcome = "failed";
  let isUnfinished = true;
  let stop: TurnStop | undefined;
  let kept: CommittedTurn | Fault | undefined;
  try {
    for await (const event of runTurn({
      model,
      system: redact(withInstructions(toolset.system, request.instructions)),
      conversation,
      tools: toolset.tools,
      limits: limitsOf(request),
      signal: request.signal,
      inbox: request.inbox,
      state: toolset.state,
      keepArtifact: artifacts && keepIn(artifacts, redact),
      sessionId: session.header.id,
      router: request.router,
      gate,
      retry: retrySettings(settings),
      compaction: {
        isAutomatic: settings["compaction.enabled"],
        keepTokens: settings["compaction.keepRecentTokens"],
      },
      spent: () => budget.spent,
      hooks: [
        ...(toolset.hooks ?? []),
        ...(gate === undefined ? [] : [gate]),
        { atEnd: () => lostEdits(turn) },
      ],
      missing: toolset.missing,
      redact,
    })) {
      if (event.type === "turn_end") {
        outcome = event.outcome;
        isUnfinished = hasFailed(outcome) || (turn.options.isWhole === true && isCutShort(event.stop));
        stop = isUnfinished ? withNothingKept(event.stop, turn) : event.stop;
        if (stop !== undefined) tellIfFault(session.append(stopEntry(stop)));
        yield stop === undefined ? event : { ...event, stop };
        continue;
      }
      if (event.type === "model" && event.event.type === "done") {
        author = keepAuthor(session, author, authorOf(event.event.message));
      }
      yield event;
    }
  } finally {
    const owner = new Owner();
    owner.own(() => {
      if (isUnfinished) kept = abandon(turn);
    });
    owner.own(() => keepSight(session, sight));
    // Closed first: what commands changed until the last moment is part of the turn.
    owner.own(() => toolset.close?.());
    await owner.close();
  }
  const committed = isUnfinished ? kept : await workspace.commitTurn(turn);
  if (committed === undefined) return { outcome, stop, documents: [] };
  if (isFault(committed)) return committed;
  const refused = await workspace.ledger.settled();
  if (isFault(refused)) return refused;
  if (committed.documents.length === 0) return { outcome, stop, documents: [] };
  const files = committed.documents.flatMap((document) => workspace.documents.row(document)?.path ?? []);
  tellIfFault(session.append({ type: "turn", turnId: committed.id, summary, files }));
  yield { type: "review", turn: committed.id, documents: committed.documents };
  return { outcome, stop, turn: committed.id, documents: committed.documents };
}

/** Tells the model of plan mode before it runs into it. */
function planNote(settings: Settings): string[] {
  const isPlan = settings["permission.mode"] === "plan" && policyOf(settings.toolset).writes === "immediate";
  return isPlan ? [filledPrompt("plan-mode.md")] : [];
}

/** What was staged and cannot be committed any more, because someone changed the same lines; the model can do it again. */
function lostEdits(turn: Turn): string | undefined {
  const conflicts = turn.dropConflicting();
  if (conflicts.length === 0) return undefined;
  return conflicts.map(({ message, suggestion }) => `${message} ${suggestion}`).join("\n");
}

/** The person's words and images, and the notes for the model beside them. */
function messageOf(
  text: string,
  notes: readonly string[],
  { images = [] }: AgentTurn,
): UserMessage["content"] {
  if (images.length === 0 && notes.length === 0) return text;
  const told = notes.map((note) => ({ type: "text", text: note, isNote: true }) as const);
  return [{ type: "text", text }, ...images, ...told];
}

/** Another model took over: the session says so, and its next turn begins with the chosen one again. */
function keepAuthor(session: Session, before: string, now: string): string {
  if (now !== before) tellIfFault(session.append({ type: "model_change", model: now, role: "temporary" }));
  return now;
}

function hasFailed(outcome: TurnOutcome): boolean {
  return outcome === "failed" || outcome === "aborted";
}

/** Whether a limit ended a turn in the middle. Where only its last words are missing, every call was carried out. */
function isCutShort(stop: TurnStop | undefined): boolean {
  return stop !== undefined && stop.limit !== "output" && stop.limit !== "empty_answer";
}

function stopEntry({ limit, message, isDiscarded }: TurnStop) {
  return { type: "stop", reason: limit, message, ...(isDiscarded ? { isDiscarded } : {}) } as const;
}

/** Half a turn is never proposed where a turn is decided on as a whole. */
function withNothingKept(stop: TurnStop | undefined, turn: Turn): TurnStop | undefined {
  const { staged, created } = turn.suspend();
  if (stop === undefined || staged.length + created.length === 0) return stop;
  const message = `${stop.message} Nothing was changed: a turn of this toolset is all or nothing.`;
  return { ...stop, message, isDiscarded: true };
}

/** Ends a turn that did not come to its end. Returns what stays of it. */
function abandon(turn: Turn): CommittedTurn | Fault | undefined {
  return turn.isImmediate ? turn.conclude() : turn.discard();
}

function begin(
  { workspace, settings, resumed }: AgentTurn,
  options: { session: string; summary: string },
): Turn | Fault {
  return beginTurnFor(settings.toolset, workspace, options, resumed?.suspended);
}

async function toolsetOf(
  request: AgentTurn,
  turn: Turn,
  conversation: Conversation,
  budget: Budget,
  sight: Sight,
): Promise<Toolset | Fault> {
  const { workspace, session, settings, model, artifacts, meanings, tab, searches, projectLimits } = request;
  return openToolset(settings.toolset, {
    workspace,
    turn,
    ask(question, signal, callId) {
      // The turn may go on in another process.
      keepSight(session, sight);
      return request.ask(question, signal, callId);
    },
    sight,
    messages: conversation.messages,
    readArtifact: artifacts && readFrom(artifacts),
    subagents: async () => subagentsOf(await withoutSecrets(model, request), budget, settings),
    meaning: meanings && (() => meanings.index()),
    async embedder() {
      const embedder = await meanings?.embedder();
      return isFault(embedder) ? undefined : embedder;
    },
    tab,
    searches: searches ?? (async () => undefined),
    projectLimits: projectLimits ?? {},
    code: () => codePortsOf(request),
    readRules: readRulesOf(request),
    tokenBudget: {
      initialRead: settings["ai.tokenBudget.initialRead"],
      chunkSize: settings["ai.tokenBudget.chunkSize"],
      responseReserve: settings["ai.tokenBudget.responseReserve"],
    },
  });
}

function codePortsOf({ settings, session, model, artifacts, code }: AgentTurn): CodePorts {
  return {
    ...code,
    settings: codeSettingsFor(settings, `${model.provider}/${model.name}`),
    session: session.header.id,
    keepArtifact: artifacts && keepIn(artifacts, redactionFor(code.environment)),
    todoEdit: () => todoEditIn(session),
    permissionMode: () => permissionModeOf(session, settings),
  };
}

/** As it is now: the person may choose another one while the turn runs. */
function permissionModeOf(session: Session, settings: Settings): Settings["permission.mode"] {
  return keptChoices(session)["permission.mode"] ?? settings["permission.mode"];
}

function readRulesOf({ settings, session, code }: AgentTurn): ReadRules {
  return {
    mode: () => permissionModeOf(session, settings),
    rules: settings["permission.rules"],
    session: { id: session.header.id, rules: code.sessionRules },
    isInteractive: code.isInteractive,
  };
}

/** Subagents are sent parts of documents as they are. */
async function withoutSecrets(model: Model, { code }: AgentTurn): Promise<Model> {
  const { withRedactedRequests } = await import("@stet/agent/redacted-requests");
  return withRedactedRequests(model, secretsOf(code.environment));
}

async function subagentsOf(model: Model, budget: Budget, settings: Settings): Promise<Subagents> {
  const { Subagents } = await import("@stet/agent/subagents");
  return new Subagents({
    model,
    budget: budget.child("the subagents"),
    concurrency: settings.subagents,
  });
}

function budgetOf({ maxCost, maxTokens }: Settings): BudgetLimits {
  return {
    ...(maxCost === null ? {} : { maxCost }),
    ...(maxTokens === null ? {} : { maxTokens }),
  };
}

function keepIn(artifacts: ArtifactFolder, redact: (text: string) => string): KeepArtifact {
  return (text) => {
    const kept = artifacts.write(redact(text));
    return isFault(kept) ? "(it could not be kept)" : `artifact://${kept.number}`;
  };
}

function readFrom(artifacts: ArtifactFolder): ReadArtifact {
  return (number, from, limits) => artifacts.read(number, from, limits);
}

function limitsOf({ settings, schemaRetries }: AgentTurn): Partial<TurnLimits> {
  const { maxToolCalls, maxCost, maxTokens } = settings;
  const { maxIterations = Number.POSITIVE_INFINITY } = policyOf(settings.toolset);
  return {
    toolCalls: maxToolCalls,
    iterations: Math.min(settings.maxIterations, maxIterations),
    ...(schemaRetries === undefined ? {} : { schemaRetries }),
    ...(maxCost === null ? {} : { cost: maxCost }),
    ...(maxTokens === null ? {} : { tokens: maxTokens }),
  };
}
