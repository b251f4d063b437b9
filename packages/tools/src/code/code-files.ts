// Files as toolset code reads and changes them: always as they are on disk now, and changed on disk at once.
//
// `apply` is the only way to change text files. All its steps happen or none, in the ledger and on disk; what it does is
// part of the turn, so it is reviewed and undone like every other edit. Steps refer to revisions: what happened since is
// rebased over, and an edit whose lines were touched meanwhile is a conflict.

import { Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { type History, startHistory } from "@stet/text/history";
import type { StagedReport, Turn } from "@stet/workspace/turns";
import type { Workspace } from "@stet/workspace/workspace";

/** A text file as it is now. */
export interface OpenFile {
  readonly document: number;
  /** From the root, with forward slashes; where the file really is. */
  readonly path: string;
  readonly history: History;
}

export type FileStep =
  | {
      readonly kind: "edit";
      readonly file: OpenFile;
      /** The revision that the edits were made on. */
      readonly revision: number;
      readonly edits: readonly LineEdit[];
      /** Declares that most of the file may go. */
      readonly rewrite?: boolean;
    }
  | { readonly kind: "create"; readonly path: string; readonly content: string }
  | { readonly kind: "remove"; readonly file: OpenFile };

export interface FileResult {
  readonly op: "create" | "update" | "delete";
  readonly document: number;
  readonly path: string;
  /** Before the step. */
  readonly was: History;
  /** After the step. */
  readonly history: History;
  /** Undefined for a file that was made. */
  readonly report: StagedReport | undefined;
}

export class CodeFiles {
  private readonly workspace: Workspace;
  private readonly turn: Turn;
  /** Changes with everything that happens to files in this turn. */
  changes = 0;

  constructor(workspace: Workspace, turn: Turn) {
    this.workspace = workspace;
    this.turn = turn;
  }

  /** Opens a text file, with what happened to it on disk. */
  open(path: string): OpenFile | Fault {
    const { documents, saving } = this.workspace;
    const opened = documents.open(path);
    if (isFault(opened)) return opened;
    const refreshed = saving.refresh(opened.id);
    if (isFault(refreshed)) return refreshed;
    const history = this.turn.read(opened.id);
    if (isFault(history)) return history;
    return { document: opened.id, path: documents.row(opened.id)?.path ?? path, history };
  }

  /** Makes all changes, in the ledger and on disk, or none. */
  async apply(steps: readonly FileStep[]): Promise<FileResult[] | Fault> {
    const results = await this.turn.step(async () => {
      const staged = this.stageAll(steps);
      if (isFault(staged)) return staged;
      const written = await this.workspace.writeTurn(this.turn);
      return isFault(written) ? written : staged;
    });
    if (!isFault(results)) this.changes += 1;
    return results;
  }

  /** What the steps would lead to; nothing remains of it. */
  async tryOut(steps: readonly FileStep[]): Promise<FileResult[] | Fault> {
    let staged: FileResult[] | Fault = [];
    // A step that ends in an exception leaves nothing behind.
    await this.turn
      .step(() => {
        staged = this.stageAll(steps);
        throw takenBack;
      })
      .catch((error: unknown) => {
        if (error !== takenBack) throw error;
      });
    return staged;
  }

  private stageAll(steps: readonly FileStep[]): FileResult[] | Fault {
    const results: FileResult[] = [];
    for (const step of steps) {
      const result = this.stage(step);
      if (isFault(result)) return result;
      results.push(result);
    }
    return results;
  }

  private stage(step: FileStep): FileResult | Fault {
    if (step.kind === "create") return this.stageNew(step.path, step.content);
    const { document, path } = step.file;
    const was = this.turn.read(document);
    if (isFault(was)) return was;
    const policy = { kind: "rebase" } as const;
    const report =
      step.kind === "remove"
        ? this.turn.remove(document)
        : this.turn.edit(document, {
            revision: step.revision,
            policy,
            edits: step.edits,
            ...(step.rewrite === undefined ? {} : { rewrite: step.rewrite }),
          });
    if (isFault(report)) return report;
    const history = this.turn.read(document);
    if (isFault(history)) return history;
    const op = step.kind === "remove" ? "delete" : "update";
    return { op, document, path, was, history, report };
  }

  private stageNew(path: string, content: string): FileResult | Fault {
    const document = this.turn.create(path, content);
    if (isFault(document)) return document;
    const history = this.turn.read(document);
    if (isFault(history)) return history;
    const kept = this.workspace.documents.row(document)?.path ?? path;
    const was = startHistory(Text.empty);
    return { op: "create", document, path: kept, was, history, report: undefined };
  }
}

const takenBack = new Error("tried out");
