// A workspace under random load: an agent, a person, the disk, decisions, saves, restarts, two processes at once.
//
// After every step the law of review must hold. Everything that the person or the disk writes carries a mark; a mark
// may only vanish by a step that is allowed to take text away, and then the state before that step must still be in
// the ledger. A save must write exactly the text that the file follows and may never replace a mark that it did not know.
// Turns whose edits are on disk at once are in immediate-simulation.ts.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChangeSet, Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { countLines } from "@stet/text/lines";
import type { DocumentState } from "@stet/workspace/documents/document-state";
import type { DecisionReport, Selection } from "@stet/workspace/review/review";
import { Workspace } from "@stet/workspace/workspace";
import { assertKnown, assertOnDisk, bytesAt, Immediate, marksIn } from "./immediate-simulation.ts";
import { assertLaw } from "./law.ts";
import { Random } from "./random.ts";
import { ledgerRows, must } from "./workspace.ts";

const files = ["story.md", "notes.txt", "crlf.txt", "mixed.txt"] as const;
const allowedFaults = new Set([
  "turns_overlap",
  "conflict",
  "no_change",
  "external_change",
  "nothing_to_undo",
  "unknown_hunk",
  "large_deletion",
  "unknown_checkpoint",
  "invalid_line_range",
  "unknown_revision",
  "file_exists",
  "file_not_found",
]);

/** Marks are single characters of the private use area, so that no edit can tear one apart. */
const firstMark = 0xe000;

/** Steps after which text may be gone from a document. */
const takesAway = new Set(["agent", "immediate", "accept", "reject", "undo", "rollback", "reload"]);

export async function simulate(seed: number, steps: number): Promise<void> {
  const simulation = await Simulation.start(seed);
  try {
    for (let step = 0; step < steps; step += 1) await simulation.step();
  } catch (error) {
    const trace = simulation.trace.slice(-12).join("\n  ");
    throw new Error(`seed ${seed} failed after:\n  ${trace}`, { cause: error });
  } finally {
    simulation.end();
  }
}

class Simulation {
  readonly trace: string[] = [];
  readonly #random: Random;
  readonly #folder: string;
  #workspaces: Workspace[] = [];
  #documents: number[] = [];
  #marks = 0;
  readonly #removedOnDisk = new Set<string>();
  readonly #immediate: Immediate;

  private constructor(seed: number, folder: string) {
    this.#random = new Random(seed);
    this.#folder = folder;
    this.#immediate = new Immediate({
      random: this.#random,
      documents: () => this.#documents,
      add: (document) => {
        if (!this.#documents.includes(document)) this.#documents.push(document);
      },
      edit: (total) => this.#lineEdit(total),
      type: (workspace, document) => this.#personTypes(workspace, document),
      allowed: allowedFaults,
    });
  }

  static async start(seed: number): Promise<Simulation> {
    const folder = mkdtempSync(join(tmpdir(), "stet-simulation-"));
    const simulation = new Simulation(seed, folder);
    mkdirSync(join(folder, "root"));
    for (const file of files) writeFileSync(join(folder, "root", file), simulation.#startText(file));
    for (let count = 0; count < 2; count += 1) simulation.#workspaces.push(await simulation.#open());
    simulation.#documents = files.map((file) => must(simulation.#workspaces[0]?.documents.open(file)).id);
    for (const file of files) must(simulation.#workspaces[1]?.documents.open(file));
    return simulation;
  }

  #startText(file: string): string {
    const lines = Array.from({ length: this.#random.below(14) }, (_, index) =>
      this.#random.pick([`line ${index}`, "}", "", "same"]),
    );
    const end = () =>
      file === "crlf.txt" ? "\r\n" : file === "mixed.txt" ? this.#random.pick(["\n", "\r\n", "\r"]) : "\n";
    return (
      lines.map((line) => line + end()).join("") + (this.#random.chance(0.5) ? "no newline at the end" : "")
    );
  }

  async #open(): Promise<Workspace> {
    return must(await Workspace.open(join(this.#folder, "root"), { dataFolder: join(this.#folder, "data") }));
  }

  end(): void {
    for (const workspace of this.#workspaces) workspace.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  readonly #actions: Readonly<
    Record<string, (workspace: Workspace, document: number) => Promise<unknown> | unknown>
  > = {
    agent: (workspace) => this.#agentTurn(workspace),
    person: (workspace, document) => this.#personTypes(workspace, document),
    disk: (_, document) => this.#diskChanges(document),
    refresh: (workspace, document) => this.#refresh(workspace, document),
    immediate: (workspace) => this.#immediate.turn(workspace, this.#random.pick(this.#workspaces)),
    vanish: (workspace, document) => this.#vanishes(workspace, document),
    accept: (workspace) => this.#decide(workspace, () => workspace.review.accept(this.#someHunks(workspace))),
    reject: (workspace) => this.#decide(workspace, () => workspace.review.reject(this.#someHunks(workspace))),
    undo: (workspace) => this.#decide(workspace, () => workspace.review.undo()),
    save: (workspace) => this.#save(workspace),
    rollback: (workspace) => this.#rollback(workspace),
    restart: () => this.#restart(),
    reload: (workspace, document) =>
      this.#random.chance(0.3) ? workspace.saving.resolve(document, "reload") : undefined,
  };

  async step(): Promise<void> {
    const name = this.#random.pick([
      "agent",
      "agent",
      "immediate",
      "immediate",
      "vanish",
      "person",
      "person",
      "person",
      "disk",
      "refresh",
      "accept",
      "reject",
      "undo",
      "save",
      "save",
      "rollback",
      "restart",
      "reload",
    ]);
    const workspace = this.#random.pick(this.#workspaces);
    // An agent looks at the files first, so what the disk did is part of what a refusal leaves alone.
    if (name === "agent") for (const document of this.#documents) workspace.documents.disk.compare(document);
    const before = this.#states();
    const result = await this.#actions[name]?.(workspace, this.#random.pick(this.#documents));
    this.trace.push(`${name}: ${isFault(result) ? result.error : "done"}`);
    if (isFault(result))
      assert.ok(allowedFaults.has(result.error), `unexpected fault: ${JSON.stringify(result)}`);
    this.#check(name, before, isFault(result));
  }

  #states(): DocumentState[] {
    return this.#documents.map((document) => this.#state(document));
  }

  #state(document: number): DocumentState {
    const state = must(this.#workspaces[0]?.documents.state(document));
    const other = must(this.#workspaces[1]?.documents.state(document));
    assert.equal(
      state.pending.current.toString(),
      other.pending.current.toString(),
      "both processes see one text",
    );
    assert.equal(state.pending.base.toString(), other.pending.base.toString(), "both processes see one base");
    return state;
  }

  #check(name: string, before: readonly DocumentState[], refused: boolean): void {
    for (const old of before) {
      const now = this.#state(old.id);
      assertLaw(now.pending);
      assert.equal(
        now.history.text.toString(),
        now.pending.current.toString(),
        "history and review have one text",
      );
      if (refused) {
        assert.equal(`${now.pending.current}`, `${old.pending.current}`, "a refusal changes nothing");
        assert.equal(`${now.pending.base}`, `${old.pending.base}`, "a refusal decides nothing");
      }
      const kept = now.pending.current.toString() + now.pending.base.toString();
      // A file that is written through may bring along what happened to it on disk.
      if (name === "accept" && !old.file.isThrough)
        assert.equal(`${now.pending.current}`, `${old.pending.current}`);
      const vanished = marksIn(old.pending.current.toString() + old.pending.base.toString()).filter(
        (mark) => !kept.includes(mark),
      );
      if (vanished.length === 0) continue;
      const isAllowed = takesAway.has(name) || vanished.every((mark) => this.#removedOnDisk.has(mark));
      assert.ok(isAllowed, `${name} lost ${vanished.join(" ")}`);
      const earlier = this.#earlierState(old);
      // What was only ever read is the disk's own; there is nothing of ours to bring back.
      if (earlier === undefined) continue;
      const known = `${earlier.pending.current}${earlier.pending.base}`;
      for (const mark of vanished)
        assert.ok(known.includes(mark), `${mark} cannot be had again after ${name}`);
    }
  }

  #earlierState(old: DocumentState): DocumentState | undefined {
    const [workspace] = this.#workspaces;
    if (workspace === undefined) return undefined;
    const [first] = ledgerRows(workspace, "SELECT min(id) AS id FROM entries WHERE document = ?", old.id);
    return workspace.ledger.stateAt(old.id, old.entry || Number(first?.id ?? 0));
  }

  #mark(): string {
    this.#marks += 1;
    return String.fromCharCode(firstMark + this.#marks);
  }

  async #agentTurn(workspace: Workspace): Promise<unknown> {
    const turn = workspace.beginTurn({ summary: "simulated" });
    const seen = this.#documents.flatMap((document) => {
      const history = turn.read(document);
      return isFault(history) ? [] : [{ document, history }];
    });
    if (seen.length === 0) return turn.discard();
    let fault: Fault | undefined;
    for (let count = this.#random.between(1, 3); count > 0; count -= 1) {
      const { document, history } = this.#random.pick(seen);
      // The person may type between what the agent saw and what it does.
      if (this.#random.chance(0.3)) this.#personTypes(this.#random.pick(this.#workspaces), document);
      const edits = [this.#lineEdit(countLines(history.text))];
      const edited = await turn.step(() =>
        turn.edit(document, { revision: history.revision, policy: { kind: "rebase" }, edits }),
      );
      if (isFault(edited)) fault = edited;
    }
    if (this.#random.chance(0.2)) {
      const before = this.#states();
      turn.discard();
      this.#check("discard", before, true);
      return undefined;
    }
    const committed = turn.commit();
    if (isFault(committed)) return committed;
    if (fault !== undefined) assert.ok(allowedFaults.has(fault.error), JSON.stringify(fault));
    return undefined;
  }

  #lineEdit(total: number): LineEdit {
    const content = this.#random.pick(["agent line", "", "}\nagent", "a\nb\nc", "same", "x\n\ny"]);
    const op =
      total === 0
        ? this.#random.pick(["append", "set"])
        : this.#random.pick(["replace", "insert", "delete", "append", "set"]);
    const from = this.#random.between(1, Math.max(1, total));
    const to = this.#random.between(from, Math.min(from + 3, Math.max(1, total)));
    if (op === "insert") return { op, after: this.#random.between(0, total), content: content || "\n" };
    if (op === "replace") return { op, from, to, content };
    if (op === "delete") return { op, from, to };
    if (op === "set") return { op, content: `${content}\nset by the agent\n` };
    return { op: "append", content: content || "\n" };
  }

  /** Characters only, at any place, on a revision that may be behind. */
  #personTypes(workspace: Workspace, document: number): unknown {
    const { history } = must(workspace.documents.state(document));
    const back = Math.min(history.changes.length, this.#random.below(3));
    const seen = history.changes[history.changes.length - back]?.before ?? history.text;
    const from = this.#random.between(0, seen.length);
    const insert = Text.of(
      (this.#random.pick(["", "\n", "words "]) + this.#mark() + this.#random.pick(["", "\n", "."])).split(
        "\n",
      ),
    );
    const change = ChangeSet.of({ from, insert }, seen.length);
    return workspace.documents.change(document, {
      revision: history.revision - back,
      change,
      origin: "user",
    });
  }

  /** After a decision, the files that follow what is there hold it. */
  async #decide(workspace: Workspace, decision: () => DecisionReport | Fault): Promise<unknown> {
    const decided = await workspace.decide(decision);
    if (!isFault(decided)) assertOnDisk(workspace, decided.documents);
    return decided;
  }

  #path(document: number): string {
    return join(this.#folder, "root", this.#workspaces[0]?.documents.row(document)?.path ?? "");
  }

  #diskChanges(document: number): undefined {
    // Where there is none, the file comes back.
    const content = bytesAt(this.#path(document))?.toString("utf8") ?? "";
    const lines = content.split(/(?<=\n)/);
    lines.splice(this.#random.between(0, lines.length), this.#random.below(2), `disk ${this.#mark()}\n`);
    writeFileSync(this.#path(document), lines.join(""));
    for (const mark of marksIn(content)) if (!lines.join("").includes(mark)) this.#removedOnDisk.add(mark);
    return undefined;
  }

  /** What was only read and is gone is no document any more, so there is nothing to look at. */
  #vanishes(workspace: Workspace, document: number): undefined {
    if (workspace.ledger.state(document) === undefined || this.#random.chance(0.5)) return undefined;
    for (const mark of marksIn(bytesAt(this.#path(document))?.toString("utf8") ?? ""))
      this.#removedOnDisk.add(mark);
    rmSync(this.#path(document), { force: true });
    return undefined;
  }

  #refresh(workspace: Workspace, document: number): unknown {
    const refreshed = workspace.saving.refresh(document);
    if (!isFault(refreshed) || refreshed.error !== "external_change") return refreshed;
    const resolved = this.#random.chance(0.5) ? workspace.saving.resolve(document, "keep") : refreshed;
    return isFault(resolved) ? resolved : undefined;
  }

  /** Some hunks, or what one turn did in some of them. */
  #someHunks(workspace: Workspace): Selection {
    const open = workspace.review.list().flatMap((file) => file.hunks);
    const hunks = open.filter(() => this.#random.chance(0.5)).map((hunk) => hunk.id);
    const turns = [...new Set(open.flatMap((hunk) => hunk.turns))];
    if (turns.length === 0 || this.#random.chance(0.5)) return { hunks };
    return { turn: this.#random.pick(turns), hunks, also: this.#random.chance(0.5) ? turns : [] };
  }

  async #save(workspace: Workspace): Promise<unknown> {
    const documents = this.#documents.filter(() => this.#random.chance(0.6));
    const before = documents.map((document) => bytesAt(this.#path(document)));
    const saved = await workspace.saving.save(documents);
    for (const [index, document] of documents.entries()) {
      const bytes = bytesAt(this.#path(document));
      if (isFault(saved)) assert.deepEqual(bytes, before[index], "a refused save writes nothing");
      else assertKnown(workspace, document, before[index]?.toString("utf8") ?? "");
    }
    if (!isFault(saved)) assertOnDisk(workspace, documents, "saved");
    return saved;
  }

  async #rollback(workspace: Workspace): Promise<unknown> {
    const checkpoints = workspace.checkpoints.list({ limit: 5 });
    if (checkpoints.length === 0) return undefined;
    const checkpoint = this.#random.pick(checkpoints);
    for (const { document } of checkpoint.files) {
      // What the disk did to the others stays, so this is no refusal of a rollback.
      if (isFault(workspace.saving.refresh(document))) return undefined;
    }
    const texts = () =>
      checkpoint.files.map(
        ({ document }) =>
          `${must(workspace.documents.state(document)).pending.current}|${must(workspace.documents.state(document)).pending.base}`,
      );
    const before = texts();
    const hunks = checkpoint.files.flatMap((file) => file.hunks.map((hunk) => hunk.id));
    const isHard = this.#random.chance(0.5);
    const report = await workspace.rollback(
      checkpoint.id,
      isHard ? { mode: "hard_all" } : { mode: "scoped_selected", hunks },
    );
    if (!isFault(report)) assertOnDisk(workspace, report.documents);
    if (isFault(report) || report.checkpoint === null || this.#random.chance(0.5)) return report;
    const undone = await workspace.rollback(report.checkpoint, { mode: "hard_all" });
    assert.deepEqual(texts(), before, "undoing a rollback brings everything back");
    return undone;
  }

  async #restart(): Promise<undefined> {
    const at = this.#random.below(this.#workspaces.length);
    this.#workspaces[at]?.close();
    this.#workspaces[at] = await this.#open();
    for (const file of files) this.#workspaces[at]?.documents.open(file);
    return undefined;
  }
}
