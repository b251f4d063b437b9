// A file of the project as the turn sees it.

import { type Fault, isFault } from "@stet/protocol/fault";
import { type History, startHistory } from "@stet/text/history";
import type { ProjectContext } from "./project-toolset.ts";

export interface ProjectFile {
  readonly document: number;
  /** Where it really is, from the root: what the model was shown is remembered under it. */
  readonly path: string;
  readonly history: History;
}

type Ground = Pick<ProjectContext, "workspace" | "turn">;

export function openInTurn({ workspace, turn }: Ground, path: string): ProjectFile | Fault {
  const opened = workspace.documents.open(path);
  if (isFault(opened)) return opened;
  const history = turn.read(opened.id);
  if (isFault(history)) return history;
  return { document: opened.id, path: workspace.documents.row(opened.id)?.path ?? path, history };
}

/** The text of a file that a search found, as the turn sees it; a file that nobody has opened stays unopened. */
export function peekInTurn(ground: Ground, path: string): Pick<ProjectFile, "path" | "history"> | Fault {
  const { documents } = ground.workspace;
  const location = documents.locate(path);
  if (isFault(location)) return location;
  if (documents.rowAt(location.path) !== undefined) return openInTurn(ground, location.path);
  const text = documents.peek(location.path);
  return isFault(text) ? text : { path: location.path, history: startHistory(text, unopened) };
}

/** No document has this revision: the text is recognised by itself. */
const unopened = 0;
