// An archive under the root, read into memory.
//
//   archive.zip              what is in it
//   archive.tar.gz:a/b.txt   an entry, or what is in a folder

import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Location } from "@stet/workspace/files/containment";
import { type FileContent, readBytes } from "@stet/workspace/files/files";
import type { CodeContext } from "../../code-context.ts";
import { rootPath } from "../../root-path.ts";
import { containerOf } from "../sources.ts";
import {
  type Archive,
  archiveLimits,
  archiveTooLarge,
  damagedArchive,
  looksLikeBomb,
  mostUnpacked,
} from "./archive.ts";
import { openTar } from "./tar.ts";
import { openZip } from "./zip.ts";

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

export async function readArchive(
  { workspace }: Pick<CodeContext, "workspace">,
  { location, format }: ArchivePath,
  signal: AbortSignal,
): Promise<{ readonly file: FileContent; readonly archive: Archive } | Fault> {
  const file = readBytes(workspace.root, location, { maxBytes: archiveLimits.bytes });
  if (isFault(file)) return file.error === "unsupported_file_type" ? archiveTooLarge(location.path) : file;
  const { buffer, byteOffset, byteLength } = file.bytes;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const archive = await openArchive(bytes, format, location.path, signal);
  return isFault(archive) ? archive : { file, archive };
}

/** No bytes are an archive without entries. */
export async function openArchive(
  bytes: Buffer,
  format: ArchiveFormat,
  path: string,
  signal: AbortSignal,
): Promise<Archive | Fault> {
  if (format === "zip") return openZip(bytes, path);
  if (format === "tar") return openTar(bytes, path, signal);
  const unpacked = await unpack(bytes, path);
  if (isFault(unpacked)) return unpacked;
  const archive = await openTar(unpacked, path, signal);
  if (isFault(archive)) return archive;
  return {
    ...archive,
    async replace(entry, content) {
      const tar = await archive.replace(entry, content);
      return isFault(tar) ? tar : promisify(gzip)(tar);
    },
  };
}

async function unpack(bytes: Buffer, path: string): Promise<Buffer | Fault> {
  const maxOutputLength = mostUnpacked(bytes.length, archiveLimits.bytes);
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code !== "ERR_BUFFER_TOO_LARGE") return damagedArchive(path, "its packed data is damaged or cut off");
    return maxOutputLength === archiveLimits.bytes ? archiveTooLarge(path) : looksLikeBomb(path);
  }
}
