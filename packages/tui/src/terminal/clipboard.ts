// The clipboard. Text is written by the terminal (OSC 52, which also reaches the person's own machine over SSH) and by the
// desktop's program where there is one. Text and pictures are read by the desktop's program: terminals ask the person for each
// reading, or do not answer. Every program has a time limit; where none is there, or it fails, there is nothing to read.

import type { Environment } from "./capabilities.ts";
import { type ClipboardProgram, clipboardPrograms } from "./clipboard-programs.ts";
import { runProgram } from "./run-program.ts";

export interface ClipboardOptions {
  readonly environment?: Environment;
  readonly platform?: NodeJS.Platform;
  readonly timeoutMs?: number;
}

export interface ClipboardPicture {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly bytes: Uint8Array;
}

/** Terminals drop longer ones without a word. */
const maxTerminalBytes = 100_000;

/** What makes the terminal take the text; undefined where it is too long for that. */
export function clipboardSequence(text: string): string | undefined {
  const bytes = Buffer.from(text);
  return bytes.length > maxTerminalBytes ? undefined : `\u001b]52;c;${bytes.toString("base64")}\u0007`;
}

/** Whether the text reached a clipboard, as far as one can know: a terminal does not say whether it took it. */
export async function writeClipboard(
  text: string,
  writeTerminal: (sequence: string) => void,
  options: ClipboardOptions = {},
): Promise<boolean> {
  const sequence = clipboardSequence(text);
  if (sequence !== undefined) writeTerminal(sequence);
  // Over SSH the desktop's program would reach the wrong desktop.
  if (isRemote(options.environment ?? process.env)) return sequence !== undefined;
  for (const program of programs(options)) {
    if ((await run(program.writeText, options, Buffer.from(text))) !== undefined) return true;
  }
  return sequence !== undefined;
}

/** Undefined where there is no text, or no program to read it. */
export async function readClipboardText(options: ClipboardOptions = {}): Promise<string | undefined> {
  for (const program of programs(options)) {
    const bytes = await run(program.readText, options);
    if (bytes !== undefined) return bytes.length === 0 ? undefined : bytes.toString();
  }
  return undefined;
}

/** Undefined where there is no picture, or no program to read it. */
export async function readClipboardPicture(
  options: ClipboardOptions = {},
): Promise<ClipboardPicture | undefined> {
  for (const program of programs(options)) {
    for (const { command, decode } of program.readPicture) {
      const output = await run(command, options);
      const bytes = output === undefined ? undefined : decode(output);
      const mediaType = bytes === undefined ? undefined : pictureType(bytes);
      if (bytes !== undefined && mediaType !== undefined) return { mediaType, bytes };
    }
  }
  return undefined;
}

function programs(options: ClipboardOptions): readonly ClipboardProgram[] {
  return clipboardPrograms(options.environment ?? process.env, options.platform ?? process.platform);
}

function run(
  command: readonly string[],
  options: ClipboardOptions,
  input?: Buffer,
): Promise<Buffer | undefined> {
  return runProgram(command, {
    environment: options.environment ?? process.env,
    timeoutMs: options.timeoutMs ?? 3000,
    ...(input === undefined ? {} : { input }),
  });
}

function isRemote(environment: Environment): boolean {
  return (environment.SSH_TTY ?? environment.SSH_CONNECTION ?? "") !== "";
}

/** By the first bytes: programs name the wrong type, or answer in text. */
function pictureType(bytes: Uint8Array): ClipboardPicture["mediaType"] | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\u0089PNG\r\n\u001a\n")) return "image/png";
  if (start.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (start.startsWith("GIF8")) return "image/gif";
  return start.startsWith("RIFF") && start.endsWith("WEBP") ? "image/webp" : undefined;
}
