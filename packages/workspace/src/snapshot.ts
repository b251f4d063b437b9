// A document's state as bytes, so that it can be had again without folding all of its entries.

import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { Text } from "@codemirror/state";
import { diffTexts } from "@stet/text/diff";
import type { Format } from "@stet/text/document";
import { startHistory } from "@stet/text/history";
import { changeOf, type Splice } from "@stet/text/lines";
import { restorePieces, type StoredPiece, storePieces } from "@stet/text/stored-pieces";
import type { DocumentState } from "./document-state.ts";
import { firstVersions, type Versions } from "./versions.ts";

interface Snapshot {
  readonly current: string;
  readonly revision: number;
  readonly pieces: readonly StoredPiece[];
  readonly nextId: number;
  readonly format: Format;
  readonly savedHash: string | null;
  /** What is on disk, as splices of base; null where there is no file. */
  readonly saved: readonly Splice[] | null;
  readonly versions?: Versions;
}

export function encodeState(state: DocumentState): Uint8Array {
  const { pending, saved } = state;
  const snapshot: Snapshot = {
    current: pending.current.toString(),
    revision: state.history.revision,
    pieces: storePieces(pending),
    nextId: pending.nextId,
    format: state.format,
    savedHash: state.savedHash,
    saved: saved === null ? null : saved === pending.base ? [] : diffTexts(pending.base, saved),
    versions: state.versions,
  };
  return zstdCompressSync(JSON.stringify(snapshot));
}

export function decodeState(document: number, entry: number, bytes: Uint8Array): DocumentState {
  const snapshot: Snapshot = JSON.parse(zstdDecompressSync(bytes).toString("utf8"));
  const current = Text.of(snapshot.current.split("\n"));
  const pending = restorePieces(current, snapshot.pieces, snapshot.nextId);
  const { base } = pending;
  return {
    id: document,
    history: startHistory(current, snapshot.revision),
    pending,
    format: snapshot.format,
    saved: snapshot.saved === null ? null : changeOf(base, snapshot.saved).apply(base),
    savedHash: snapshot.savedHash,
    entry,
    versions: snapshot.versions ?? firstVersions(snapshot.revision),
  };
}
