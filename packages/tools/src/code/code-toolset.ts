// Toolset code: reading, searching, editing and running, for programmers. Edits are on disk at once.
//
// A few tools are offered from the start; the others are named in one line and come when they are asked for.

import { type AgentBackground, Background } from "@stet/agent/background/background";
import type { KeepArtifact } from "@stet/agent/bound-output";
import { Owner } from "@stet/agent/owner";
import type { Tool, ToolContext } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import type { PermissionMode } from "@stet/protocol/permission-mode";
import { Commands } from "@stet/workspace/commands/commands";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { AgentPorts } from "../agents/agent-tools.ts";
import type { AskPerson, ReadArtifact } from "../capabilities.ts";
import { deniedPaths } from "../permission/denied-paths.ts";
import type { CommandPermit, CommandTarget } from "../permission/permission-rule.ts";
import { Permissions } from "../permission/permissions.ts";
import type { SessionRules } from "../permission/session-rules.ts";
import { assignmentRisk } from "../permission/variables.ts";
import { prompt } from "../prompt.ts";
import type { Sight } from "../sight/sight.ts";
import { withSight } from "../sight/with-sight.ts";
import type { Toolset } from "../toolset.ts";
import { job } from "./background/job.ts";
import { bash } from "./bash/bash.ts";
import type { BashContext } from "./bash/bash-context.ts";
import type { Shelf } from "./code-context.ts";
import { CodeFiles } from "./code-files.ts";
import type { CodeSettings } from "./code-settings.ts";
import { CommandChanges } from "./command-changes.ts";
import { notFoundYet, searchToolBm25, toolsFound } from "./discovery/search-tool-bm25.ts";
import { ToolShelf } from "./discovery/tool-shelf.ts";
import { editToolFor } from "./edit/edit-tools.ts";
import type { Github } from "./github/github.ts";
import { github } from "./github/github-tool.ts";
import { ask } from "./plan/ask.ts";
import { calc } from "./plan/calc.ts";
import { checkpoint, checkpointReminder, rewind } from "./plan/checkpoint.ts";
import { notebook } from "./plan/notebook.ts";
import { type TodoEdit, todo } from "./plan/todo.ts";
import { type Addresses, folderAddresses, joinedAddresses } from "./read/addresses.ts";
import { Conflicts } from "./read/conflicts.ts";
import { read } from "./read/read.ts";
import { recipe } from "./recipe/recipe.ts";
import { find } from "./search/find.ts";
import { search } from "./search/search.ts";
import { astEdit } from "./structure/ast-edit.ts";
import { astGrep } from "./structure/ast-grep.ts";
import type { PendingPreview } from "./structure/resolve.ts";
import { resolve } from "./structure/resolve.ts";
import { write } from "./write/write.ts";

/** What the front end knows and the toolset needs. */
export interface CodePorts {
  readonly settings: CodeSettings;
  readonly session: string;
  /** What the person allowed for their sessions; it outlives a turn. */
  readonly sessionRules: SessionRules;
  /** Commands get a part of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether someone is there who can answer. */
  readonly isInteractive: boolean;
  /** The project's own `.stet` folder, where the person trusts it, and the person's configuration. */
  readonly configFolders: { readonly project: string | undefined; readonly user: string | undefined };
  /** Keeps it without secrets. */
  readonly keepArtifact: KeepArtifact | undefined;
  /** The newest list of tasks that the person wrote themselves. */
  readonly todoEdit?: (() => TodoEdit | undefined) | undefined;
  /** The permission mode as it is now, where the person may change it while the turn runs. */
  readonly permissionMode?: (() => PermissionMode) | undefined;
  /** What may go on between turns; undefined where everything ends with the turn. */
  readonly background?: AgentBackground | undefined;
  /** The other agents of the session; undefined where there are none. */
  readonly agents?: AgentPorts | undefined;
  /** Why commands may only read, where that is so whatever the mode says. */
  readonly onlyReading?: string | undefined;
}

export interface CodeToolsetParts {
  readonly workspace: Workspace;
  readonly turn: Turn;
  readonly ask: AskPerson;
  readonly messages: () => readonly Message[];
  readonly readArtifact: ReadArtifact | undefined;
  readonly sight: Sight;
  readonly ports: CodePorts;
}

export interface CodeToolset extends Toolset {
  readonly shelf: Shelf;
}

export async function codeToolset(parts: CodeToolsetParts): Promise<CodeToolset> {
  const { workspace, turn, messages, sight, ports } = parts;
  sight.begin(turn.id);
  const shelf = new ToolShelf();
  const commands = lazyCommands(parts);
  const hub = lazyGithub(parts);
  const changes = new CommandChanges(workspace, turn, () => commands.opened()?.isAtWork === true);
  const background = ports.background ?? ownBackground(ports.settings);
  const others = ports.agents && (await openAgents(ports.agents, background, () => shelf.offer(["job"])));
  const context = contextOf(
    parts,
    { shelf, changes, commands, background, github: hub.get },
    others?.addresses,
  );
  const pending: PendingPreview = { current: undefined };
  const edit = await editToolFor(ports.settings.editMode);
  const core: Tool[] = [read, search, find, edit, write].map((tool) => tool(context));
  core.push(bash(context));
  if (ports.isInteractive) core.push(ask(context));
  core.push(...(others?.offered ?? []));
  const allHidden: Tool[] = [
    ...[astGrep, astEdit(pending), resolve(pending), todo, notebook, calc, checkpoint, rewind].map((tool) =>
      tool(context),
    ),
    job(context),
    recipe(context),
    github(context),
    ...(background.isAsync ? await betweenTurns(context) : []),
    ...(others?.hidden ?? []),
  ];
  const { offered, hidden } = shelved(core, allHidden, others);
  if (hidden.length > 0) {
    const names = hidden.map(({ name }) => name);
    offered.push(searchToolBm25({ shelf }, names));
  }
  const seeing = (tools: readonly Tool[]) => tools.map((tool) => withSight(tool, parts.sight));
  shelf.put(seeing(offered), seeing(hidden));
  shelf.offer(toolsFound(messages()));
  return {
    name: "code",
    system: prompt(import.meta.url, "system"),
    tools: shelf.offered,
    shelf,
    missing: (name) => notFoundYet(name, shelf),
    state: () => `${turn.state()} ${context.files.changes} ${changes.effects}`,
    hooks: [
      ...(others?.hooks ?? []),
      {
        atEnd: () => checkpointReminder(messages()) ?? previewReminder(pending) ?? jobReminder(background),
      },
    ],
    async close() {
      try {
        await hub.close();
      } finally {
        await closeCommands(parts, { changes, commands, background });
      }
    },
  };
}

/** Loaded only where there are other agents. */
async function openAgents(agents: AgentPorts, background: AgentBackground, onSent: () => void) {
  const { agentTools, allowedTools } = await import("../agents/agent-tools.ts");
  const { agentAddresses } = await import("../agents/agent-address.ts");
  return {
    ...agentTools(agents, background, onSent),
    addresses: agents.outputs && agentAddresses(agents.outputs),
    listsTools: agents.allowed !== undefined,
    kept: (tools: readonly Tool[]) => [...allowedTools(tools, agents)],
  };
}

type OpenAgents = Awaited<ReturnType<typeof openAgents>>;

/** Loaded only where something may go on between turns. */
async function betweenTurns(context: BashContext): Promise<Tool[]> {
  const { monitor } = await import("./background/monitor.ts");
  const { cronTools } = await import("./background/cron.ts");
  return [monitor(context), ...cronTools(context.background)];
}

/** An agent whose file lists its tools is offered all of them at once. */
function shelved(
  core: readonly Tool[],
  hidden: readonly Tool[],
  others: OpenAgents | undefined,
): { readonly offered: Tool[]; readonly hidden: Tool[] } {
  if (others === undefined) return { offered: [...core], hidden: [...hidden] };
  if (!others.listsTools) return { offered: others.kept(core), hidden: others.kept(hidden) };
  return { offered: others.kept([...core, ...hidden]), hidden: [] };
}

interface CommandParts {
  readonly changes: CommandChanges;
  readonly commands: LazyCommands;
  readonly background: AgentBackground;
}

/** Jobs go on where the session lets them; everything else that the turn has started ends with it. */
async function closeCommands(
  { workspace, ports }: CodeToolsetParts,
  { changes, commands, background }: CommandParts,
): Promise<void> {
  const opened = commands.opened();
  const owner = new Owner();
  owner.own(() => changes.finish());
  owner.own(async () => {
    if (opened === undefined) return;
    if (!background.isAsync) {
      background.jobs.cancelAll();
      await opened.close();
    } else if (await opened.retire()) {
      // Before this turn is finished: what they change in between would be nobody's.
      const { followLeft } = await import("./background/left-commands.ts");
      await followLeft({ workspace, session: ports.session, commands: opened, background });
    }
  });
  await owner.close();
}

/** Where nothing outlives the turn. */
function ownBackground({ maxJobs }: CodeSettings): AgentBackground {
  return new Background({ isAsync: false, maxJobs }).of("main");
}

/** Started when the first command is about to run. */
function lazyCommands({ workspace, ports }: CodeToolsetParts) {
  let commands: Commands | undefined;
  const { settings, environment } = ports;
  const { root, stateFolder } = workspace;
  return {
    get(): Commands {
      commands ??= new Commands({
        root,
        stateFolder,
        environment,
        passed: settings.commandEnvironment,
        isSandboxed: settings.sandbox,
        access: settings.sandboxAccess,
        limits: settings.commandLimits,
        variableRisk: (name, value) => assignmentRisk(name, `${name}=${value}`, true),
        covered: () => deniedPaths(root.path, settings.permissionRules),
      });
      return commands;
    },
    opened: () => commands,
  };
}

type LazyCommands = ReturnType<typeof lazyCommands>;

/** Loaded when an address or the tool is first used. */
function lazyGithub({ workspace, ports: { environment, settings } }: CodeToolsetParts) {
  let opening: Promise<Github> | undefined;
  const open = async () => {
    const { Github } = await import("./github/github.ts");
    const { writable } = settings.sandboxAccess;
    return new Github({ workspace, environment, settings: settings.github, writable });
  };
  return {
    get: () => {
      opening ??= open();
      return opening;
    },
    close: async () => (await opening)?.close(),
  };
}

function contextOf(
  { workspace, turn, ask: askPerson, messages, readArtifact, sight, ports }: CodeToolsetParts,
  {
    shelf,
    changes,
    commands,
    background,
    github,
  }: CommandParts & { readonly shelf: ToolShelf; readonly github: () => Promise<Github> },
  agentOutputs: Addresses | undefined,
): BashContext {
  const { settings, isInteractive, configFolders, keepArtifact } = ports;
  const modeOf = ports.permissionMode ?? (() => settings.permissionMode);
  const permissionsIn = (mode?: PermissionMode) =>
    new Permissions({
      workspace,
      mode: () => mode ?? modeOf(),
      rules: settings.permissionRules,
      session: { id: ports.session, rules: ports.sessionRules },
      ask: askPerson,
      isInteractive,
      hasSandbox: () => settings.sandbox && commands.get().sandbox.kind !== "none",
      sandboxNetwork: settings.sandboxNetwork,
      isShown: (path) => commands.get().hosts.shows(path),
      programs: {
        shell: () => commands.get().hosts.shell,
        isWritable: (name) => commands.get().hosts.isWritableProgram(name),
      },
    });
  const permissions = permissionsIn();
  return {
    workspace,
    turn,
    settings,
    files: new CodeFiles(workspace, turn, (tool) => permissions.readEffect(tool)),
    sight,
    conflicts: new Conflicts(),
    display: settings.editMode === "hashline" ? "anchors" : "numbers",
    ask: askPerson,
    isInteractive,
    messages,
    todoEdit: ports.todoEdit,
    readArtifact,
    keepArtifact,
    addresses: joinedAddresses([
      folderAddresses({ ...configFolders, state: workspace.stateFolder }),
      ...(agentOutputs === undefined ? [] : [agentOutputs]),
    ]),
    permit: (request, call) => permissions.permit(request, call),
    readEffect: (tool) => permissions.readEffect(tool),
    local: { folder: ports.agents?.outputs?.folder, session: ports.session },
    github,
    shelf,
    background,
    get commands() {
      return commands.get();
    },
    permitCommand: (call, target) =>
      ports.onlyReading === undefined
        ? permissions.permitCommand(call, target)
        : permitReading(permissionsIn("plan"), { call, target, why: ports.onlyReading }),
    async aroundCommand(writes, action) {
      const { result, effect } = await changes.around(writes, action);
      if (background.jobs.all().length > 0) shelf.offer(["job"]);
      const problem = effect.problem === undefined ? [] : [effect.problem];
      return { result, changed: [...effect.changed, ...problem], lost: effect.beyondUndo };
    },
  };
}

function previewReminder({ current }: PendingPreview): string | undefined {
  if (current === undefined) return undefined;
  return `[The preview of ${current.summary} was neither applied nor discarded, so nothing of it is done. Call resolve, or say in your answer why it stays undone.]`;
}

function jobReminder({ jobs, isAsync }: AgentBackground): string | undefined {
  const running = isAsync ? [] : jobs.running();
  if (running.length === 0) return undefined;
  const names = running.map(({ id, label }) => `${id} (${label})`).join(", ");
  return `[Still running: ${names}. Jobs end with your turn: wait for them with job if their result matters, or end your turn.]`;
}

/** As in mode plan: what writes is refused, and what is thought to read cannot write. */
async function permitReading(
  permissions: Permissions,
  { call, target, why }: { readonly call: ToolContext; readonly target: CommandTarget; readonly why: string },
): Promise<CommandPermit | Fault> {
  const permit = await permissions.permitCommand(call, target);
  if (!isFault(permit) || permit.error !== "not_allowed") return permit;
  return new Fault(
    "not_allowed",
    `${target.command} was not run. ${why}`,
    "Read, search and edit with the other tools, and say in your result what should be run.",
  );
}
