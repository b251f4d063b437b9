import { setTimeout as pause } from "node:timers/promises";
import type { JobOutcome } from "@stet/agent/background/jobs";
import { defineTool, type ToolContext, type ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { CommandEnd, CommandRequest } from "@stet/workspace/commands/command";
import { clampTimeout, maxTimeoutSeconds } from "@stet/workspace/commands/command";
import type { RunningCommand } from "@stet/workspace/commands/commands";
import { defaultSize } from "@stet/workspace/commands/shell/terminal";
import * as z from "zod";
import { cut } from "../../call-words.ts";
import type { CommandPermit } from "../../permission/permission-rule.ts";
import { prompt } from "../../prompt.ts";
import { rootPath } from "../root-path.ts";
import { type BashDetails, bashAnswer, fromRoot } from "./bash-answer.ts";
import { type BashContext, type BashTool, type Effect, mayWrite, noEffect } from "./bash-context.ts";
import { commandTarget } from "./command-target.ts";

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
const never = new Promise<undefined>(() => {});

export const bash: BashTool = (context) => {
  // From authorising to executing; both get the same call.
  const permits = new WeakMap<ToolContext, CommandPermit>();
  return defineTool({
    name: "bash",
    description: prompt(import.meta.url, "bash").replace("{jobs}", jobsEnd(context)),
    traits: ["runs", "exclusive", "volatile"],
    words: ({ command }) => `Run ${cut(command)}`,
    schema,
    async authorise(input, call) {
      const target = commandTarget(context, input);
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

function jobsEnd({ background }: BashContext): string {
  return background.isAsync
    ? "Jobs go on after your turn, until the session ends."
    : "They end with the turn.";
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
    const { jobs } = this.#context.background;
    const fault = this.#input.async ? jobs.refusal() : undefined;
    if (fault !== undefined) return fault;
    const onAbort = () => this.#controller.abort();
    const { signal } = this.#call;
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const writes = mayWrite(this.#permit);
      const { result, ...effect } = await this.#context.aroundCommand(writes, () => this.#start());
      if ("jobId" in result) return this.#toldJob(result.jobId, effect);
      return isFault(result.end) ? result.end : this.#told(result.end, effect);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  /** Until the command has ended, or has become a job. */
  async #start(): Promise<{ end: CommandEnd | Fault } | { jobId: string }> {
    const { jobs, foreground } = this.#context.background;
    const progress = this.#progress();
    const running = this.#context.commands.start(this.#request(() => progress.more(running)));
    if (this.#input.async) {
      progress.stop();
      return { jobId: this.#becomeJob(running) };
    }
    const ending = new AbortController();
    const waiting = this.#input.pty ? undefined : foreground.wait(this.#input.command);
    try {
      const end = await Promise.race([running.ended, this.#tooLong(ending.signal), waiting?.asked ?? never]);
      if (end !== undefined) return { end };
      // With no room for another job it is waited for.
      if (jobs.refusal() !== undefined || this.#call.signal.aborted) return { end: await running.ended };
      return { jobId: this.#becomeJob(running) };
    } finally {
      waiting?.end();
      ending.abort();
      progress.stop();
    }
  }

  /** Resolves when the command has taken so long that it becomes a job. */
  #tooLong(signal: AbortSignal): Promise<undefined> {
    const waitMs = this.#backgroundAfter();
    return waitMs === undefined ? never : pause(waitMs, undefined, { signal }).catch(() => never);
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
    const { jobs } = this.#context.background;
    const ended = running.ended.then((end): JobOutcome => {
      if (isFault(end)) return { isFailed: true, text: `${end.message} ${end.suggestion}` };
      // The folder and the changes of a job are its own: what the shell does meanwhile has nothing to do with it.
      const { content } = bashAnswer({ ...end, folder: this.#folderBefore }, this.#answerContext(noEffect));
      return { isFailed: end.exitCode !== 0, text: content.map(({ text }) => text).join("\n") };
    });
    const { started } = running;
    const output = () => running.lastLines(progressTail);
    const work = { started, ended, output, controller: this.#controller };
    return jobs.add({ type: "bash", label: this.#input.command }, work).id;
  }

  #told(end: CommandEnd, effect: Effect): ToolOutcome {
    const { command, network } = this.#input;
    const notes = network && !end.network ? ["The network was asked for, but not allowed"] : [];
    if (end.hasOtherTemporary && /\/tmp\b|\bTMPDIR\b/.test(command)) notes.push(otherTemporary);
    const answer = bashAnswer(end, { ...this.#answerContext(effect), notes });
    return { ...answer, isFailure: end.exitCode !== 0 };
  }

  #toldJob(jobId: string, { changed, lost }: Effect): ToolOutcome {
    const { commands, workspace, background } = this.#context;
    const how = this.#input.async
      ? "Started as a job."
      : "It takes longer, so it goes on as a job, and its shell with it: the next command gets a fresh shell in the same folder.";
    const details: BashDetails = {
      exitCode: undefined,
      timedOut: false,
      cancelled: false,
      cwd: fromRoot(workspace.root.path, commands.folder),
      durationMs: background.jobs.get(jobId)?.durationMs ?? 0,
      truncated: false,
      artifact: undefined,
      jobId,
      isSandboxed: this.#permit.isSandboxed,
      changed,
      lost,
    };
    const content = `${how} Its id is ${jobId}. Wait for it with job {"poll": ["${jobId}"]}, end it with job {"cancel": ["${jobId}"]}. ${background.isAsync ? "It goes on after your turn; you are told when it has ended." : "It ends with the turn."}`;
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
