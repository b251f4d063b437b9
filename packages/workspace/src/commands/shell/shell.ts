// One shell that goes on from command to command. How it is spoken to is in shell-script.ts.

import { isAbsolute } from "node:path";
import type { Duplex, Readable } from "node:stream";
import { setImmediate as nextLoop } from "node:timers/promises";
import { endProcesses } from "./processes.ts";
import { opening, type Program, readyToken, type ShellMessage, spokenTo } from "./shell-script.ts";

export type ShellAnswer =
  | {
      readonly kind: "done";
      readonly exitCode: number;
      /** Absolute. Undefined where it said nothing that could be one. */
      readonly folder: string | undefined;
      /** Whether the folder to work in was gone, so that it ran in the other one. */
      readonly wasMoved: boolean;
    }
  /** Neither folder exists, so nothing was run. */
  | { readonly kind: "gone" }
  /** The shell itself has ended, and with it the command. */
  | { readonly kind: "exited"; readonly exitCode: number | undefined };

const readyMs = 20_000;
const maxAnswer = 64 * 1024;
/** Rounds of the event loop after which output that still comes belongs to something in the background. */
const maxDrainRounds = 200;

/** What a shell is spoken to through. */
export interface ShellChannel {
  /** Commands go there, and answers come. */
  readonly control: Duplex;
  readonly output: Readable;
}

export class Shell {
  readonly marker: string;
  /** Where it is, if it ever answered. */
  folder: string | undefined;
  isBusy = false;
  isAlive = true;
  /** Whether it has come up. */
  readonly ready: Promise<boolean>;
  readonly #program: Program;
  readonly #channel: ShellChannel;
  #read: ((chunk: Buffer) => void) | undefined;
  #chunks = 0;
  #pending = Buffer.alloc(0);
  #waiting: { token: string; settle: (answer: ShellAnswer) => void } | undefined;
  #stopping: Promise<void> | undefined;
  #exited: { exitCode: number | undefined } | undefined;

  constructor(channel: ShellChannel, marker: string, program: Program) {
    this.marker = marker;
    this.#program = program;
    this.#channel = channel;
    channel.output.on("data", (chunk: Buffer) => {
      this.#chunks += 1;
      this.#read?.(chunk);
    });
    channel.control.on("data", (chunk: Buffer) => this.#hear(chunk));
    for (const stream of [channel.control, channel.output]) stream.on("error", () => {});
    this.ready = this.#open();
  }

  /** Runs a command to its end. One at a time. */
  async say(spoken: Omit<ShellMessage, "token">, read: (chunk: Buffer) => void): Promise<ShellAnswer> {
    const token = crypto.randomUUID();
    this.isBusy = true;
    this.#read = read;
    const answered = this.#answer(token);
    this.#channel.control.write(spokenTo(this.#program, { ...spoken, token }));
    const answer = await answered;
    // Where everything is being ended, what the last of it says still belongs to the command.
    await this.#stopping;
    await this.#drain();
    this.#read = undefined;
    this.isBusy = false;
    if (answer.kind === "done") {
      const ranIn = answer.wasMoved ? spoken.instead : spoken.folder;
      this.folder = spoken.returnTo ?? answer.folder ?? ranIn;
    }
    return answer;
  }

  /** Ends the command, the shell and everything that both have started. */
  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  async #end(): Promise<void> {
    await endProcesses(this.marker);
    // The host tells of the exit; were it gone as well, it would be told of that.
    if (this.#exited === undefined) await this.#answerOrExit();
  }

  hasExited(exitCode: number | undefined): void {
    if (this.#exited !== undefined) return;
    this.#exited = { exitCode };
    this.isAlive = false;
    this.#settle({ kind: "exited", exitCode });
  }

  /** Lets go of the channel: a shell that waits for a command ends. */
  close(): void {
    this.hasExited(undefined);
    this.#channel.control.destroy();
    this.#channel.output.destroy();
  }

  async #open(): Promise<boolean> {
    const timer = setTimeout(() => this.hasExited(undefined), readyMs);
    const answered = this.#answer(readyToken);
    this.#channel.control.write(opening(this.#program));
    const { kind } = await answered;
    clearTimeout(timer);
    if (kind !== "done") this.close();
    return kind === "done";
  }

  #answer(token: string): Promise<ShellAnswer> {
    if (this.#exited !== undefined) return Promise.resolve({ kind: "exited", ...this.#exited });
    return new Promise((settle) => {
      this.#waiting = { token, settle };
    });
  }

  async #answerOrExit(): Promise<void> {
    for (let round = 0; round < 100 && this.#exited === undefined; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.hasExited(undefined);
  }

  #settle(answer: ShellAnswer): void {
    this.#waiting?.settle(answer);
    this.#waiting = undefined;
  }

  #hear(chunk: Buffer): void {
    const all = Buffer.concat([this.#pending, chunk]);
    const end = all.lastIndexOf(0);
    // Whatever is longer was not written by our script.
    this.#pending = all.subarray(end + 1).subarray(-maxAnswer);
    if (end < 0) return;
    for (const message of all.subarray(0, end).toString("utf8").split("\0")) {
      const answer = answerOf(message, this.#waiting?.token);
      if (answer !== undefined) this.#settle(answer);
    }
  }

  /** What was written before the answer is in the pipe already: it has been read when a whole round brings nothing. */
  async #drain(): Promise<void> {
    let quiet = 0;
    for (let round = 0; quiet < 2 && round < maxDrainRounds; round += 1) {
      const before = this.#chunks;
      await nextLoop();
      quiet = this.#chunks === before ? quiet + 1 : 0;
    }
  }
}

const maxFolder = 4096;

/** What a message says. Any process of the shell's profile may have written it: what is not an answer word for word is none. */
export function answerOf(message: string, expected: string | undefined): ShellAnswer | undefined {
  const [, token, moved, code = "", folder = ""] =
    /^(\S+)( moved)? (gone|\d{1,3})(?: (.*))?$/s.exec(message) ?? [];
  if (token === undefined || token !== expected) return undefined;
  if (code === "gone") return { kind: "gone" };
  if (Number(code) > 255) return undefined;
  const isFolder = isAbsolute(folder) && folder.length <= maxFolder && !folder.includes("\ufffd");
  return {
    kind: "done",
    exitCode: Number(code),
    folder: isFolder ? folder : undefined,
    wasMoved: moved !== undefined,
  };
}
