// A search by meaning over the text files of a project, as the turn sees them.

import type { Meaning, MeaningAnswer, MeaningDocument } from "@stet/meaning/meaning";
import { type Fault, isFault } from "@stet/protocol/fault";
import { fileTypeOf } from "@stet/workspace/documents/file-type";
import { isSecretPath } from "@stet/workspace/files/secret-names";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";

export interface MeaningSearch {
  readonly query: string;
  readonly glob?: string | undefined;
  readonly limit: number;
  /** Files that are not looked through, beside those that may hold secrets. */
  readonly isLeftOut?: ((path: string) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ProjectAnswer extends MeaningAnswer {
  /** Whether files were left out, because there are too many or they are too long. */
  readonly truncated: boolean;
}

/** More than this is not read for one search. */
const maxFiles = 2000;
const maxCharacters = 20_000_000;

export async function searchByMeaning(
  workspace: Workspace,
  meaning: Meaning,
  search: MeaningSearch,
  turn?: Turn,
): Promise<ProjectAnswer | Fault> {
  const { query, limit, signal } = search;
  const found = await documentsForMeaning(workspace, search, turn);
  if (isFault(found)) return found;
  const answer = await meaning.search(found.documents, query, { limit, signal });
  return isFault(answer) ? answer : { ...answer, truncated: found.truncated };
}

/** The texts that such a search looks through. */
export async function documentsForMeaning(
  workspace: Workspace,
  { glob, signal, isLeftOut = () => false }: Pick<MeaningSearch, "glob" | "signal" | "isLeftOut">,
  turn?: Turn,
): Promise<{ readonly documents: readonly MeaningDocument[]; readonly truncated: boolean } | Fault> {
  const listing = await workspace.list({ glob, limit: maxFiles, signal });
  if (isFault(listing)) return listing;
  const staged = new Map(turn?.unsaved().map(({ path, history }) => [path, history.text]));
  const documents: MeaningDocument[] = [];
  let characters = 0;
  let { truncated } = listing;
  for (const path of new Set([...listing.files, ...staged.keys()])) {
    // An embedder may be on another machine.
    if (isSecretPath(path) || isLeftOut(path)) continue;
    const text = staged.get(path) ?? workspace.documents.peek(path);
    // What is not text has no meaning to look for.
    if (isFault(text)) continue;
    if (characters + text.length > maxCharacters) {
      truncated = true;
      continue;
    }
    characters += text.length;
    documents.push({ key: path, text, fileType: fileTypeOf(path) });
  }
  return { documents, truncated };
}
