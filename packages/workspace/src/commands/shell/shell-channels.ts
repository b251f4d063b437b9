// The channels of the shells that one host will start, made before the host is: nothing can be handed to a process later.
//
// The control socket of each is a socket pair, which Node makes for `stdio: "pipe"`. The output is a pipe, which Node cannot
// make: it comes from a named one that is opened here and removed before the host exists.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { Duplex } from "node:stream";
import type { ShellChannel } from "./shell.ts";
import type { Slot } from "./shell-script.ts";

export interface OutputPipe {
  readonly read: number;
  readonly write: number;
}

/** In a new folder below `parent`, which is gone when this ends. Rejects with errno errors. */
export async function makePipes(mkfifo: string, parent: string, count: number): Promise<OutputPipe[]> {
  const folder = mkdtempSync(join(parent, "pipes-"));
  const pipes: OutputPipe[] = [];
  try {
    const paths = Array.from({ length: count }, (_, at) => join(folder, String(at)));
    const [code] = await once(spawn(mkfifo, ["-m", "600", "--", ...paths], { stdio: "ignore" }), "exit");
    if (code !== 0) throw new Error(`${mkfifo} ended with code ${code}`);
    for (const path of paths) {
      // Without waiting for a writer; whoever writes does wait for us to read.
      const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      pipes.push({ read, write: openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW) });
    }
    return pipes;
  } catch (error) {
    closePipes(pipes);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function closePipes(pipes: readonly OutputPipe[]): void {
  for (const { read, write } of pipes) for (const fd of [read, write]) closeSync(fd);
}

export class ShellChannels {
  readonly #free: { readonly slot: Slot; readonly control: Duplex; readonly read: number }[];

  /** Once the host has inherited the pipes. */
  constructor(child: ChildProcess, slots: readonly Slot[], pipes: readonly OutputPipe[]) {
    for (const { write } of pipes) closeSync(write);
    this.#free = slots.flatMap((slot, at) => {
      const control = child.stdio[slot.control];
      const pipe = pipes[at];
      if (!(control instanceof Duplex) || pipe === undefined) return [];
      control.on("error", () => {});
      return { slot, control, read: pipe.read };
    });
  }

  get isEmpty(): boolean {
    return this.#free.length === 0;
  }

  take(): { readonly slot: Slot; readonly channel: ShellChannel } | undefined {
    const free = this.#free.shift();
    if (free === undefined) return undefined;
    const { slot, control, read } = free;
    return { slot, channel: { control, output: new Socket({ fd: read, readable: true, writable: false }) } };
  }

  close(): void {
    for (const { control, read } of this.#free.splice(0)) {
      control.destroy();
      closeSync(read);
    }
  }
}
