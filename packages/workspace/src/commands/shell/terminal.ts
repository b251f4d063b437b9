// A command with a terminal of its own, for programs that insist on one. It is not a shell that goes on: one command, then
// it is gone. Nobody types.

import { Fault } from "@stet/protocol/fault";
import { endProcesses, markerName } from "./processes.ts";

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export const defaultSize: TerminalSize = { columns: 120, rows: 40 };

export interface TerminalOptions {
  readonly words: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly marker: string;
  readonly size: TerminalSize;
  readonly read: (chunk: Buffer) => void;
}

export interface PseudoTerminal {
  readonly marker: string;
  readonly exited: Promise<{ readonly exitCode: number }>;
  stop(): Promise<void>;
}

export function clampSize({ columns, rows }: TerminalSize): TerminalSize {
  return { columns: clamp(columns, 20, 400), rows: clamp(rows, 5, 200) };
}

function clamp(value: number, low: number, high: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(low, Math.floor(value)), high) : low;
}

export async function openTerminal(options: TerminalOptions): Promise<PseudoTerminal | Fault> {
  const { words, folder, environment, marker, size, read } = options;
  const [file = "", ...rest] = words;
  try {
    const { spawn } = await import("@lydell/node-pty");
    const { columns, rows } = clampSize(size);
    const terminal = spawn(file, rest, {
      name: environment.TERM ?? "xterm",
      cols: columns,
      rows,
      cwd: folder,
      env: { ...environment, [markerName]: marker },
    });
    terminal.onData((text) => read(Buffer.from(text)));
    const exited = new Promise<{ exitCode: number }>((resolve) => {
      terminal.onExit(({ exitCode, signal }) => {
        resolve({ exitCode: signal === undefined || signal === 0 ? exitCode : 128 + signal });
      });
    });
    const stop = async () => {
      await endProcesses(marker);
      terminal.kill("SIGKILL");
    };
    return { marker, exited, stop };
  } catch (error) {
    return new Fault(
      "command_failed",
      `No terminal could be opened for the command: ${String(error)}.`,
      "Run it without pty.",
      { cause: String(error) },
    );
  }
}
