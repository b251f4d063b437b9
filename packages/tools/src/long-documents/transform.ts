// Transforming a document of any length. The result is edits of the source text: all of them, or a fault and none.

import { type Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { emptyFault, type SourceDocument } from "./document-chunks.ts";
import type { Issue } from "./issue.ts";
import { renameCharacter } from "./rename.ts";
import { rewriteDocument } from "./rewrite.ts";
import { plannedWork, type TransformRequest } from "./transform-kinds.ts";
import type { Workshop } from "./workshop.ts";

export interface Transformed {
  readonly edits: readonly LineEdit[];
  /** Places that changed. */
  readonly changesMade: number;
  readonly summary: string;
  readonly issues: readonly Issue[];
}

export async function transform(
  workshop: Workshop,
  document: SourceDocument,
  request: TransformRequest,
): Promise<Transformed | Fault> {
  const work = plannedWork(request);
  if (isFault(work)) return work;
  const empty = emptyFault(document);
  if (empty !== undefined) return empty;
  if (work.kind === "character_rename") return renameCharacter(workshop, document, work);
  return rewriteDocument(workshop, document, work);
}
