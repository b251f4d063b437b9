// A document's state as bytes, so that it can be had again without folding all of its entries.

import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { Text } from "@codemirror/state";
import { diffTexts } from "@stet/text/diff";
import type { Format } from "@stet/text/document";
import { startHistory } from "@stet/text/history";
import { changeOf, type Splice } from "@stet/text/lines";
import { restorePieces, type StoredPiece, storePieces } from "@stet/text/stored-pieces";
import type { DocumentState } from "./document-state.ts";
import type { FileState } from "./file-state.ts";
import type { Versions } from "./versions.ts";

interface Snapshot {
  readonly current: string;
  readonly revision: number;
  readonly pieces: readonly StoredPiece[];
  readonly nextId: number;
  readonly format: Format;
  readonly savedHash: string | null;
  /** What is on disk, as splices of base, and its format; null where there is no file. */
  readonly saved: { readonly splices: readonly Splice[]; readonly format: Format } | null;
  /** What was on disk before the file vanished, as splices of base. */
  readonly vanished: readonly Splice[] | null;
  readonly versions: Versions;
  readonly file: FileState;
}

export function encodeState(state: DocumentState): Uint8Array {
  const { pending, saved, vanished } = state;
  const snapshot: Snapshot = {
    current: pending.current.toString(),
    revision: state.history.revision,
    pieces: storePieces(pending),
    nextId: pending.nextId,
    format: state.format,
    savedHash: state.savedHash,
    saved: saved && { splices: splicesTo(pending.base, saved.text), format: saved.format },
    vanished: vanished && splicesTo(pending.base, vanished),
    versions: state.versions,
    file: state.file,
  };
  return zstdCompressSync(JSON.stringify(snapshot));
}

function splicesTo(base: Text, text: Text): readonly Splice[] {
  return text === base ? [] : diffTexts(base, text);
}

export function decodeState(document: number, entry: number, bytes: Uint8Array): DocumentState {
  const snapshot: Snapshot = JSON.parse(zstdDecompressSync(bytes).toString("utf8"));
  const current = Text.of(snapshot.current.split("\n"));
  const pending = restorePieces(current, snapshot.pieces, snapshot.nextId);
  const { base } = pending;
  const textFrom = (splices: readonly Splice[]) => changeOf(base, splices).apply(base);
  const { saved, vanished } = snapshot;
  return {
    id: document,
    history: startHistory(current, snapshot.revision),
    pending,
    format: snapshot.format,
    saved: saved && { text: textFrom(saved.splices), format: saved.format },
    savedHash: snapshot.savedHash,
    vanished: vanished && textFrom(vanished),
    entry,
    file: snapshot.file,
    versions: snapshot.versions,
  };
}
