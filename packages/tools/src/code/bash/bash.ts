import { setTimeout as pause } from "node:timers/promises";
import { defineTool, type ToolContext, type ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { CommandEnd, CommandRequest } from "@stet/workspace/commands/command";
import { clampTimeout, maxTimeoutSeconds } from "@stet/workspace/commands/command";
import type { RunningCommand } from "@stet/workspace/commands/commands";
import type { JobOutcome } from "@stet/workspace/commands/jobs";
import { quoted } from "@stet/workspace/commands/shell/shell-script";
import { defaultSize } from "@stet/workspace/commands/shell/terminal";
import { resolveFolder } from "@stet/workspace/files/containment";
import * as z from "zod";
import { cut } from "../../call-words.ts";
import type { CommandPermit, CommandTarget } from "../../permission/permission-rule.ts";
import { prompt } from "../../prompt.ts";
import { rootPath } from "../root-path.ts";
import { type BashDetails, bashAnswer, fromRoot } from "./bash-answer.ts";
import type { BashContext, BashTool, Effect } from "./bash-context.ts";

const schema = z.object({
  command: z.string().min(1).describe("For bash"),
  timeout: z.number().positive().optional().describe("Seconds, 1 to 3600"),
  cwd: z.string().optional().describe("Folder in the workspace, for this call only"),
  env: z.record(z.string(), z.string()).optional().describe("Variables, for this call only"),
  pty: z.boolean().optional().describe("Give it a terminal"),
  async: z.boolean().optional().describe("Go on as a job at once"),
  network: z.boolean().optional().describe("It needs the network"),
  writes: z.boolean().optional().describe("It writes, though it was run as one that only reads"),
});

type Input = z.infer<typeof schema>;

const otherTemporary =
  "This ran outside the sandbox, where /tmp is another: files that commands in the sandbox made there are not in it";
const progressMs = 100;
const progressTail = { bytes: 4096, lines: 20 };

export const bash: BashTool = (context) => {
  // From authorising to executing; both get the same call.
  const permits = new WeakMap<ToolContext, CommandPermit>();
  return defineTool({
    name: "bash",
    description: prompt(import.meta.url, "bash"),
    traits: ["runs", "exclusive", "volatile"],
    words: ({ command }) => `Run ${cut(command)}`,
    schema,
    async authorise(input, call) {
      const target = targetOf(context, input);
      if (isFault(target)) return target;
      const permit = await context.permitCommand(call, target);
      if (isFault(permit)) return permit;
      permits.set(call, permit);
      return undefined;
    },
    async execute(input, call) {
      const permit = permits.get(call);
      if (permit === undefined) throw new Error("bash was executed without having been authorised");
      return new BashCall(context, input, permit, call).carryOut();
    },
  });
};

/** What the person and the rules judge: also the variables, which can make another command of it. */
function targetOf(
  { workspace, commands }: BashContext,
  { command, cwd, env = {}, network = false, writes = false }: Input,
): CommandTarget | Fault {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  const whole = variables.length === 0 ? command : `export ${variables.join(" ")}\n${command}`;
  const asked = cwd === undefined ? undefined : resolveFolder(workspace.root, rootPath(workspace, cwd));
  if (isFault(asked)) return asked;
  const folder = fromRoot(workspace.root.path, asked?.absolute ?? commands.folder);
  return { command: whole, folder, network, writes };
}

/** One call, from its start to what is told of it. */
class BashCall {
  readonly #context: BashContext;
  readonly #input: Input;
  readonly #permit: CommandPermit;
  readonly #call: ToolContext;
  readonly #folderBefore: string;
  /** Ends the command: when the call is aborted, or the job that it became is cancelled. */
  readonly #controller = new AbortController();

  constructor(context: BashContext, input: Input, permit: CommandPermit, call: ToolContext) {
    this.#context = context;
    this.#input = input;
    this.#permit = permit;
    this.#call = call;
    this.#folderBefore = context.commands.folder;
  }

  async carryOut(): Promise<ToolOutcome | Fault> {
    const { commands } = this.#context;
    const fault = this.#input.async ? commands.jobs.refusal() : undefined;
    if (fault !== undefined) return fault;
    const onAbort = () => this.#controller.abort();
    const { signal } = this.#call;
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const { isReadOnly, isSandboxed } = this.#permit;
      const writes = !isReadOnly ? "maybe" : isSandboxed ? "never" : "unlikely";
      const { result, ...effect } = await this.#context.aroundCommand(writes, () => this.#start());
      if ("jobId" in result) return this.#toldJob(result.jobId, effect);
      return isFault(result.end) ? result.end : this.#told(result.end, effect);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Until the command has ended, or has become a job. */
  async #start(): Promise<{ end: CommandEnd | Fault } | { jobId: string }> {
    const { jobs } = this.#context.commands;
    const progress = this.#progress();
    const running = this.#context.commands.start(this.#request(() => progress.more(running)));
    try {
      if (this.#input.async) return { jobId: this.#becomeJob(running) };
      const waitMs = this.#backgroundAfter();
      if (waitMs === undefined) return { end: await running.ended };
      const ending = new AbortController();
      const waited = pause(waitMs, undefined, { signal: ending.signal }).catch(() => undefined);
      const end = await Promise.race([running.ended, waited]);
      ending.abort();
      if (end !== undefined) return { end };
      // With no room for another job it is waited for.
      if (jobs.refusal() !== undefined || this.#call.signal.aborted) return { end: await running.ended };
      return { jobId: this.#becomeJob(running) };
    } finally {
      progress.stop();
    }
  }

  #request(onOutput: () => void): CommandRequest {
    const { command, cwd, env, pty } = this.#input;
    const { isSandboxed, network, isReadOnly } = this.#permit;
    return {
      command,
      cwd: cwd === undefined ? undefined : rootPath(this.#context.workspace, cwd),
      env,
      terminal: pty ? defaultSize : undefined,
      timeoutSeconds: this.#timeoutSeconds(),
      isSandboxed,
      isReadOnly,
      network,
      hasOwnShell: this.#input.async,
      signal: this.#controller.signal,
      onOutput,
    };
  }

  #timeoutSeconds(): number {
    // A job that nobody set a time for is mostly a server.
    const usual = this.#input.async ? maxTimeoutSeconds : this.#context.settings.bashTimeout;
    return clampTimeout(this.#input.timeout ?? usual);
  }

  /** Milliseconds; undefined where the command is waited for to its end. */
  #backgroundAfter(): number | undefined {
    const { bashAutoBackground, bashBackgroundAfter } = this.#context.settings;
    if (!bashAutoBackground || this.#input.pty) return undefined;
    const waitMs = Math.min(bashBackgroundAfter, this.#timeoutSeconds() * 1000 - 1000);
    return waitMs > 0 ? waitMs : undefined;
  }

  #becomeJob(running: RunningCommand): string {
    running.leave();
    const { jobs } = this.#context.commands;
    const ended = running.ended.then((end): JobOutcome => {
      if (isFault(end)) return { isFailed: true, text: `${end.message} ${end.suggestion}` };
      // The folder and the changes of a job are its own: what the shell does meanwhile has nothing to do with it.
      const { content } = bashAnswer(
        { ...end, folder: this.#folderBefore },
        this.#answerContext({ changed: [], lost: [] }),
      );
      return { isFailed: end.exitCode !== 0, text: content.map(({ text }) => text).join("\n") };
    });
    const { started } = running;
    const output = () => running.lastLines(progressTail);
    return jobs.add("bash", this.#input.command, { started, ended, output, controller: this.#controller }).id;
  }

  #told(end: CommandEnd, effect: Effect): ToolOutcome {
    const { command, network } = this.#input;
    const notes = network && !end.network ? ["The network was asked for, but not allowed"] : [];
    if (end.hasOtherTemporary && /\/tmp\b|\bTMPDIR\b/.test(command)) notes.push(otherTemporary);
    const answer = bashAnswer(end, { ...this.#answerContext(effect), notes });
    return { ...answer, isFailure: end.exitCode !== 0 };
  }

  #toldJob(jobId: string, { changed, lost }: Effect): ToolOutcome {
    const { commands, workspace } = this.#context;
    const how = this.#input.async
      ? "Started as a job."
      : "It takes longer, so it goes on as a job, and its shell with it: the next command gets a fresh shell in the same folder.";
    const details: BashDetails = {
      exitCode: undefined,
      timedOut: false,
      cancelled: false,
      cwd: fromRoot(workspace.root.path, commands.folder),
      durationMs: commands.jobs.get(jobId)?.durationMs ?? 0,
      truncated: false,
      artifact: undefined,
      jobId,
      isSandboxed: this.#permit.isSandboxed,
      changed,
      lost,
    };
    const content = `${how} Its id is ${jobId}. Wait for it with job {"poll": ["${jobId}"]}, end it with job {"cancel": ["${jobId}"]}. It ends with the turn.`;
    return { content, details };
  }

  #answerContext(effect: Effect): Parameters<typeof bashAnswer>[1] {
    const { workspace, keepArtifact } = this.#context;
    const hadTerminal = this.#input.pty ?? false;
    return {
      root: workspace.root.path,
      folderBefore: this.#folderBefore,
      keepArtifact,
      effect,
      hadTerminal,
    };
  }

  /** Shows the last lines, at most every tenth of a second. */
  #progress(): { more(running: RunningCommand): void; stop(): void } {
    let timer: NodeJS.Timeout | undefined;
    let isStopped = false;
    const { progress } = this.#call;
    return {
      more(running) {
        if (isStopped) return;
        timer ??= setTimeout(() => {
          timer = undefined;
          progress(running.lastLines(progressTail));
        }, progressMs);
      },
      stop() {
        isStopped = true;
        clearTimeout(timer);
      },
    };
  }
}
