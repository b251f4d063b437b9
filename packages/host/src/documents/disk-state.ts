// Whether a document's file is still what was last read or written, looked up now: windows ask before a person decides
// between their text and the file's.

import { type Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { decodeDocument } from "@stet/text/document";
import type { DocumentState } from "@stet/workspace/documents/document-state";
import { unknownDocument } from "@stet/workspace/documents/documents";
import { readBytes } from "@stet/workspace/files/files";
import type { Workspace } from "@stet/workspace/workspace";

export interface DiskState {
  document: number;
  file_path: string | null;
  state: "same" | "changed" | "gone" | "unreadable" | "no_file";
  saved: string | null;
  current: string | null;
  disk: string | null;
}

export function diskState(workspace: Workspace, document: number): DiskState | Fault {
  const row = workspace.documents.row(document);
  if (row === undefined) return unknownDocument(document);
  const { path } = row;
  const without = (state: DiskState["state"]) => ({ ...nothing, document, file_path: path, state });
  if (path === null) return without("no_file");
  const location = workspace.documents.locate(path);
  if (isFault(location)) return without("unreadable");
  // What is in the way is found below, where the file is read.
  ignoreFault(workspace.documents.disk.compare(document));
  const known = workspace.documents.state(document);
  // It was not opened since the start, so there is nothing that it could differ from.
  const state = isFault(known) ? workspace.documents.open(path) : known;
  if (!location.exists) return without(hadFile(workspace, document, state) ? "gone" : "no_file");
  const content = readBytes(workspace.root, location);
  if (isFault(content)) return without(content.error === "file_not_found" ? "gone" : "unreadable");
  if (isFault(state)) return without("unreadable");
  if (content.hash === state.savedHash || workspace.documents.disk.isOwn(document, content.hash))
    return without("same");
  const decoded = decodeDocument(content.bytes);
  return {
    ...without("changed"),
    saved: state.saved?.text.toString() ?? null,
    current: state.pending.current.toString(),
    disk: isFault(decoded) ? null : decoded.text.toString(),
  };
}

const nothing = { saved: null, current: null, disk: null };

/** A document that was never read or saved has nothing that could be gone. */
function hadFile(workspace: Workspace, document: number, state: DocumentState | Fault): boolean {
  if (isFault(state) || state.savedHash !== null) return true;
  return workspace.documents.hadFile(document);
}
