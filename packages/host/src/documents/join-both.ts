// The text here and the file's put together, where they are in conflict.

import { Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import { contentOf, decodeDocument } from "@stet/text/document";
import { mergeLines } from "@stet/text/merge";
import type { DocumentState } from "@stet/workspace/documents/document-state";
import type { Workspace } from "@stet/workspace/workspace";

/** Makes the document what both sides have: where they differ, the lines here and then the file's. */
export function joinBoth({ documents }: Workspace, state: DocumentState): DocumentState | Fault {
  const found = documents.disk.find(state.id);
  if (isFault(found)) return found;
  if (found.content === null) return state;
  const disk = decodeDocument(found.content.bytes);
  if (isFault(disk)) return disk;
  const saved = state.saved?.text ?? state.vanished ?? Text.empty;
  const regions = mergeLines(saved.toJSON(), state.pending.current.toJSON(), disk.text.toJSON());
  const lines = regions.flatMap(({ kind, ours, theirs }) => {
    return kind === "theirs" ? theirs : kind === "conflict" ? [...ours, ...theirs] : ours;
  });
  return documents.edit(state.id, {
    revision: state.history.revision,
    policy: { kind: "strict" },
    edits: [{ op: "set", content: contentOf(Text.of(lines)) }],
    origin: "user",
    rewrite: true,
  });
}
