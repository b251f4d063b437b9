// `stet -p "…"`: one turn, printed.

import { relative, resolve } from "node:path";
import { directClient } from "@stet/client/direct";
import { loadConfiguration, type Settings } from "@stet/host/settings/configuration";
import type { FinishedTurn, TurnEvent } from "@stet/host/turn/agent-turn";
import { modelChooser } from "@stet/host/turn/choose-model";
import { Meanings } from "@stet/host/turn/meanings";
import { askedModel, prepareTurn } from "@stet/host/turn/prepare-turn";
import { keptChoices, type SessionChoices, withChoices } from "@stet/host/turn/session-choices";
import { fullName } from "@stet/model/wrapped-model";
import { type Fault, isFault } from "@stet/protocol/fault";
import { thinkingLevels } from "@stet/protocol/model-stream";
import { permissionModes } from "@stet/protocol/permission-mode";
import { noAnswer } from "@stet/protocol/question-text";
import { toolsetNames } from "@stet/protocol/toolset";
import type { AskPerson } from "@stet/tools/capabilities";
import { SessionRules } from "@stet/tools/permission/session-rules";
import { policyOf } from "@stet/tools/toolset-policies";
import { askForTrust } from "../ask-for-trust.ts";
import type { CommandContext } from "../command.ts";
import { turnEntry } from "../command-table.ts";
import { exitCode } from "../exit-code.ts";
import { modelWatcher, refuseModel, tellKeptModel, tellPractice } from "../model-words.ts";
import { folderNote, tellInstructions } from "../notes-for-agent.ts";
import { openSession } from "../open-session.ts";
import type { Words } from "../parse-words.ts";
import { AgentLines } from "../printed/agent-lines.ts";
import { concludeTurns, type LandedTurn, lateTurns, openTurnsOf } from "../printed/conclude-turn.ts";
import { oneAtATime } from "../printed/one-at-a-time.ts";
import { endedLine, runTurns } from "../printed/run-turns.ts";
import { openTurnAgents } from "../printed/turn-agents.ts";
import { isPromptProblem, type Prompt, type PromptProblem, promptOf } from "../prompt-references.ts";
import { TextRenderer } from "../render-text.ts";
import { StatusLine } from "../status-line.ts";
import { showFault } from "../terminal.ts";
import { usage, withFolder } from "../with-folder.ts";

const reviewModes = turnEntry.options.review.choices;

export async function print(words: Words<typeof turnEntry>, given: CommandContext): Promise<number> {
  const status = new StatusLine(given.terminal);
  try {
    return await runPrinted(words, { ...given, terminal: status.terminal }, status);
  } finally {
    status.end();
  }
}

async function runPrinted(
  { values, positionals }: Words<typeof turnEntry>,
  context: CommandContext,
  status: StatusLine,
): Promise<number> {
  const flags = flagsOf(values);
  if (typeof flags === "string") return usage(context, flags);
  const request = await requestOf(positionals, context);
  if (isPromptProblem(request)) return usage(context, request.problem);
  const { text: prompt, images } = request;
  if (prompt === "") return usage(context, 'Say what to do: stet -p "…". See stet --help.');

  const { folder, root } = context;
  const trusted = values.trust || (await askForTrust(root, context));
  // The model is the request's: in hybrid_auto the one of the settings takes over from it.
  const { model: _, ...ownFlags } = flags;
  const configuration = loadConfiguration({
    folder: root,
    environment: context.environment,
    isTrusted: trusted,
    flags: ownFlags,
  });
  if (isFault(configuration)) {
    showFault(context.terminal, configuration);
    return exitCode.refused;
  }
  if (values.mode === "text") status.show("Starting");
  return withFolder(context, async (open) => {
    const { workspace } = open;
    const api = directClient(open.operations);
    // The last one is in front.
    for (const file of values.tab ?? []) {
      const tab = await api.call("openTab", { body: { path: relative(root, resolve(folder, file)) } });
      if (isFault(tab)) return tab;
    }
    const session = openSession(context, workspace.root.path, {
      isContinued: values.continue || values.resume === "",
      resume: values.resume || undefined,
      isKept: !values["no-session"],
    });
    if (isFault(session)) return session;
    open.session = session;
    const { terminal, signal, environment } = context;
    const json =
      values.mode === "json"
        ? new (await import("../json-events.ts")).JsonEvents(terminal, workspace)
        : undefined;
    const chosen = choicesIn(flags);
    const isWaiting = values.background === "wait";
    const configured = { ...configuration.settings, "async.enabled": isWaiting };
    const request = { session, configured, chosen, folder };
    const asked = askedModel(request);
    const kept = flags.model === undefined ? asked : "";
    tellPractice(terminal, request.configured, asked);
    const renderer = new TextRenderer(status);
    const lines = new AgentLines(terminal, (text) => renderer.aside(text));
    // A program reads the events; it is not asked on a terminal that happens to be there.
    const isAsked = values.mode === "text" && terminal.person() !== undefined;
    const askPerson: AskPerson = isAsked
      ? (await import("../ask-in-terminal.ts")).askInTerminal(terminal, {
          interrupt: context.interrupt,
          holdStatus: () => status.hold(),
          previewOf: (callId, agent) =>
            agent === undefined ? renderer.previewOf(callId) : lines.previewOf(agent, callId),
        })
      : async () => noAnswer;
    const ask = oneAtATime(askPerson);
    const landed: LandedTurn[] = [];
    const note = (event: TurnEvent) => {
      if (event.type === "review") landed.push(event);
    };
    const agents = await openTurnAgents({
      folder: open,
      session,
      settings: withChoices(configured, { ...keptChoices(session), ...chosen }),
      environment,
      isTrusted: trusted,
      text: prompt,
      waits: isWaiting,
      ask,
      watcher: {
        status(agent, output) {
          if (json === undefined) lines.status(agent, output);
          else json.agent("task:subagent:lifecycle", agent);
        },
        progress: (agent) => json?.agent("task:subagent:progress", agent),
        event(agent, event) {
          note(event);
          if (json === undefined) lines.event(agent, event);
          else json.show(event, agent);
        },
      },
    });
    const meanings = new Meanings(workspace, request.configured, environment);
    const surroundings = {
      workspace,
      files: open.sessions,
      environment,
      meanings,
      chooseModel: modelChooser(environment),
      sessionRules: new SessionRules(values["no-session"] ? undefined : workspace.stateFolder),
      isTrusted: trusted,
      open: agents.company,
    };
    const watcher = modelWatcher(terminal, (event) => json?.retry(event));
    const prepared = await prepareTurn(surroundings, { ...request, watcher });
    if ("kind" in prepared) return refuseModel(terminal, prepared, kept);
    const { settings, model } = prepared;
    tellKeptModel(terminal, kept);
    json?.begin(session, { model: fullName(model), toolset: settings.toolset });
    tellInstructions(context, prepared.instructions);
    const notes = folderNote(context);
    if (policyOf(settings.toolset).runsCommands) await warnOfMissingSandbox(context, settings);
    const handles = { ask, signal, notes, isInteractive: isAsked, endsProcess: true };
    const show = (event: TurnEvent) => {
      note(event);
      if (json === undefined) renderer.show(event);
      else json.show(event);
    };
    const openBefore = isWaiting ? await openTurnsOf(api) : undefined;
    if (isFault(openBefore)) return openBefore;
    let finished: FinishedTurn | Fault;
    try {
      finished = await runTurns(
        prepared,
        { ...handles, text: prompt, images },
        {
          agents,
          show,
          isWaiting,
          again: (maxCost) => prepareTurn(surroundings, { ...request, fixed: { maxCost }, watcher }),
          tellEnded(jobs, why) {
            if (json !== undefined) json.ended(jobs);
            else renderer.aside(terminal.style("yellow", endedLine(jobs, why)));
          },
        },
      );
    } finally {
      await agents.close();
    }
    if (isFault(finished)) return finished;
    if (!values["no-session"]) await remember(prompt, root, context);
    await meanings.close();
    if (openBefore !== undefined) {
      const known = new Set([...openBefore, ...landed.map(({ turn }) => turn)]);
      const late = await lateTurns(api, session.header.id, known);
      if (isFault(late)) return late;
      landed.push(...late);
    }
    if (landed.length > 0) {
      const fault = await concludeTurns({ api, settings, json, terminal }, landed);
      if (isFault(fault)) return fault;
    }
    await workspace.backUpWhenDue(quickBackupBytes);
    return {
      completed: exitCode.done,
      stopped: exitCode.limit,
      aborted: exitCode.interrupted,
      failed: exitCode.failed,
    }[finished.outcome];
  });
}

/** Where everything is allowed, there is nothing more to ask for. */
async function warnOfMissingSandbox({ terminal, root, environment }: CommandContext, settings: Settings) {
  if (settings["permission.mode"] === "full") return;
  const { missingSandbox } = await import("@stet/workspace/commands/sandbox/missing-sandbox");
  const reason = missingSandbox({ root, environment, isEnabled: settings["sandbox.enabled"] });
  if (reason === undefined) return;
  const line = `Commands run without a sandbox here, so more of them are asked for. ${reason}`;
  terminal.note(terminal.style("dim", `${line}\n`));
}

/** A larger ledger is backed up by a server, beside everything else. */
const quickBackupBytes = 64 * 1024 ** 2;

/** After the answer, so that nobody waits for it. */
async function remember(prompt: string, folder: string, context: CommandContext): Promise<void> {
  const { rememberPrompt } = await import("../prompts.ts");
  rememberPrompt(prompt, folder, context);
}

/** Names were checked against the table; the sets that they belong to say so to the compiler. */
function flagsOf(values: Words<typeof turnEntry>["values"]): Partial<Settings> | string {
  const flags: Partial<Settings> = {};
  if (values.model !== undefined) flags.model = values.model;
  const thinking = thinkingLevels.find((level) => level === values.thinking);
  if (thinking !== undefined) flags.thinking = thinking;
  if (values["service-tier"] !== undefined) flags.serviceTier = values["service-tier"];
  const toolset = toolsetNames.find((name) => name === values.toolset);
  if (toolset !== undefined) flags.toolset = toolset;
  const review = reviewModes.find((name) => name === values.review);
  if (review !== undefined) flags.review = review;
  const mode = permissionModes.find((name) => name === values.permission);
  if (mode !== undefined) flags["permission.mode"] = mode;
  if (values["max-cost"] !== undefined) {
    const cost = Number(values["max-cost"]);
    if (!(cost > 0)) return `--max-cost takes an amount in US dollars, not ${values["max-cost"]}.`;
    flags.maxCost = cost;
  }
  return flags;
}

/** What a flag chooses for the session, and not only for this turn. */
function choicesIn(flags: Partial<Settings>): SessionChoices {
  const { model, thinking, toolset, "permission.mode": permission } = flags;
  return {
    ...(model === undefined ? {} : { model }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(toolset === undefined ? {} : { toolset }),
    ...(permission === undefined ? {} : { "permission.mode": permission }),
  };
}

/** The words of the command line with the files they name; what is piped in comes last. */
async function requestOf(
  words: readonly string[],
  { folder, terminal, signal }: CommandContext,
): Promise<Prompt | PromptProblem> {
  const prompt = await promptOf(words, folder, signal);
  if (isPromptProblem(prompt)) return prompt;
  const piped = await terminal.input();
  return piped.trim() === "" ? prompt : { ...prompt, text: `${prompt.text}\n${piped}`.trim() };
}
