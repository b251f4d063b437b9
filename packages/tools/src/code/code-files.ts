// Files as toolset code reads and changes them: always as they are on disk now, and changed on disk at once; where the turn is
// held, over what it has staged, which reaches the disk when the turn ends.
//
// `apply` is the only way to change text files. All its steps happen or none, in the ledger and on disk; what it does is
// part of the turn, so it is reviewed and undone like every other edit. Steps refer to revisions: what happened since is
// rebased over, and an edit whose lines were touched meanwhile is a conflict.

import { Text } from "@codemirror/state";
import { Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { tellIfFault } from "@stet/storage/notices";
import { decodeDocument, type Format, plainFormat } from "@stet/text/document";
import type { LineEdit } from "@stet/text/edits";
import { type History, startHistory } from "@stet/text/history";
import type { StagedReport } from "@stet/workspace/turns/turn-report";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import { abbreviatedChange } from "../locate/abbreviated.ts";
import { deniedReading, type ReadEffect } from "../permission/left-out.ts";
import { isExecutable, makeExecutable } from "./executable.ts";

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
  /** A new file with the bytes of another one, and other lines where it was edited on the way. */
  | {
      readonly kind: "copy";
      readonly path: string;
      readonly file: OpenFile;
      readonly lines: readonly string[];
    }
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
  readonly #workspace: Workspace;
  readonly #turn: Turn;
  readonly #readEffect: (tool: string) => ReadEffect;
  /** Changes with everything that happens to files in this turn. */
  changes = 0;

  constructor(workspace: Workspace, turn: Turn, readEffect: (tool: string) => ReadEffect) {
    this.#workspace = workspace;
    this.#turn = turn;
    this.#readEffect = readEffect;
  }

  /** Opens a text file, with what happened to it on disk. What a rule denies reading is not edited either: every refusal of an
   * edit shows lines of the file. */
  open(path: string): OpenFile | Fault {
    const { documents } = this.#workspace;
    const denied = deniedReading(this.#readEffect("edit"), path);
    if (denied !== undefined) return denied;
    const opened = documents.open(path);
    if (isFault(opened)) return opened;
    const history = this.#turn.read(opened.id);
    const hasFile = this.#turn.hasFile(opened.id);
    if (isFault(history)) return history;
    if (isFault(hasFile)) return hasFile;
    const kept = documents.row(opened.id)?.path ?? path;
    return hasFile ? { document: opened.id, path: kept, history } : notThere(kept);
  }

  /** Makes all changes, in the ledger and on disk, or none. */
  async apply(steps: readonly FileStep[]): Promise<FileResult[] | Fault> {
    // A file that is moved can still be run afterwards.
    const executable = steps.flatMap((step) => {
      return step.kind === "copy" && isExecutable(this.#workspace, step.file.path) ? [step.path] : [];
    });
    const results = await this.#turn.step(async () => {
      const staged = this.#stageAll(steps);
      if (isFault(staged)) return staged;
      // What is held reaches the documents and the disk when its turn ends.
      const written = this.#isHeld ? undefined : await this.#workspace.writeTurn(this.#turn);
      return isFault(written) ? written : staged;
    });
    if (isFault(results)) return results;
    this.changes += 1;
    for (const path of this.#isHeld ? [] : executable) tellIfFault(makeExecutable(this.#workspace, path));
    return results.map((result) => this.#asPublished(result, results));
  }

  get #isHeld(): boolean {
    return this.#turn.options.isHeld === true;
  }

  /** What was staged has its final revision once it is in the ledger; the next call refers to that one. */
  #asPublished(result: FileResult, all: readonly FileResult[]): FileResult {
    const { document } = result;
    const isLast = all.findLast((other) => other.document === document) === result;
    const history = isLast ? this.#turn.read(document) : result.history;
    return isFault(history) ? result : { ...result, history };
  }

  /** What the steps would lead to; nothing remains of it. */
  async tryOut(steps: readonly FileStep[]): Promise<FileResult[] | Fault> {
    let staged: FileResult[] | Fault = [];
    // A step that ends in an exception leaves nothing behind.
    const tried = this.#turn.step(() => {
      staged = this.#stageAll(steps);
      throw takenBack;
    });
    await tried.then(ignoreFault, (error: unknown) => {
      if (error !== takenBack) throw error;
    });
    return staged;
  }

  #stageAll(steps: readonly FileStep[]): FileResult[] | Fault {
    const results: FileResult[] = [];
    for (const step of steps) {
      const result = this.#stage(step);
      if (isFault(result)) return result;
      results.push(result);
    }
    return results;
  }

  #stage(step: FileStep): FileResult | Fault {
    if (step.kind === "create") return this.#stageNew(step.path, step.content);
    if (step.kind === "copy") return this.#stageCopy(step.path, step.file, step.lines);
    const { document, path } = step.file;
    const was = this.#turn.read(document);
    if (isFault(was)) return was;
    const policy = { kind: "rebase" } as const;
    const report =
      step.kind === "remove"
        ? this.#turn.remove(document)
        : this.#turn.edit(document, {
            revision: step.revision,
            policy,
            edits: step.edits,
            ...(step.rewrite === undefined ? {} : { rewrite: step.rewrite }),
          });
    if (isFault(report)) return report;
    const history = this.#turn.read(document);
    if (isFault(history)) return history;
    const leavesOut = step.kind === "edit" ? abbreviatedChange(path, history) : undefined;
    if (leavesOut !== undefined) return leavesOut;
    const op = step.kind === "remove" ? "delete" : "update";
    return { op, document, path, was, history, report };
  }

  #stageNew(path: string, content: string): FileResult | Fault {
    const document = this.#turn.create(path, content, undefined, formatOf(content));
    return isFault(document) ? document : this.#made(document, path);
  }

  #stageCopy(path: string, { document: source }: OpenFile, lines: readonly string[]): FileResult | Fault {
    const state = this.#workspace.documents.state(source);
    if (isFault(state)) return state;
    const document = this.#turn.create(path, "", undefined, state.format);
    if (isFault(document)) return document;
    const empty = this.#turn.read(document);
    if (isFault(empty)) return empty;
    const { revision } = empty;
    const edits = [{ op: "set_raw", lines } as const];
    const hasText = lines.some((line) => line !== "") || lines.length > 1;
    const staged = hasText
      ? this.#turn.edit(document, { revision, policy: { kind: "rebase" }, edits })
      : undefined;
    return isFault(staged) ? staged : this.#made(document, path);
  }

  #made(document: number, path: string): FileResult | Fault {
    const history = this.#turn.read(document);
    if (isFault(history)) return history;
    const kept = this.#workspace.documents.row(document)?.path ?? path;
    const was = startHistory(Text.empty);
    return { op: "create", document, path: kept, was, history, report: undefined };
  }
}

/** A new file has the line ends of its content. A byte order mark is one of its characters there. */
function formatOf(content: string): Format {
  const decoded = decodeDocument(Buffer.from(content));
  return isFault(decoded) ? plainFormat : { ...decoded.format, byteOrderMark: false };
}

/** The document of a file that was removed has no text; that is not an empty file. */
function notThere(path: string): Fault {
  const message = `${path} does not exist any more.`;
  return new Fault("file_not_found", message, "Name a file that exists, or create it.", { path });
}

const takenBack = new Error("tried out");
