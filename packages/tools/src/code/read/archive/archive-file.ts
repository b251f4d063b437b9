// An archive under the root, opened: what is in it, and what one of its entries holds.
//
//   archive.zip              what is in it
//   archive.tar.gz:a/b.txt   an entry, or what is in a folder

import { closeSync } from "node:fs";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Location } from "@stet/workspace/files/containment";
import { identityOf, openRegular } from "@stet/workspace/files/files";
import type { CodeContext } from "../../code-context.ts";
import { rootPath } from "../../root-path.ts";
import { containerOf } from "../sources.ts";
import {
  type ArchiveEntry,
  archiveLimits,
  damagedArchive,
  entryTooLarge,
  looksLikeBomb,
  tooManyEntries,
} from "./archive.ts";
import { type ByteReader, gzipReader, plainReader, TooMuchUnpacked } from "./byte-reader.ts";
import { descriptorSource } from "./byte-source.ts";
import { DamagedTar, TooManyEntries, tarItems } from "./tar.ts";
import { readZipDirectory } from "./zip-directory.ts";
import { readZipEntry } from "./zip-entry.ts";

export type ArchiveFormat = "zip" | "tar" | "tar.gz";

export interface ArchivePath {
  readonly location: Location;
  readonly format: ArchiveFormat;
  /** What stands behind the archive's name and a colon; undefined where nothing does. */
  readonly inner: string | undefined;
}

/** What a path names, where it is a path into an archive. The file is the one that was asked permission for. */
export function findArchive(
  { workspace }: Pick<CodeContext, "workspace">,
  path: string,
): ArchivePath | Fault | undefined {
  const { file, inside } = containerOf(path) ?? { file: "", inside: "" };
  const ending = /\.(zip|tar|tgz|tar\.gz)$/i.exec(file)?.[1]?.toLowerCase();
  if (ending === undefined || inside.startsWith("?")) return undefined;
  const location = workspace.documents.locate(rootPath(workspace, file));
  if (isFault(location)) return location;
  const format = ending === "zip" || ending === "tar" ? ending : "tar.gz";
  return { location, format, inner: inside === "" ? undefined : inside.slice(1) };
}

export interface OpenArchive {
  readonly descriptor: number;
  readonly size: number;
  readonly identity: string;
  readonly path: string;
  readonly format: ArchiveFormat;
}

/** Opens an archive for as long as the action takes. Nothing of it is followed or unpacked elsewhere. */
export async function withArchive<T>(
  { workspace }: Pick<CodeContext, "workspace">,
  { location, format }: ArchivePath,
  action: (archive: OpenArchive) => Promise<T | Fault>,
): Promise<T | Fault> {
  const opened = openRegular(workspace.root, location);
  if (isFault(opened)) return opened;
  const { descriptor, stats } = opened;
  const { path } = location;
  try {
    return await action({ descriptor, size: Number(stats.size), identity: identityOf(stats), path, format });
  } catch (error) {
    return archiveFault(error, path);
  } finally {
    closeSync(descriptor);
  }
}

export async function listArchive(
  archive: OpenArchive,
  signal: AbortSignal,
): Promise<ArchiveEntry[] | Fault> {
  const { descriptor, size, path, format } = archive;
  if (format === "zip") {
    const directory = readZipDirectory(descriptorSource(descriptor, size), path);
    return isFault(directory) ? directory : [...directory.entries];
  }
  const reader = tarReader(archive);
  try {
    const entries: ArchiveEntry[] = [];
    for await (const { entry, stored } of tarItems(reader)) {
      signal.throwIfAborted();
      entries.push(entry);
      await reader.skip(stored);
    }
    return entries;
  } finally {
    reader.close();
  }
}

/** The bytes of a file in the archive; where several have its path, of the last, which is the one that unpacking leaves. */
export async function readEntry(
  archive: OpenArchive,
  entryPath: string,
  signal: AbortSignal,
): Promise<Uint8Array | Fault> {
  const { descriptor, size, path, format } = archive;
  const isWanted = (entry: ArchiveEntry) => entry.path === entryPath && entry.kind === "file";
  if (format === "zip") {
    const source = descriptorSource(descriptor, size);
    const directory = readZipDirectory(source, path);
    if (isFault(directory)) return directory;
    const entry = directory.entries.findLast(isWanted);
    return entry === undefined ? noSuchEntry(path, entryPath) : readZipEntry(source, entry, path);
  }
  const reader = tarReader(archive);
  try {
    let found: Uint8Array | undefined;
    for await (const { entry, stored } of tarItems(reader)) {
      signal.throwIfAborted();
      if (!isWanted(entry)) {
        await reader.skip(stored);
        continue;
      }
      if (entry.size > archiveLimits.entryBytes) return entryTooLarge(path, entryPath);
      const bytes = await reader.take(stored);
      if (bytes.length < stored) return damagedArchive(path, "it is cut off");
      found = bytes.subarray(0, entry.size);
    }
    return found ?? noSuchEntry(path, entryPath);
  } finally {
    reader.close();
  }
}

export function tarReader({ descriptor, size, format }: OpenArchive): ByteReader {
  return format === "tar" ? plainReader(descriptor, size) : gzipReader(descriptor, size);
}

function noSuchEntry(path: string, entry: string): Fault {
  return new Fault(
    "file_not_found",
    `There is no ${entry} in ${path}.`,
    `Read ${path} to see what is in it.`,
    {
      path,
      entry,
    },
  );
}

function archiveFault(error: unknown, path: string): Fault {
  if (error instanceof TooMuchUnpacked) return looksLikeBomb(path);
  if (error instanceof TooManyEntries) return tooManyEntries(path);
  if (error instanceof DamagedTar) return damagedArchive(path, error.message);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("Z_") || code === "ERR_BUFFER_TOO_LARGE") {
    return damagedArchive(path, "its packed data is damaged or cut off");
  }
  throw error;
}
