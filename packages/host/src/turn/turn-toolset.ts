// The toolset of a turn, with what the host offers it.

import type { KeepArtifact } from "@stet/agent/bound-output";
import type { Subagents } from "@stet/agent/subagents";
import type { Conversation } from "@stet/agent/turn-loop";
import type { Budget } from "@stet/model/budget";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Model } from "@stet/protocol/model-stream";
import { narrower } from "@stet/protocol/permission-mode";
import { redactionFor, secretsOf } from "@stet/protocol/redact";
import type { ArtifactFolder } from "@stet/session/artifacts";
import type { AgentPorts } from "@stet/tools/agents/agent-tools";
import type { ReadArtifact, ReadRules } from "@stet/tools/capabilities";
import type { CodePorts } from "@stet/tools/code/code-toolset";
import { openToolset } from "@stet/tools/open-toolset";
import type { Sight } from "@stet/tools/sight/sight";
import type { Toolset } from "@stet/tools/toolset";
import type { Turn } from "@stet/workspace/turns/turns";
import { codeSettingsFor } from "../settings/code-settings.ts";
import type { Settings } from "../settings/configuration.ts";
import type { AgentTurn } from "./agent-turn.ts";
import { keptChoices } from "./session-choices.ts";
import { keepSight } from "./session-sight.ts";
import { todoEditIn } from "./todo-edit.ts";

interface ToolsetParts {
  readonly turn: Turn;
  readonly conversation: Conversation;
  readonly budget: Budget;
  readonly sight: Sight;
}

export async function openTurnToolset(
  request: AgentTurn,
  { turn, conversation, budget, sight }: ToolsetParts,
): Promise<Toolset | Fault> {
  const { workspace, session, settings, model, artifacts, meanings, tab, searches, projectLimits } = request;
  const permissionMode = () => permissionModeOf(request);
  const { signal } = request;
  const agents = request.others?.join({ turn, budget, settings, permissionMode, signal });
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
    code: () => codePortsOf(request, agents),
    agents,
    background: request.background,
    readRules: readRulesOf(request),
    tokenBudget: {
      initialRead: settings["ai.tokenBudget.initialRead"],
      chunkSize: settings["ai.tokenBudget.chunkSize"],
      responseReserve: settings["ai.tokenBudget.responseReserve"],
    },
  });
}

function codePortsOf(request: AgentTurn, agents: AgentPorts | undefined): CodePorts {
  const { settings, session, model, artifacts, code, sent } = request;
  return {
    ...code,
    agents,
    background: request.background,
    onlyReading: sent?.onlyReading,
    settings: codeSettingsFor(settings, `${model.provider}/${model.name}`),
    session: sent?.rulesOf ?? session.header.id,
    keepArtifact: artifacts && keepIn(artifacts, redactionFor(code.environment)),
    todoEdit: () => todoEditIn(session),
    permissionMode: () => permissionModeOf(request),
  };
}

/** As it is now: the person may choose another one while the turn runs. */
function permissionModeOf({ session, settings, sent }: AgentTurn): Settings["permission.mode"] {
  if (sent !== undefined) return narrower(settings["permission.mode"], sent.ceiling());
  return keptChoices(session)["permission.mode"] ?? settings["permission.mode"];
}

function readRulesOf(request: AgentTurn): ReadRules {
  const { settings, session, code, sent } = request;
  return {
    mode: () => permissionModeOf(request),
    rules: settings["permission.rules"],
    session: { id: sent?.rulesOf ?? session.header.id, rules: code.sessionRules },
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

export function keepIn(artifacts: ArtifactFolder, redact: (text: string) => string): KeepArtifact {
  return (text) => {
    const kept = artifacts.write(redact(text));
    return isFault(kept) ? "(it could not be kept)" : `artifact://${kept.number}`;
  };
}

function readFrom(artifacts: ArtifactFolder): ReadArtifact {
  return (number, from, limits) => artifacts.read(number, from, limits);
}
