// `archive.zip:inner/path` with content puts an entry into an archive or replaces it; the archive is made where there is none.

import { gzipSync } from "node:zlib";
import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { zipSync } from "fflate";
import type { CodeContext } from "../../code-context.ts";
import { type Archive, type ArchiveEntry, archiveLimits } from "../../read/archive/archive.ts";
import {
  type ArchiveFormat,
  type ArchivePath,
  findArchive,
  openArchive,
  readArchive,
} from "../../read/archive/archive-file.ts";
import type { WriteTarget } from "../../read/source.ts";
import { type KeptCopy, keepCopy, withKeptNote } from "../kept-binaries.ts";
import { replaceFile } from "./replace-file.ts";

export async function writeArchive(
  { path, content }: WriteTarget,
  context: CodeContext,
  { signal }: ToolContext,
): Promise<ToolOutcome | Fault | undefined> {
  const found = findArchive(context, path);
  if (found === undefined || isFault(found)) return found;
  const entryPath = writtenPath(found.inner ?? "");
  if (isFault(entryPath)) return entryPath;
  const bytes = Buffer.from(content);
  if (bytes.length > archiveLimits.entryBytes) {
    const message = `The content has more than ${archiveLimits.entryBytes / 1024 / 1024} MB.`;
    return new Fault("too_large", message, "Pack it with bash.", { path });
  }
  const kept = await change(context, found, entryPath, bytes, signal);
  if (isFault(kept)) return kept;
  context.files.changes += 1;
  const where = `${found.location.path}:${entryPath}`;
  const outcome = {
    content: `Successfully wrote ${content.length} bytes to ${where}`,
    details: { path: found.location.path, entry: entryPath, undo: false, kept: kept.copy?.kept },
  };
  return kept.copy === undefined ? outcome : withKeptNote(outcome, kept.copy);
}

/** The plain form of where an entry goes. */
function writtenPath(inner: string): string | Fault {
  const refuse = (message: string) =>
    new Fault("invalid_path", message, "Name a file in the archive, such as a.zip:docs/readme.txt.", {
      inner,
    });
  const slashed = inner.replaceAll("\\", "/");
  const segments = slashed.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) return refuse("Archive path cannot contain '..'");
  if (segments.length === 0) return refuse("Archive write path must target a file inside the archive");
  if (/(^|\/)\.?$/.test(slashed)) return refuse("Archive write path must target a file, not a directory");
  const plain = segments.join("/");
  if (!plain.isWellFormed() || /\p{Cc}/u.test(plain) || Buffer.byteLength(plain) > 4096) {
    return refuse("Archive path contains a control character, half of a character, or is too long");
  }
  return plain;
}

/** What was there before, kept; undefined where the archive is new. */
async function change(
  context: CodeContext,
  found: ArchivePath,
  entryPath: string,
  content: Buffer,
  signal: AbortSignal,
): Promise<{ readonly copy: KeptCopy | undefined } | Fault> {
  const { location, format } = found;
  const opened = location.exists
    ? await readArchive(context, found, signal)
    : await newArchive(format, signal);
  if (isFault(opened)) return opened;
  const { archive, file } = opened;
  const clash = clashFault(location.path, entryPath, archive.entries);
  if (clash !== undefined) return clash;
  const bytes = await archive.replace(entryPath, content);
  if (isFault(bytes)) return bytes;
  // An archive that was damaged may be read, and no longer once it was written: what was made is read before it counts.
  const made = await openArchive(Buffer.from(bytes), format, location.path, signal);
  if (isFault(made)) return made;
  const copy = file && keepCopy(context, location, file.bytes);
  if (isFault(copy)) return copy;
  const replacement = { location, identity: file?.identity, mode: file?.mode, bytes };
  return (await replaceFile(context.workspace.root, replacement)) ?? { copy };
}

async function newArchive(
  format: ArchiveFormat,
  signal: AbortSignal,
): Promise<{ readonly file: undefined; readonly archive: Archive } | Fault> {
  const none = format === "zip" ? zipSync({}) : format === "tar.gz" ? gzipSync("") : [];
  const archive = await openArchive(Buffer.from(none), format, "", signal);
  return isFault(archive) ? archive : { file: undefined, archive };
}

/** A folder of that name, or a file where a folder would have to be. */
function clashFault(path: string, entryPath: string, entries: readonly ArchiveEntry[]): Fault | undefined {
  const refuse = (message: string) =>
    new Fault("not_a_file", message, `Read ${path} to see what is in it, and choose another path.`, { path });
  for (const entry of entries) {
    if (entry.path === undefined) continue;
    if (entry.path === entryPath && entry.kind !== "file") {
      return refuse(`Archive write path must target a file, and ${entryPath} in ${path} is a ${entry.kind}.`);
    }
    if (entry.path.startsWith(`${entryPath}/`)) {
      return refuse(
        `Archive write path must target a file, not a directory: ${entryPath} in ${path} is one.`,
      );
    }
    if (entry.kind !== "folder" && entryPath.startsWith(`${entry.path}/`)) {
      return refuse(`${entry.path} in ${path} is not a folder, so nothing can be put below it.`);
    }
  }
  return undefined;
}
