// Toolset code: reading, searching, editing and running, for programmers. Edits are on disk at once.
//
// A few tools are offered from the start; the others are named in one line and come when they are asked for.

import type { KeepArtifact } from "@stet/agent/bound-output";
import { Owner } from "@stet/agent/owner";
import type { Tool } from "@stet/agent/tool";
import type { Message } from "@stet/protocol/message";
import type { PermissionMode } from "@stet/protocol/permission-mode";
import { Commands } from "@stet/workspace/commands/commands";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import type { AskPerson, ReadArtifact } from "../capabilities.ts";
import { deniedPaths } from "../permission/denied-paths.ts";
import { Permissions } from "../permission/permissions.ts";
import type { SessionRules } from "../permission/session-rules.ts";
import { assignmentRisk } from "../permission/variables.ts";
import { prompt } from "../prompt.ts";
import type { Sight } from "../sight/sight.ts";
import { withSight } from "../sight/with-sight.ts";
import type { Toolset } from "../toolset.ts";
import { bash } from "./bash/bash.ts";
import type { BashContext } from "./bash/bash-context.ts";
import { job } from "./bash/job.ts";
import type { Shelf } from "./code-context.ts";
import { CodeFiles } from "./code-files.ts";
import type { CodeSettings } from "./code-settings.ts";
import { CommandChanges } from "./command-changes.ts";
import { notFoundYet, searchToolBm25, toolsFound } from "./discovery/search-tool-bm25.ts";
import { ToolShelf } from "./discovery/tool-shelf.ts";
import { editToolFor } from "./edit/edit-tools.ts";
import { ask } from "./plan/ask.ts";
import { calc } from "./plan/calc.ts";
import { checkpoint, checkpointReminder, rewind } from "./plan/checkpoint.ts";
import { notebook } from "./plan/notebook.ts";
import { type TodoEdit, todo } from "./plan/todo.ts";
import { folderAddresses } from "./read/addresses.ts";
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
  const changes = new CommandChanges(workspace, turn, () => commands.opened()?.isAtWork === true);
  const context = contextOf(parts, shelf, changes, commands);
  const pending: PendingPreview = { current: undefined };
  const edit = await editToolFor(ports.settings.editMode);
  const core: Tool[] = [read, search, find, edit, write].map((tool) => tool(context));
  core.push(bash(context));
  if (ports.isInteractive) core.push(ask(context));
  const hidden: Tool[] = [
    ...[astGrep, astEdit(pending), resolve(pending), todo, notebook, calc, checkpoint, rewind].map((tool) =>
      tool(context),
    ),
    job(context),
    recipe(context),
  ];
  core.push(
    searchToolBm25(
      { shelf },
      hidden.map(({ name }) => name),
    ),
  );
  const seeing = (tools: readonly Tool[]) => tools.map((tool) => withSight(tool, parts.sight));
  shelf.put(seeing(core), seeing(hidden));
  shelf.offer(toolsFound(messages()));
  return {
    name: "code",
    system: prompt(import.meta.url, "system"),
    tools: shelf.offered,
    shelf,
    missing: (name) => notFoundYet(name, shelf),
    state: () => `${turn.state()} ${context.files.changes} ${changes.effects}`,
    hooks: [
      {
        atEnd: () =>
          checkpointReminder(messages()) ?? previewReminder(pending) ?? jobReminder(commands.opened()),
      },
    ],
    close() {
      const owner = new Owner();
      owner.own(() => changes.finish());
      owner.own(() => commands.opened()?.close());
      return owner.close();
    },
  };
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
        maxJobs: settings.maxJobs,
        variableRisk: (name, value) => assignmentRisk(name, `${name}=${value}`, true),
        covered: () => deniedPaths(root.path, settings.permissionRules),
      });
      return commands;
    },
    opened: () => commands,
  };
}

type LazyCommands = ReturnType<typeof lazyCommands>;

function contextOf(
  { workspace, turn, ask: askPerson, messages, readArtifact, sight, ports }: CodeToolsetParts,
  shelf: ToolShelf,
  changes: CommandChanges,
  commands: LazyCommands,
): BashContext {
  const { settings, isInteractive, configFolders, keepArtifact } = ports;
  const permissions = new Permissions({
    workspace,
    mode: ports.permissionMode ?? (() => settings.permissionMode),
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
    addresses: folderAddresses({ ...configFolders, state: workspace.stateFolder }),
    permit: (request, call) => permissions.permit(request, call),
    readEffect: (tool) => permissions.readEffect(tool),
    shelf,
    get commands() {
      return commands.get();
    },
    permitCommand: (call, target) => permissions.permitCommand(call, target),
    async aroundCommand(writes, action) {
      const { result, effect } = await changes.around(writes, action);
      if ((commands.opened()?.jobs.all().length ?? 0) > 0) shelf.offer(["job"]);
      const problem = effect.problem === undefined ? [] : [effect.problem];
      return { result, changed: [...effect.changed, ...problem], lost: effect.beyondUndo };
    },
  };
}

function previewReminder({ current }: PendingPreview): string | undefined {
  if (current === undefined) return undefined;
  return `[The preview of ${current.summary} was neither applied nor discarded, so nothing of it is done. Call resolve, or say in your answer why it stays undone.]`;
}

function jobReminder(commands: Commands | undefined): string | undefined {
  const running = commands?.jobs.running() ?? [];
  if (running.length === 0) return undefined;
  const names = running.map(({ id, label }) => `${id} (${label})`).join(", ");
  return `[Still running: ${names}. Jobs end with your turn: wait for them with job if their result matters, or end your turn.]`;
}
