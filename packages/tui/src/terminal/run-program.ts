// One program with a time limit: its output where it ended well, undefined otherwise (it is not there, failed, took too long, or
// said too much).

import { spawn } from "node:child_process";
import type { Environment } from "./capabilities.ts";

export interface ProgramOptions {
  readonly environment: Environment;
  readonly timeoutMs: number;
  /** Given where the program is only written to: its output is not read, because what it leaves in the background keeps it open. */
  readonly input?: Buffer;
}

const maxOutput = 64 * 1024 * 1024;

export function runProgram(command: readonly string[], options: ProgramOptions): Promise<Buffer | undefined> {
  const [name = "", ...parameters] = command;
  const { input } = options;
  return new Promise((resolve) => {
    const child = spawn(name, parameters, {
      env: { ...options.environment },
      stdio: [input === undefined ? "ignore" : "pipe", input === undefined ? "pipe" : "ignore", "ignore"],
      windowsHide: true,
    });
    const parts: Buffer[] = [];
    let size = 0;
    const finish = (output: Buffer | undefined): void => {
      clearTimeout(timer);
      resolve(output);
    };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      finish(undefined);
    }, options.timeoutMs);
    child.on("error", () => finish(undefined));
    child.stdout?.on("data", (part: Buffer) => {
      size += part.length;
      if (size > maxOutput) child.kill("SIGKILL");
      else parts.push(part);
    });
    child.on(input === undefined ? "close" : "exit", (code) =>
      finish(code === 0 ? Buffer.concat(parts) : undefined),
    );
    child.stdin?.on("error", () => finish(undefined));
    child.stdin?.end(input);
  });
}
