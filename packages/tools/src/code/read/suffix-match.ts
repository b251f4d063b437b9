// A path that names nothing may be the end of one that does: `button.tsx` for `src/ui/button.tsx`. Only a single fit is
// taken; several are told, and so are names that come near.

import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { editDistance } from "@stet/text/edit-distance";
import type { CodeContext } from "../code-context.ts";

const maxFiles = 100_000;
const timeoutMs = 5000;
const maxNamed = 8;

export async function findBySuffix(
  { workspace }: Pick<CodeContext, "workspace">,
  path: string,
  call: Pick<ToolContext, "signal">,
): Promise<string | Fault> {
  const { signal } = call;
  const listing = await workspace.list({ hidden: true, limit: maxFiles, timeoutMs, signal });
  // The file is missing, whether or not looking for others was possible.
  const files = isFault(listing) ? [] : listing.files;
  const wanted = path.replace(/^(\.?\/)+|\/+$/g, "");
  const fits = wanted === "" ? [] : fitting(files, wanted);
  const [only] = fits;
  if (fits.length === 1 && only !== undefined) return only;
  if (fits.length > 1) {
    return new Fault(
      "file_not_found",
      `There is no ${path} in the workspace, but ${fits.length} paths end so: ${named(fits)}.`,
      "Read the one that you mean by its full path.",
      { path, candidates: fits.slice(0, maxNamed) },
    );
  }
  const near = nearNames(files, wanted);
  return new Fault(
    "file_not_found",
    near.length === 0
      ? `There is no ${path} in the workspace.`
      : `There is no ${path} in the workspace. Similar names: ${named(near)}.`,
    near.length === 0 ? 'Read "." to see what there is.' : "Read the one that you mean, or its folder.",
    { path, candidates: near },
  );
}

/** The answer, with what was read instead of the path that was asked for. */
export function withSuffixNote(outcome: ToolOutcome, path: string, resolved: string): ToolOutcome {
  const note = `[Path '${path}' not found; resolved to '${resolved}' via suffix match]`;
  const details = {
    ...(typeof outcome.details === "object" ? outcome.details : {}),
    suffixResolution: { from: path, to: resolved },
  };
  return { ...withNote(outcome, note), details };
}

/** The note stands before what was read. */
export function withNote(outcome: ToolOutcome, note: string): ToolOutcome {
  const { content } = outcome;
  if (typeof content === "string") return { ...outcome, content: `${note}\n${content}` };
  if (!Array.isArray(content)) return { ...outcome, content: { note, ...content } };
  return { ...outcome, content: [{ type: "text", text: note }, ...content] };
}

/**
 * Files and folders whose path ends with the wanted one, at a name's border. Where none does exactly, those that do but for
 * what cannot be seen: composed letters, kinds of spaces and of apostrophes, as some systems put into names.
 */
function fitting(files: readonly string[], wanted: string): string[] {
  const exact = endings(files, wanted, (path) => path);
  return exact.length > 0 ? exact : endings(files, wanted, seenAlike);
}

function endings(files: readonly string[], wanted: string, fold: (path: string) => string): string[] {
  const fits = new Set<string>();
  const names = fold(wanted).split("/");
  for (const file of files) {
    const parts = file.split("/");
    for (let end = parts.length; end >= names.length; end -= 1) {
      const start = end - names.length;
      if (names.every((name, index) => fold(parts[start + index] ?? "") === name))
        fits.add(parts.slice(0, end).join("/"));
    }
  }
  return [...fits];
}

/** A name as it looks: composed letters, plain spaces and apostrophes. */
export function seenAlike(path: string): string {
  return path
    .normalize("NFC")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u00a0\u202f]/g, " ");
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, maxNamed).join(", ");
  return paths.length > maxNamed ? `${shown}, …` : shown;
}

/** Files whose name is nearly the wanted one, the nearest first. */
function nearNames(files: readonly string[], wanted: string): string[] {
  const name = nameOf(wanted).toLowerCase();
  if (name === "") return [];
  const most = Math.max(1, Math.floor(name.length / 4));
  const ranked: { file: string; distance: number }[] = [];
  for (const file of files) {
    const other = nameOf(file).toLowerCase();
    const isFar = Math.abs(name.length - other.length) > most;
    const distance = stemOf(other) === stemOf(name) ? 0.5 : isFar ? most + 1 : editDistance(name, other);
    if (other === name) ranked.push({ file, distance: 0 });
    else if (distance <= most) ranked.push({ file, distance });
  }
  return ranked
    .sort((one, other) => one.distance - other.distance || one.file.length - other.file.length)
    .slice(0, maxNamed)
    .map(({ file }) => file);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
