// Archives as something that can be read into, and an entry of which can be written, through a path.

import type { ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { CodeContext } from "../../code-context.ts";
import { writeArchive } from "../../write/archive/write-archive.ts";
import { pagedText } from "../paged-text.ts";
import { parseSelector } from "../selector.ts";
import { sizeName } from "../size-name.ts";
import type { Source } from "../source.ts";
import { type Archive, type ArchiveEntry, noSuchEntry } from "./archive.ts";
import { findArchive, readArchive } from "./archive-file.ts";
import { formatFolder, nearNames } from "./archive-listing.ts";

export const archiveSource: Source = {
  async read(path, context, { signal }) {
    const found = findArchive(context, path);
    if (found === undefined) return undefined;
    // A folder may be called like an archive.
    if (isFault(found)) return found.error === "not_a_file" ? undefined : found;
    // Without an inner path a missing file is missing like any other.
    if (!found.location.exists)
      return found.inner === undefined ? undefined : missingArchive(found.location.path);
    const opened = await readArchive(context, found, signal);
    return isFault(opened)
      ? opened
      : readInner(context, found.location.path, opened.archive, found.inner ?? "");
  },

  write: writeArchive,
};

async function readInner(
  context: CodeContext,
  path: string,
  archive: Archive,
  inner: string,
): Promise<ToolOutcome | Fault> {
  const { entries } = archive;
  const exact = innerPath(inner);
  if (isFault(exact)) return exact;
  // A name may end like a selector.
  const isExact = entries.some((entry) => entry.path === exact && entry.kind === "file");
  const selected = isExact ? { path: inner, selector: undefined, isRaw: false } : parseSelector(inner);
  if (isFault(selected)) return selected;
  const wanted = innerPath(selected.path);
  if (isFault(wanted)) return wanted;
  const entry = entries.findLast((candidate) => candidate.path === wanted);
  const isFolder = entry?.kind === "folder" || entries.some((below) => below.path?.startsWith(`${wanted}/`));
  if (wanted === "" || (isFolder && entry?.kind !== "file")) {
    return { content: formatFolder(entries, wanted), details: { path, entry: wanted } };
  }
  if (entry === undefined) return noSuchEntry(path, wanted, nearNames(entries, wanted));
  if (entry.kind !== "file") return notAFile(path, entry);
  const bytes = await archive.read(wanted);
  if (isFault(bytes)) return bytes;
  const text = decodeText(bytes);
  if (text === undefined) {
    const content = `[Cannot read binary archive entry '${wanted}' (${sizeName(bytes.length)})]`;
    return { content, details: { path, entry: wanted, size: bytes.length } };
  }
  const { selector, isRaw } = selected;
  return pagedText(context, text, { selector, isRaw, source: `${path}:${wanted}` });
}

/** A path inside an archive in its plain form; empty for all of it. */
export function innerPath(inner: string): string | Fault {
  const segments = inner.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (!segments.includes("..")) return segments.join("/");
  return new Fault(
    "invalid_path",
    "Archive path cannot contain '..'",
    "Name the entry from the archive's own root, such as a.zip:docs/readme.txt.",
    { inner },
  );
}

function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function missingArchive(path: string): Fault {
  return new Fault("file_not_found", `Archive '${path}' not found.`, "Check the path, or list the folder.", {
    path,
  });
}

function notAFile(path: string, { name, kind, target }: ArchiveEntry): Fault {
  if (kind === "link") {
    const to = target === "" ? "" : ` to ${target}`;
    return new Fault(
      "not_a_file",
      `${name} in ${path} is a link${to}, and links in archives are not followed.`,
      "Read the entry that it leads to by its own path.",
      { path, entry: name, target },
    );
  }
  return new Fault("not_a_file", `${name} in ${path} is not a regular file.`, "Name a file in the archive.", {
    path,
    entry: name,
  });
}
