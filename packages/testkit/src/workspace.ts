// A workspace in a temporary folder, for one test, and short ways to do what tests do all the time.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { TestContext } from "node:test";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { Workspace, type WorkspaceOptions } from "@stet/workspace/workspace";
import { temporaryFolder } from "./temporary.ts";

/** The value, or an error that shows the fault. */
export function must<T>(value: T | Fault | undefined): T {
  if (value === undefined || isFault(value)) throw new Error(`unexpected: ${JSON.stringify(value)}`);
  return value;
}

/** The fault; anything else is an error. */
export function refused(value: unknown): Fault {
  if (!isFault(value)) throw new Error(`expected a fault, not ${JSON.stringify(value)}`);
  return value;
}

export class TestWorkspace {
  readonly folder: string;
  readonly #t: TestContext;

  constructor(t: TestContext, files: Record<string, string | Uint8Array>) {
    const named = Object.entries(files).map(([name, content]) => [join("root", name), content]);
    this.folder = temporaryFolder(t, { "root/.keep": "", ...Object.fromEntries(named) });
    this.#t = t;
  }

  get root(): string {
    return join(this.folder, "root");
  }

  get dataFolder(): string {
    return join(this.folder, "data");
  }

  path(name: string): string {
    return join(this.root, name);
  }

  /** Opens it, once more if it is open already; it is closed when the test ends. */
  async open(options: WorkspaceOptions = {}): Promise<Workspace> {
    const workspace = must(await Workspace.open(this.root, { dataFolder: this.dataFolder, ...options }));
    this.#t.after(() => {
      if (workspace.isOpen) workspace.close();
    });
    return workspace;
  }
}

/** The documents of `a.txt` and `b.txt`. */
export function openBoth({ documents }: Workspace): [a: number, b: number] {
  const open = (name: string) => must(documents.open(name)).id;
  return [open("a.txt"), open("b.txt")];
}

/** A workspace with `a.txt` and `b.txt`, both open, and both with the same text. */
export async function openTwins(t: TestContext, text: string) {
  const place = new TestWorkspace(t, { "a.txt": text, "b.txt": text });
  const workspace = await place.open();
  const [a, b] = openBoth(workspace);
  return { place, workspace, a, b };
}

/** What SQL finds or changes in the file of a workspace's ledger, past everything that Stet does with it. */
export function ledgerRows(workspace: Workspace, sql: string, ...values: SQLInputValue[]) {
  const database = new DatabaseSync(join(workspace.stateFolder, "ledger.sqlite"));
  try {
    return database.prepare(sql).all(...values);
  } finally {
    database.close();
  }
}

export function textOf(workspace: Workspace, document: number): string {
  return must(workspace.documents.state(document)).pending.current.toString();
}

export function baseOf(workspace: Workspace, document: number): string {
  return must(workspace.documents.state(document)).pending.base.toString();
}

/** One turn of the agent over some documents, committed. */
export function agentEdits(
  workspace: Workspace,
  edits: readonly [document: number, ...edits: LineEdit[]][],
  summary = "",
): string {
  const turn = workspace.beginTurn({ summary });
  for (const [document, ...list] of edits) {
    const { revision } = must(turn.read(document));
    must(turn.edit(document, { revision, policy: { kind: "rebase" }, edits: list }));
  }
  return must(turn.commit()).id;
}

/** The person edits lines of the newest revision. */
export function personEdits(workspace: Workspace, document: number, ...edits: LineEdit[]): void {
  const { revision } = must(workspace.documents.state(document)).history;
  must(workspace.documents.edit(document, { revision, policy: { kind: "strict" }, edits, origin: "user" }));
}

/** A workspace that is open, with what tests of its files look at. */
export async function openedFiles(t: TestContext, files: Record<string, string | Uint8Array>) {
  const place = new TestWorkspace(t, files);
  const workspace = await place.open();
  const read = (name: string) => readFileSync(place.path(name), "utf8");
  return { place, workspace, files: workspace.files, read };
}
