// An archive in memory: what is in it, what an entry holds, and the archive with one entry put in or replaced.
//
// An archive comes from anywhere. Its names are only names: they are made plain before anything looks at them, and one that
// leads upwards or begins at a root names nothing. Links in it are listed, not followed. Sizes that it declares are
// believed only as far as they refuse; what is really unpacked is counted.

import { Fault } from "@stet/protocol/fault";

export interface ArchiveEntry {
  /** Plain: forward slashes, no `.`, no `..`, none at the ends. Undefined where no plain path can be made of it. */
  readonly path: string | undefined;
  /** As it stands in the archive. */
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
  readonly size: number;
  /** Where a link leads; empty where that is not known. */
  readonly target: string;
}

export interface Archive {
  /** In their order in the archive. Where several have one path, unpacking leaves the last. */
  readonly entries: readonly ArchiveEntry[];
  /** The bytes of the last file of that path. */
  read(path: string): Promise<Uint8Array | Fault>;
  /** The bytes of the whole archive with that file put in or replaced; those of all other entries stay as they are. */
  replace(path: string, content: Buffer): Promise<Uint8Array | Fault>;
}

export const archiveLimits = {
  /** Of the file, and of the tar file that it unpacks to. */
  bytes: 256 * 1024 * 1024,
  entries: 100_000,
  /** Unpacked bytes of one entry. */
  entryBytes: 50 * 1024 * 1024,
  /** Unpacked to packed, once it is more than `freeBytes`. Text is about 5, logs reach 100. */
  ratio: 400,
  freeBytes: 8 * 1024 * 1024,
  listed: 500,
} as const;

/** The plain form of a name, or undefined where it leads out of the archive. */
export function plainEntryPath(name: string): string | undefined {
  const slashed = name.replaceAll("\\", "/");
  if (slashed.startsWith("/") || /^[a-z]:/i.test(slashed)) return undefined;
  const segments = slashed.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..") || segments.length === 0) return undefined;
  return segments.join("/");
}

/** The most that so many packed bytes may unpack to. */
export function mostUnpacked(packed: number, limit: number): number {
  return Math.min(limit, Math.max(archiveLimits.freeBytes, packed * archiveLimits.ratio));
}

export function archiveTooLarge(path: string): Fault {
  const message = `${path} has more than ${archiveLimits.bytes / 1024 / 1024} MB, packed or unpacked.`;
  return new Fault("too_large", message, "Use zip, unzip or tar in bash.", {
    path,
    limit: archiveLimits.bytes,
  });
}

export function tooManyEntries(path: string): Fault {
  return new Fault(
    "too_large",
    `${path} has more than ${archiveLimits.entries} entries.`,
    "Unpack what you need with bash.",
    { path, limit: archiveLimits.entries },
  );
}

export function entryTooLarge(path: string, entry: string): Fault {
  return new Fault(
    "too_large",
    `${entry} in ${path} has more than ${archiveLimits.entryBytes / 1024 / 1024} MB when it is unpacked.`,
    "Unpack it with bash where there is room, and read a part of it.",
    { path, entry, limit: archiveLimits.entryBytes },
  );
}

export function looksLikeBomb(path: string): Fault {
  return new Fault(
    "too_large",
    `${path} unpacks to far more than its size lets expect; it looks like one that was made to fill a disk.`,
    "Tell the person. Nothing was unpacked.",
    { path },
  );
}

export function damagedArchive(path: string, problem: string): Fault {
  return new Fault(
    "not_readable",
    `${path} cannot be read as an archive: ${problem}.`,
    "Check whether it is complete, or what kind of file it is.",
    { path },
  );
}

export function noSuchEntry(path: string, entry: string, near: readonly string[] = []): Fault {
  const suggestion =
    near.length === 0
      ? `Read ${path} to see what is in it.`
      : `Did you mean ${near.map((name) => `${path}:${name}`).join(", ")}?`;
  return new Fault("file_not_found", `There is no ${entry} in ${path}.`, suggestion, { path, entry, near });
}
