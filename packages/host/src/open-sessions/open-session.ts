// An open session owns what the person or the agent left running on purpose: background commands, monitors, timers, agents. It
// is there from the first turn that could leave something until nothing is left, or its host ends.

import { type AgentBackground, Background } from "@stet/agent/background/background";
import type { Clock } from "@stet/agent/timers/clock";
import { mainAgent } from "@stet/protocol/events/new-event";
import { Fault } from "@stet/protocol/fault";
import type { SessionStore } from "@stet/session/session-store";
import type { Session } from "@stet/session/session-tree";
import type { AgentDefinition } from "@stet/tools/agents/agent-definition";
import { namedAgents } from "@stet/tools/agents/agent-tools";
import type { AgentParts } from "../agents/agent-parts.ts";
import { AgentTree } from "../agents/agent-tree.ts";
import { endedAgents } from "../agents/child-session.ts";
import { discoverAgents } from "../agents/discover-agents.ts";
import { othersOf } from "../agents/others.ts";
import type { ChildHosting, Sender } from "../agents/sender.ts";
import { configFoldersOf } from "../settings/config-folders.ts";
import type { Settings } from "../settings/configuration.ts";
import type { OtherAgents } from "../turn/agent-turn.ts";
import type { MainSender, TurnCompany } from "./turn-company.ts";

export interface OpenSessionOptions {
  readonly session: Session;
  readonly files: SessionStore;
  readonly root: string;
  readonly dataFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly isTrusted: () => boolean;
  readonly settings: Settings;
  readonly hosting: ChildHosting;
  /** Does something to the session, whoever has it open. */
  readonly withSession: (action: (session: Session) => void) => Promise<void> | void;
  readonly clock?: Clock | undefined;
}

export class OpenSession implements TurnCompany {
  readonly id: string;
  readonly background: Background;
  readonly tree: AgentTree;
  readonly #options: OpenSessionOptions;

  constructor(options: OpenSessionOptions) {
    const { session, files, settings, environment, clock } = options;
    this.#options = options;
    this.id = session.header.id;
    this.background = new Background({
      isAsync: settings["async.enabled"],
      maxJobs: settings["async.maxJobs"],
      clock,
      noTimers: cronRefusal(environment.STET_DISABLE_CRON),
    });
    this.tree = new AgentTree({
      session: this.id,
      folder: files.artifacts(session)?.folder,
      maxConcurrency: settings["task.maxConcurrency"],
      ended: () => endedAgents(session),
    });
  }

  /** Whether nothing would be lost with it. */
  get isIdle(): boolean {
    return this.background.isIdle && !this.tree.isAtWork;
  }

  get ownBackground(): AgentBackground {
    return this.background.of(mainAgent);
  }

  /** The agents that can be sent now. */
  discover(): Promise<readonly AgentDefinition[]> {
    const { root, environment, isTrusted } = this.#options;
    return discoverAgents(configFoldersOf(root, environment, isTrusted()));
  }

  /** What a turn of the session's own agent gets of the others. */
  async othersFor(text: string, sender: MainSender): Promise<OtherAgents> {
    const known = await this.discover();
    const own: Sender = { ...sender, id: mainAgent, depth: 0, agent: undefined, spawns: undefined };
    return othersOf(this.parts(), own, { known, isNamed: namedAgents(text, known).length > 0 });
  }

  parts(): AgentParts {
    const { hosting, files, dataFolder, withSession } = this.#options;
    return {
      tree: this.tree,
      hosting,
      files,
      dataFolder,
      isAsync: this.background.isAsync,
      backgroundOf: (agent) => this.background.of(agent, agent === mainAgent),
      discover: () => this.discover(),
      withSession,
    };
  }

  /** Ends everything that goes on in it. */
  async close(): Promise<void> {
    this.tree.cancelAll();
    await this.background.close();
    await this.tree.settled();
  }
}

function cronRefusal(disabled: string | undefined): Fault | undefined {
  if (["", "0", "false"].includes(disabled ?? "")) return undefined;
  return new Fault(
    "not_allowed",
    "Cron is disabled by STET_DISABLE_CRON=1.",
    "Do it within this turn, or tell the person that timers are switched off.",
  );
}
