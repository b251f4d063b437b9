// Which session a terminal last had, so that "continue" in a terminal goes on with its own conversation.
//
// `<data>/terminal-sessions/<terminal>` has two lines: the working directory and the session file. It is a
// convenience: failing to write or read it is no failure of anything else.

import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { isatty } from "node:tty";
import { ignoreFault, isFault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import { attempt } from "@stet/protocol/system-fault";
import { makeDurableFolder, replaceFile, writeAll } from "@stet/storage/durable-file";
import { isSameFolder } from "./session-paths.ts";

const terminalVariables = ["KITTY_WINDOW_ID", "TMUX_PANE", "TERM_SESSION_ID", "WT_SESSION"];

/** The terminal of this process as a name for a file: its device, or what the terminal says of itself. */
export function currentTerminalId(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const device = isatty(0)
    ? attempt("read", "/proc/self/fd/0", () => readlinkSync("/proc/self/fd/0"))
    : undefined;
  if (typeof device === "string" && device.startsWith("/dev/")) return fileName(device.slice(1));
  for (const name of terminalVariables) {
    const value = environment[name];
    if (value) return fileName(`${name}-${value}`);
  }
  return undefined;
}

function fileName(text: string): string {
  return text.replace(/[^A-Za-z0-9_%-]/g, "-").slice(0, 120);
}

export function leaveBreadcrumb(
  dataFolder: string,
  terminalId: string,
  cwd: string,
  sessionPath: string,
): void {
  const folder = join(dataFolder, "terminal-sessions");
  const path = join(folder, fileName(terminalId));
  const left = attempt("written", path, () => {
    makeDurableFolder(folder);
    const content = Buffer.from(`${cwd}\n${sessionPath}\n`);
    replaceFile(path, `${path}.${uniqueSuffix()}`, (descriptor) => writeAll(descriptor, content));
  });
  // It is a shortcut: a session is found without it, too.
  ignoreFault(left);
}

/** The session file, if it belongs to this folder and is still there. */
export function followBreadcrumb(dataFolder: string, terminalId: string, cwd: string): string | undefined {
  const path = join(dataFolder, "terminal-sessions", fileName(terminalId));
  const content = attempt("read", path, () => readFileSync(path, "utf8"));
  if (isFault(content)) return undefined;
  const [leftIn = "", sessionPath = ""] = content.split("\n");
  return isSameFolder(leftIn, cwd) && existsSync(sessionPath) ? sessionPath : undefined;
}
