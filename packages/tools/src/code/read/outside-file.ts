// A file or folder outside the root that the person, a rule or the mode allows to be read. It is only looked at: it is no
// document, it has no anchors, and no tool edits it.
//
// Permission was given for a path and for where it really leads; what is opened must be that very file, so that a link that
// is put in its place meanwhile shows nothing else.

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import type { ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { decodeDocument } from "@stet/text/document";
import type { Workspace } from "@stet/workspace/workspace";
import type { CodeContext } from "../code-context.ts";
import { pagedText } from "./paged-text.ts";
import type { SelectedPath } from "./selector.ts";

const maxBytes = 8 * 1024 * 1024;
const maxNames = 500;

/** The absolute path that a home folder, `..` or an absolute path outside the root stands for; undefined for all others. */
export function outsidePath({ root }: Pick<Workspace, "root">, path: string): string | undefined {
  const given = /^~(?=\/|$)/.test(path) ? join(homedir(), path.slice(1)) : path;
  if (!isAbsolute(given) && !/^(?:\.\/)*\.\.(?:\/|$)/.test(given)) return undefined;
  if (given === "/") return undefined;
  const absolute = resolve(root.path, given);
  const inside = relative(root.path, absolute);
  return inside === ".." || inside.startsWith("../") || isAbsolute(inside) ? absolute : undefined;
}

/** Where a path really leads; itself where nothing is there. */
export function realPathOf(path: string): string {
  const real = attempt("found", path, () => realpathSync(path));
  return isFault(real) ? path : real;
}

export function readOutside(
  context: CodeContext,
  selected: SelectedPath,
  permitted: string,
): ToolOutcome | Fault {
  const { path } = selected;
  const content = attempt("read", path, () => open(path, permitted));
  if (isFault(content)) return content.error === "file_not_found" ? (partOutside(path) ?? content) : content;
  const text = typeof content === "string" ? content : textOf(path, content);
  if (isFault(text)) return text;
  const paged = pagedText(context, text, { ...selected, source: path });
  return { ...paged, content: `${paged.content}\n[Outside the workspace: it can be read here, not edited.]` };
}

/** Names of a folder as text, or the bytes of a file. Throws errno errors. */
function open(path: string, permitted: string): string | Buffer | Fault {
  // Not waiting: a pipe without a writer would never open.
  const descriptor = openSync(permitted, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (realpathSync(path) !== permitted || realpathSync(permitted) !== permitted) return changed(path);
    if (stats.isDirectory()) {
      const entries = readdirSync(permitted, { withFileTypes: true }).slice(0, maxNames);
      return entries.map((entry) => `${entry.name}${entry.isDirectory() ? "/" : ""}\n`).join("");
    }
    if (!stats.isFile()) {
      return new Fault("not_a_file", `${path} is not a regular file.`, "Name a file or a folder.", { path });
    }
    if (stats.size > maxBytes) {
      const how = `Look at a part of it with a command: sed -n '1,200p' ${path}`;
      return new Fault("too_large", `${path} has ${stats.size} bytes, too many to be read here.`, how, {
        path,
      });
    }
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** An entry of an archive or a table of a database: these are opened inside the root only. */
function partOutside(path: string): Fault | undefined {
  const colon = path.indexOf(":");
  if (colon < 1 || !existsSync(path.slice(0, colon))) return undefined;
  return new Fault(
    "path_outside",
    `${path} names a part of a file outside the workspace; only whole files and folders are read there.`,
    "Copy the file into the workspace first.",
    { path },
  );
}

function textOf(path: string, bytes: Buffer): string | Fault {
  const document = decodeDocument(bytes);
  if (!isFault(document)) return document.text.toString();
  return new Fault(document.error, `${path} cannot be shown. ${document.message}`, document.suggestion, {
    path,
  });
}

function changed(path: string): Fault {
  return new Fault("path_outside", `${path} leads elsewhere than when it was allowed.`, "Ask for it again.", {
    path,
  });
}
