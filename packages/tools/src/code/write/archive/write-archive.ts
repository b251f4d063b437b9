// `archive.zip:inner/path` with content puts an entry into an archive or replaces it; the archive is made where there is none.

import { fstatSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { CodeContext } from "../../code-context.ts";
import { type ArchiveEntry, archiveLimits } from "../../read/archive/archive.ts";
import {
  type ArchivePath,
  findArchive,
  listArchive,
  type OpenArchive,
  tarReader,
  withArchive,
} from "../../read/archive/archive-file.ts";
import { descriptorSource, memorySource } from "../../read/archive/byte-source.ts";
import { readZipDirectory, type ZipDirectory } from "../../read/archive/zip-directory.ts";
import type { WriteTarget } from "../../read/source.ts";
import { type KeptCopy, keepCopy, withKeptNote } from "../kept-binaries.ts";
import { newTar } from "./new-tar.ts";
import { newZip } from "./new-zip.ts";
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
  const kept = found.location.exists
    ? await change(context, found, entryPath, bytes, signal)
    : await make(context, found, entryPath, bytes);
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

interface Kept {
  /** Undefined where the archive is new. */
  readonly copy: KeptCopy | undefined;
}

async function make(
  { workspace }: CodeContext,
  { location, format }: ArchivePath,
  entryPath: string,
  content: Buffer,
): Promise<Kept | Fault> {
  const chunks =
    format === "zip"
      ? await newZip(memorySource(Buffer.alloc(0)), emptyDirectory, location.path, entryPath, content)
      : packed(format, newTar(undefined, entryPath, content));
  if (isFault(chunks)) return chunks;
  const fault = await replaceFile(workspace.root, { location, identity: undefined, mode: undefined, chunks });
  return fault ?? { copy: undefined };
}

const emptyDirectory: ZipDirectory = { entries: [], start: 0, shift: 0, comment: Buffer.alloc(0) };

async function change(
  context: CodeContext,
  found: ArchivePath,
  entryPath: string,
  content: Buffer,
  signal: AbortSignal,
): Promise<Kept | Fault> {
  return withArchive<Kept>(context, found, async (archive) => {
    const entries = await listArchive(archive, signal);
    if (isFault(entries)) return entries;
    const clash = clashFault(archive.path, entryPath, entries);
    if (clash !== undefined) return clash;
    const { descriptor, identity } = archive;
    const copy = keepCopy(context, found.location, archive);
    if (isFault(copy)) return copy;
    const { chunks, close } = await chunksFor(archive, entryPath, content);
    try {
      if (isFault(chunks)) return chunks;
      const mode = fstatSync(descriptor).mode & 0o7777;
      const { location } = found;
      const fault = await replaceFile(context.workspace.root, { location, identity, mode, chunks });
      return fault ?? { copy };
    } finally {
      close();
    }
  });
}

async function chunksFor(
  archive: OpenArchive,
  entryPath: string,
  content: Buffer,
): Promise<{ chunks: AsyncIterable<Uint8Array> | Fault; close: () => void }> {
  const { format, descriptor, size, path } = archive;
  if (format === "zip") {
    const source = descriptorSource(descriptor, size);
    const directory = readZipDirectory(source, path);
    const chunks = isFault(directory) ? directory : await newZip(source, directory, path, entryPath, content);
    return { chunks, close: () => {} };
  }
  const reader = tarReader(archive);
  return { chunks: packed(format, newTar(reader, entryPath, content)), close: () => reader.close() };
}

function packed(format: "tar" | "tar.gz", chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (format === "tar") return chunks;
  // What fails before is an error of what comes out, where it is told.
  return pipeline(Readable.from(chunks), createGzip(), () => {});
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
