// Everything that a turn needs, composed here for every front end: settings with what the session and the
// request choose, the model, the instructions, what outlives the turn, and what it may ask for. Running it is agent-turn's.

import { Budget } from "@stet/model/budget";
import { fullName } from "@stet/model/wrapped-model";
import type { Fault } from "@stet/protocol/fault";
import type { ModelFailure } from "@stet/protocol/model-stream";
import type { SessionStore } from "@stet/session/session-store";
import type { Session } from "@stet/session/session-tree";
import type { SessionRules } from "@stet/tools/permission/session-rules";
import { policyOf } from "@stet/tools/toolset-policies";
import { repositoryRootOf } from "@stet/workspace/files/workspace-root";
import type { Workspace } from "@stet/workspace/workspace";
import type { Sender } from "../agents/sender.ts";
import type { ServerLimits } from "../limits.ts";
import type { TurnCompany } from "../open-sessions/turn-company.ts";
import { configFoldersOf } from "../settings/config-folders.ts";
import { type Settings, userConfigFolder } from "../settings/configuration.ts";
import { type AgentTurn, type FinishedTurn, runAgentTurn, type TurnEvent } from "./agent-turn.ts";
import { type ChooseModel, type ChosenModel, isRefused, type ModelWatcher } from "./choose-model.ts";
import { findInstructions, type Instruction } from "./instructions.ts";
import type { Meanings } from "./meanings.ts";
import { keptChoices, modelFor, type SessionChoices, withChoices } from "./session-choices.ts";

/** What is there for every turn of a folder. */
export interface TurnSurroundings {
  readonly workspace: Workspace;
  readonly files: SessionStore;
  readonly environment: NodeJS.ProcessEnv;
  readonly meanings: Meanings;
  readonly chooseModel: ChooseModel;
  /** What the person allowed for a session. */
  readonly sessionRules: SessionRules;
  /** Whether the person trusts the folder. */
  readonly isTrusted: boolean;
  /** What outlives the turn, and the other agents of its session; undefined where there is neither. */
  readonly open?: TurnCompany | undefined;
  /** Limits of jobs; a turn in the terminal has those of the settings. */
  readonly limits?: ServerLimits | undefined;
}

export interface TurnRequest {
  readonly session: Session;
  /** The configuration, with what the request sets for this turn alone. */
  readonly configured: Settings;
  /** What the request chooses for the session; the session goes on with it. */
  readonly chosen: SessionChoices;
  /** What holds for this turn whatever is configured or chosen. */
  readonly fixed?: Partial<Settings>;
  /** Where the person stands: instructions are looked for from there up. Default: the workspace's root. */
  readonly folder?: string;
  readonly watcher: ModelWatcher;
}

/** What is only known when the turn runs. */
export type TurnHandles = Pick<
  AgentTurn,
  | "text"
  | "images"
  | "ask"
  | "signal"
  | "inbox"
  | "tab"
  | "searches"
  | "onTurn"
  | "onOverhead"
  | "resumed"
  | "sight"
  | "sent"
  | "others"
  | "background"
  | "deliveries"
> & {
  readonly isInteractive: boolean;
  /** Whether the process ends with this turn, so that what it sends in the background has to be waited for. */
  readonly endsProcess?: boolean;
  /** The model as this turn is to use it, where that differs. */
  readonly withModel?: ((model: ChosenModel["model"]) => ChosenModel["model"]) | undefined;
  /** Notes beside those of files. */
  readonly notes?: readonly Instruction[];
};

export interface PreparedTurn {
  readonly settings: Settings;
  readonly model: ChosenModel["model"];
  readonly instructions: readonly Instruction[];
  run(handles: TurnHandles): AsyncGenerator<TurnEvent, FinishedTurn | Fault>;
}

/** The model that the turn of a session would ask for; empty where the configuration decides. */
export function askedModel({
  session,
  configured,
  chosen,
}: Pick<TurnRequest, "session" | "configured" | "chosen">): string {
  return modelFor(session, configured, { ...keptChoices(session), ...chosen });
}

export async function prepareTurn(
  surroundings: TurnSurroundings,
  request: TurnRequest,
): Promise<PreparedTurn | ModelFailure> {
  const { workspace, environment, isTrusted, limits } = surroundings;
  const { session, configured, fixed, watcher, folder = workspace.root.path } = request;
  const choices = { ...keptChoices(session), ...request.chosen };
  const settings = { ...withChoices(configured, choices), ...fixed };
  const chosen = await surroundings.chooseModel(settings, watcher, askedModel(request));
  if (isRefused(chosen)) return chosen;
  const { model, router } = chosen;
  const { path: root } = workspace.root;
  const instructions = findInstructions({
    configFolder: userConfigFolder(environment),
    root: repositoryRootOf(folder, environment) ?? root,
    folder,
    trusted: isTrusted ? root : undefined,
  });
  // Spans are made only where the environment names a collector.
  const isTraced = Boolean(environment.OTEL_EXPORTER_OTLP_ENDPOINT);
  const traced = isTraced ? (await import("./traced-turn.ts")).tracedTurn : undefined;
  const { open } = surroundings;
  async function* runTurn({ isInteractive, withModel, notes = [], ...handles }: TurnHandles) {
    const { text, ask } = handles;
    const sender = { surroundings, settings, model: fullName(model), isInteractive, ask };
    const others = await open?.othersFor(text, { ...sender, ...mainTurn(settings) });
    return yield* runAgentTurn({
      ...(open === undefined ? {} : { others, background: open.ownBackground }),
      ...handles,
      workspace,
      session,
      model: withModel?.(model) ?? model,
      router,
      settings,
      choices,
      instructions: [...instructions, ...notes],
      artifacts: surroundings.files.artifacts(session),
      meanings: surroundings.meanings,
      ...(limits === undefined ? {} : limitsOf(limits)),
      code: {
        sessionRules: surroundings.sessionRules,
        environment,
        isInteractive,
        configFolders: configFoldersOf(root, environment, isTrusted),
      },
    });
  }
  const run = (handles: TurnHandles) => {
    const turn = runTurn(handles);
    return traced?.(turn, environment, settings.toolset, handles.endsProcess) ?? turn;
  };
  return { settings, model, instructions, run };
}

/** What of a sender is only known when its turn has begun (see `OtherAgents.join`), and what follows from its toolset. */
function mainTurn(settings: Settings): Pick<Sender, "budget" | "permissionMode" | "turn" | "isImmediate"> {
  return {
    budget: new Budget("this turn"),
    permissionMode: () => settings["permission.mode"],
    turn: undefined,
    isImmediate: policyOf(settings.toolset).writes === "immediate",
  };
}

function limitsOf(limits: ServerLimits): Pick<AgentTurn, "projectLimits" | "schemaRetries"> {
  return {
    projectLimits: {
      searchResults: limits.max_search_results_default,
      searchResultsCap: limits.max_search_results_cap,
      searchSnippetLines: limits.max_search_snippet_lines,
      readBytes: limits.max_read_bytes_default,
      readLines: limits.max_read_lines_default,
    },
    schemaRetries: limits.max_schema_retries,
  };
}
