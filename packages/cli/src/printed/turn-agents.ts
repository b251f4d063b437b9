// The agents of `stet -p`: they work while the turn does, or with --background wait until they are done.
//
// A turn that sends none does not open its session: what that takes is loaded by the first call that sends an agent. A turn
// that waits for what goes on after it has its session open from the beginning.

import { join } from "node:path";
import type { JobSnapshot } from "@stet/agent/background/jobs";
import type { Folder } from "@stet/host/folder";
import type { OpenSession } from "@stet/host/open-sessions/open-session";
import type { TurnCompany } from "@stet/host/open-sessions/turn-company";
import { configFoldersOf } from "@stet/host/settings/config-folders";
import type { Settings } from "@stet/host/settings/configuration";
import type { TurnEvent } from "@stet/host/turn/agent-turn";
import type { AgentView } from "@stet/protocol/api/agents";
import type { Session } from "@stet/session/session-tree";
import type { AskPerson } from "@stet/tools/capabilities";
import { policyOf } from "@stet/tools/toolset-policies";
import { dataFolder } from "@stet/workspace/files/state-folder";

/** Whoever shows what agents do. */
export interface AgentWatcher {
  /** It began, ended, or asks; `output` is the file with what it gave back, once it has ended. */
  status(agent: AgentView, output: string | undefined): void;
  progress(agent: AgentView): void;
  event(agent: string, event: TurnEvent): void;
}

export interface TurnAgentsOptions {
  readonly folder: Pick<Folder, "workspace" | "sessions">;
  readonly session: Session;
  /** With what the session and the command line choose. */
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
  readonly isTrusted: boolean;
  /** What the person says. */
  readonly text: string;
  /** Whether what goes on after the turn is waited for. */
  readonly waits: boolean;
  readonly ask: AskPerson;
  readonly watcher: AgentWatcher;
}

export interface TurnAgents {
  /** Undefined where no agent can be sent, and nothing can go on beside the turn. */
  readonly company: TurnCompany | undefined;
  /** Undefined until an agent was sent. */
  opened(): OpenSession | undefined;
  /** What goes on beside the turn now. */
  running(): readonly Pick<JobSnapshot, "id" | "label">[];
  /** Ends everything that goes on. */
  close(): Promise<void>;
}

const mention = /@[a-z0-9]/i;

export async function openTurnAgents(options: TurnAgentsOptions): Promise<TurnAgents> {
  const { settings, text, waits } = options;
  const { runsCommands, locksDocuments, isChat } = policyOf(settings.toolset);
  const maySend = !locksDocuments && !isChat && (runsCommands || mention.test(text));
  if (!maySend)
    return { company: undefined, opened: () => undefined, running: () => [], close: async () => {} };
  let session: OpenSession | undefined;
  let opening: Promise<OpenSession> | undefined;
  const open = () => {
    opening ??= openSessionOf(options).then((opened) => {
      session = opened;
      return opened;
    });
    return opening;
  };
  const background = waits ? (await open()).background : await backgroundOf(settings);
  return {
    company: waits ? await open() : await onDemand(options, background.of("main"), open),
    opened: () => session,
    running: () => [...background.running(), ...timersOf(background)],
    close: async () => {
      await background.close();
      await (await opening)?.close();
    },
  };
}

type Background = OpenSession["background"];

function timersOf({ timers }: Background) {
  return timers.all().map(({ id, words, prompt }) => ({ id, label: `${words}: ${prompt}` }));
}

/** Of commands that end with their turn. */
async function backgroundOf({ "async.maxJobs": maxJobs }: Settings): Promise<Background> {
  const { Background } = await import("@stet/agent/background/background");
  return new Background({ isAsync: false, maxJobs });
}

async function onDemand(
  { folder, session, environment, isTrusted }: TurnAgentsOptions,
  ownBackground: TurnCompany["ownBackground"],
  open: () => Promise<OpenSession>,
): Promise<TurnCompany> {
  const [{ OnDemandSession }, { discoverAgents }, { StoredOutputs }] = await Promise.all([
    import("@stet/host/open-sessions/on-demand-session"),
    import("@stet/host/agents/discover-agents"),
    import("@stet/host/agents/agent-outputs"),
  ]);
  const { workspace, sessions } = folder;
  const known = await discoverAgents(configFoldersOf(workspace.root.path, environment, isTrusted));
  const outputs = new StoredOutputs(sessions.artifacts(session)?.folder);
  return new OnDemandSession({ ownBackground, known, outputs, open });
}

async function openSessionOf(options: TurnAgentsOptions): Promise<OpenSession> {
  const [{ OpenSession }, { directHosting }, { tellAgents }] = await Promise.all([
    import("@stet/host/open-sessions/open-session"),
    import("@stet/host/agents/direct-hosting"),
    import("@stet/host/open-sessions/agent-telling"),
  ]);
  const { folder, session, settings, environment, isTrusted, waits, ask, watcher } = options;
  const open = new OpenSession({
    session,
    files: folder.sessions,
    root: folder.workspace.root.path,
    dataFolder: dataFolder(environment),
    environment,
    isTrusted: () => isTrusted,
    settings: { ...settings, "async.enabled": waits },
    hosting: directHosting({ ask, onEvent: ({ place }, event) => watcher.event(place.id, event) }),
    withSession: async (action) => action(session),
  });
  const { folder: outputs } = open.tree;
  tellAgents(open.tree, {
    status: (agent) => {
      const hasEnded = agent.status !== "pending" && agent.status !== "running";
      const output = outputs === undefined ? undefined : join(outputs, `${agent.agent_id}.md`);
      watcher.status(agent, hasEnded ? output : undefined);
    },
    progress: (agent) => watcher.progress(agent),
  });
  return open;
}
