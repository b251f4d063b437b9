// Turns whose edits are on disk at once, for workspace-simulation.ts: they write, make and remove files, run commands,
// and end in every way a turn can end. A write that is refused must leave the documents and the disk as they were; after
// one that is not, and after every decision, a file that follows what is there holds exactly that.

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { isFault } from "@stet/protocol/fault";
import { encodeDocument } from "@stet/text/document";
import type { LineEdit } from "@stet/text/edits";
import { countLines } from "@stet/text/lines";
import { fileText } from "@stet/workspace/documents/file-state";
import { hashBytes } from "@stet/workspace/files/files";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import { assertLaw } from "./law.ts";
import type { Random } from "./random.ts";
import { ledgerRows, must } from "./workspace.ts";

/** What it needs of the simulation that it is a part of. */
export interface ImmediatePorts {
  readonly random: Random;
  readonly documents: () => readonly number[];
  /** A document that there is from now on. */
  readonly add: (document: number) => void;
  readonly edit: (total: number) => LineEdit;
  readonly type: (workspace: Workspace, document: number) => unknown;
  readonly allowed: ReadonlySet<string>;
}

const newNames = ["made.txt", "deep/made.md", "other.txt"] as const;

export class Immediate {
  readonly #ports: ImmediatePorts;

  constructor(ports: ImmediatePorts) {
    this.#ports = ports;
  }

  async turn(workspace: Workspace, other: Workspace): Promise<undefined> {
    const { random } = this.#ports;
    let turn = workspace.beginTurn({ summary: "immediate", isImmediate: true });
    let place = workspace;
    for (let count = random.between(1, 3); count > 0; count -= 1) {
      if (random.chance(0.2)) this.#command(place, turn);
      else await this.#write(place, turn);
      if (!random.chance(0.1)) continue;
      const suspended = JSON.parse(JSON.stringify(turn.suspend()));
      turn = must(other.resumeTurn(suspended, { summary: "immediate", isImmediate: true }));
      place = other;
    }
    const published = turn.publishedDocuments;
    if (random.chance(0.2)) {
      const discarded = await place.discardTurn(turn);
      if (isFault(discarded)) this.#allow(discarded);
      else assertOnDisk(place, published);
    } else must(random.chance(0.5) ? turn.commit() : turn.conclude());
    return undefined;
  }

  #allow(fault: { error: string }): void {
    assert.ok(this.#ports.allowed.has(fault.error), JSON.stringify(fault));
  }

  async #write(workspace: Workspace, turn: Turn): Promise<void> {
    const { random, add } = this.#ports;
    const documents = this.#ports.documents();
    const staged: number[] = [];
    for (let count = random.between(1, 2); count > 0; count -= 1) {
      const document = await this.#stage(workspace, turn);
      if (document !== undefined) staged.push(document);
    }
    // Before anything is written, what the disk did is taken over.
    for (const document of documents) workspace.documents.disk.compare(document);
    const states = documents.map((document) => must(workspace.documents.state(document)));
    const before = documents.map((document) => bytesAt(pathOf(workspace, document)));
    const isTyping = random.chance(0.2);
    const writing = workspace.writeTurn(turn);
    // The person goes on while the files are written.
    if (isTyping) this.#ports.type(workspace, random.pick(documents));
    const written = await writing;
    if (isFault(written)) {
      this.#allow(written);
      for (const [index, state] of states.entries()) {
        const now = must(workspace.documents.state(state.id));
        assertLaw(now.pending);
        assert.deepEqual(
          bytesAt(pathOf(workspace, state.id)),
          before[index],
          "a refused write leaves the disk",
        );
        if (isTyping) continue;
        assert.equal(`${now.pending.current}`, `${state.pending.current}`, "a refused write leaves the text");
        assert.equal(`${now.pending.base}`, `${state.pending.base}`, "a refused write leaves the base");
        assert.deepEqual(now.pending.pieces, state.pending.pieces, "a refused write leaves the hunks");
      }
      return;
    }
    for (const document of staged) add(document);
    for (const [index, { id }] of states.entries()) assertKnown(workspace, id, `${before[index] ?? ""}`);
    // Edits that lead back to where they began are no write, and leave alone what the person has not saved.
    const entries = new Map(states.map(({ id, entry }) => [id, entry]));
    const changed = staged.filter((id) => must(workspace.documents.state(id)).entry !== entries.get(id));
    if (!isTyping) assertOnDisk(workspace, changed);
  }

  /** Edits, makes or removes a file; returns its document, or undefined where that was refused. */
  async #stage(workspace: Workspace, turn: Turn): Promise<number | undefined> {
    const { random } = this.#ports;
    const document = random.pick(this.#ports.documents());
    const result = await turn.step(() => {
      if (random.chance(0.2)) return turn.create(random.pick(newNames), random.pick(["", "made\n", "a\nb"]));
      const hasFile = must(turn.hasFile(document));
      if (hasFile && random.chance(0.2)) return turn.remove(document);
      const history = turn.read(document);
      if (isFault(history)) return history;
      // The person may type between what the agent saw and what it does.
      if (random.chance(0.2)) this.#ports.type(workspace, document);
      const edits = [this.#ports.edit(countLines(history.text))];
      return turn.edit(document, { revision: history.revision, policy: { kind: "rebase" }, edits });
    });
    if (isFault(result)) this.#allow(result);
    if (isFault(result)) return undefined;
    return typeof result === "number" ? result : document;
  }

  /** Something that the agent runs changes a file on disk. */
  #command(workspace: Workspace, turn: Turn): void {
    const { random, add } = this.#ports;
    const document = random.pick(this.#ports.documents());
    const isNew = random.chance(0.2);
    const path = isNew ? newNames[0] : (workspace.documents.row(document)?.path ?? "");
    const name = `${workspace.root.path}/${path}`;
    const before = bytesAt(name);
    const lines = (before?.toString("utf8") ?? "").split(/(?<=\n)/);
    lines.splice(random.between(0, lines.length), random.below(3), random.pick(["command\n", "}\n", ""]));
    const after = before !== null && random.chance(0.15) ? null : Buffer.from(lines.join(""));
    if (after === null) rmSync(name);
    else writeFileSync(name, after);
    const absorbed = turn.absorb(() => [{ path, before, after }]);
    assert.deepEqual(bytesAt(name), after, "what a command did is not written again");
    const row = workspace.documents.rowAt(path);
    if (isFault(absorbed)) this.#allow(absorbed);
    else if (row !== undefined && workspace.ledger.state(row.id) !== undefined) add(row.id);
  }
}

/** The bytes of a file; null where there is none. */
export function bytesAt(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

function pathOf(workspace: Workspace, document: number): string {
  return `${workspace.root.path}/${workspace.documents.row(document)?.path ?? ""}`;
}

/**
 * Each file that is written through holds the text that it follows, unless someone has changed it since. After a save that
 * is so of every file, and of changes by others, too.
 */
export function assertOnDisk(
  workspace: Workspace,
  documents: readonly number[],
  after: "settled" | "saved" = "settled",
): void {
  for (const document of documents) {
    const state = must(workspace.documents.state(document));
    const bytes = bytesAt(pathOf(workspace, document));
    const hash = bytes === null ? null : hashBytes(bytes);
    if (after === "settled" && (hash !== state.savedHash || !state.file.isThrough)) continue;
    const text = fileText(state);
    const expected = text === null ? null : Buffer.from(must(encodeDocument({ text, format: state.format })));
    assert.equal(
      bytes?.toString("utf8") ?? null,
      expected?.toString("utf8") ?? null,
      "the file holds its text",
    );
  }
}

/** What stood in the file before it was written is in the ledger. */
export function assertKnown(workspace: Workspace, document: number, before: string): void {
  const state = must(workspace.documents.state(document));
  const known = `${state.pending.current}${state.pending.base}`;
  const entries = ledgerRows(
    workspace,
    "SELECT id, data FROM entries WHERE document = ? ORDER BY id",
    document,
  );
  const start = workspace.ledger.stateAt(document, Number(entries[0]?.id));
  const everKnown = `${start?.pending.current}${entries.map((row) => row.data).join("")}`;
  const now = bytesAt(pathOf(workspace, document))?.toString("utf8") ?? "";
  for (const mark of marksIn(before)) {
    const isKept = known.includes(mark) || everKnown.includes(mark) || now.includes(mark);
    assert.ok(isKept, `writing replaced ${mark}, which was never known`);
  }
}

/** Marks are single characters of the private use area. */
export function marksIn(content: string): string[] {
  return [...new Set(content.match(/[\ue000-\uf8ff]/g) ?? [])];
}
