// Copies of databases and archives from before a turn changed them. The ledger does not know such files, so nothing else
// can bring them back. One copy for each file and turn; the newest twenty are kept, and no file over 64 MB.

import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { makePrivateFolder, writePrivateFile } from "@stet/storage/private-files";
import type { Location } from "@stet/workspace/files/containment";
import type { CodeContext } from "../code-context.ts";

const maxBytes = 64 * 1024 * 1024;
const maxCopies = 20;

/** Which copies each turn has made, by path. */
const copiesOf = new WeakMap<CodeContext["turn"], Map<string, string>>();

export interface KeptCopy {
  /** Where the copy is; undefined where the file is too large for one. */
  readonly kept: string | undefined;
  /** Whether the copy has yet to be made. */
  readonly isNew: boolean;
}

/** Where the copy of a file is, or has to go. */
export function copyOf(
  context: CodeContext,
  { path }: Pick<Location, "path">,
  size: number,
): KeptCopy | Fault {
  const copies = copiesOf.get(context.turn) ?? new Map<string, string>();
  copiesOf.set(context.turn, copies);
  const earlier = copies.get(path);
  if (earlier !== undefined) return { kept: earlier, isNew: false };
  if (size > maxBytes) return { kept: undefined, isNew: false };
  const folder = join(context.workspace.stateFolder, "kept-binaries");
  const made = attempt("prepared", folder, () => {
    makePrivateFolder(folder);
    const names = readdirSync(folder).sort();
    for (const name of names.slice(0, Math.max(0, names.length - maxCopies + 1))) {
      rmSync(join(folder, name), { force: true });
    }
    return undefined;
  });
  if (isFault(made)) return made;
  return { kept: join(folder, copyName(path)), isNew: true };
}

/** The copy was made. */
export function rememberCopy(context: CodeContext, { path }: Pick<Location, "path">, kept: string): void {
  copiesOf.get(context.turn)?.set(path, kept);
}

export function keepCopy(context: CodeContext, location: Location, bytes: Uint8Array): KeptCopy | Fault {
  const copy = copyOf(context, location, bytes.length);
  if (isFault(copy)) return copy;
  const { kept, isNew } = copy;
  if (kept === undefined || !isNew) return copy;
  const copied = attempt("copied", location.path, () => writePrivateFile(kept, bytes));
  if (isFault(copied)) return copied;
  rememberCopy(context, location, kept);
  return copy;
}

/** The answer to the first write names the copy; there is no other way back. */
export function withKeptNote(outcome: ToolOutcome, { kept, isNew }: KeptCopy): ToolOutcome {
  if (typeof outcome.content !== "string" || (kept !== undefined && !isNew)) return outcome;
  const note =
    kept === undefined
      ? "[The file is too large for a copy of what it was before.]"
      : `[What it was before is kept at ${kept}]`;
  return { ...outcome, content: `${outcome.content}\n${note}` };
}

let count = 0;

/** Sorted by name, copies are sorted by time. */
function copyName(path: string): string {
  count += 1;
  const time = new Date().toISOString().replaceAll(":", "-");
  return `${time}-${String(count).padStart(4, "0")}-${basename(path)
    .replace(/[^\w.-]/g, "_")
    .slice(-80)}`;
}
