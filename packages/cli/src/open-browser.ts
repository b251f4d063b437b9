// Opens the person's browser on a link that holds a secret.
//
// Everyone on a machine may see the arguments of every process. So a browser is never started with the link: it is given the
// path of a small page, which only this user can read, and which leads there. The page is removed after a minute, and when
// the server ends. Nothing here ever keeps the server from running.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writePrivateFile } from "@stet/storage/private-files";
import { type ProgramSearch, pathOutside, trustedProgram } from "@stet/workspace/commands/trusted-program";

/** A browser that takes longer than this has to be given the link by hand. */
const pageLife = 60_000;

export interface OpenOptions {
  /** What commands may write: no program in it is started. */
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Called when no browser could be opened, at once or later. */
  onFailed(): void;
  readonly platform?: NodeJS.Platform;
}

/** Returns what takes the page away again. */
export function openBrowser(link: string, options: OpenOptions): () => void {
  const { environment, platform = process.platform } = options;
  if (!hasDisplay(environment, platform)) {
    options.onFailed();
    return () => {};
  }
  const page = redirectPage(link);
  if (page === undefined) {
    options.onFailed();
    return () => {};
  }
  const remove = () => {
    clearTimeout(timer);
    rmSync(page.folder, { recursive: true, force: true });
  };
  const timer = setTimeout(remove, pageLife).unref();
  start(page.path, options, platform, () => {
    remove();
    options.onFailed();
  });
  return remove;
}

/** Whether someone is likely to see a window: not on a build machine, nor on one that is only reached over a network. */
export function hasDisplay(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  const { CI, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = environment;
  if (CI !== undefined && CI !== "" && CI !== "false") return false;
  if (platform === "darwin" || platform === "win32") return !SSH_CONNECTION;
  return Boolean(DISPLAY || WAYLAND_DISPLAY);
}

function redirectPage(link: string): { readonly folder: string; readonly path: string } | undefined {
  try {
    // Created with permissions for this user only, under an unpredictable name.
    const folder = mkdtempSync(join(tmpdir(), "stet-open-"));
    const path = join(folder, "open.html");
    writePrivateFile(path, redirectHtml(link), "wx");
    return { folder, path };
  } catch {
    return undefined;
  }
}

/** `replace`, so that going back does not lead to a page that is gone. */
export function redirectHtml(link: string): string {
  const literal = JSON.stringify(link).replaceAll("<", "\\u003c");
  const attribute = link.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Stet</title>
<script>location.replace(${literal})</script>
<p><a href="${attribute}">Open Stet</a></p>
</html>
`;
}

function start(
  path: string,
  { environment, root }: OpenOptions,
  platform: NodeJS.Platform,
  onFailed: () => void,
): void {
  const [program, args] = openerOf(path, platform, { path: environment.PATH ?? "", root });
  if (program === undefined) {
    onFailed();
    return;
  }
  // What opens browsers on Linux is a script, which finds further programs by PATH.
  const env = { ...environment, PATH: pathOutside(environment.PATH ?? "", root) };
  const child = spawn(program, args, { stdio: "ignore", detached: true, env });
  let isTold = false;
  const failed = () => {
    if (!isTold) onFailed();
    isTold = true;
  };
  child.once("error", failed);
  child.once("exit", (code) => {
    if (code !== 0 && code !== null) failed();
  });
  child.unref();
}

function openerOf(
  page: string,
  platform: NodeJS.Platform,
  search: ProgramSearch,
): [program: string | undefined, args: string[]] {
  if (platform === "darwin") return ["/usr/bin/open", [page]];
  if (platform === "win32") {
    const program = `${process.env.SystemRoot ?? "C:\\Windows"}\\System32\\rundll32.exe`;
    return [program, ["url.dll,FileProtocolHandler", page]];
  }
  return [trustedProgram("xdg-open", search), [page]];
}
