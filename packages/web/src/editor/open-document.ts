// One document as this window edits it: the editor's state, kept while another tab is in front, and what is known of its
// file. document-sync.ts exchanges it with the server; what others change is no part of the person's undo history.

import {
  Annotation,
  type ChangeSet,
  EditorSelection,
  EditorState,
  type Extension,
  type StateCommand,
  type StateEffect,
  Text,
  Transaction,
  type TransactionSpec,
} from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { LiveDocument } from "@stet/client/live-document";
import type { DocumentText } from "@stet/protocol/api/tabs";
import type { EventData } from "@stet/protocol/events/log-event";
import { type Fault, isFault } from "@stet/protocol/fault";
import { type Accessor, createSignal } from "solid-js";
import { decisionsOf } from "../review/decisions.ts";
import { soon } from "../workspace/soon.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { DocumentSync } from "./document-sync.ts";
import { EditorSettings } from "./editor-settings.ts";
import { editorExtensions } from "./extensions.ts";
import { type Burden, burdenOf } from "./file-kind.ts";
import { keptPosition, type ViewPosition } from "./view-positions.ts";

/** Marks transactions that others caused. */
export const remote = Annotation.define<boolean>();

/** Documents that this window has loaded so far. */
let loadedCount = 0;

export type DiskState = "same" | "changed" | "gone" | "unreadable";

export class OpenDocument {
  readonly id: number;
  readonly workbench: Workbench;
  /** Whether everything that was typed is with the server. */
  readonly isSettled: Accessor<boolean>;
  /** Counts up with every change of the text, whoever made it. */
  readonly changes: Accessor<number>;
  /** The line of the cursor, from 1. */
  readonly cursorLine: Accessor<number>;
  /** What is known of the file; "changed" is a conflict that the person has to settle. */
  readonly disk: Accessor<DiskState>;
  /** What makes it too much for everything that the editor can do. */
  readonly burden: Accessor<Burden>;
  readonly #setChanges: (change: (count: number) => number) => void;
  readonly #setCursorLine: (line: number) => void;
  readonly #setDisk: (state: DiskState) => void;
  readonly #setBurden: (burden: Burden) => void;
  readonly #sync: DocumentSync;
  readonly #cleanups: (() => void)[] = [];
  readonly #listeners: ((transaction: Transaction) => void)[] = [];
  /** Others are looked at when they are shown again. */
  readonly #checkShownSoon = soon(200, () => {
    if (this.#shown !== undefined) void this.checkDisk();
  });
  #shown: EditorView | undefined;
  #kept: EditorState;
  #scroll: StateEffect<unknown> | undefined;
  #isReloading = false;
  /** Up to this revision, what came from the disk was there from the start or was asked for. */
  #expected: number;

  /** `opened` is what the server told of it already. */
  static async load(workbench: Workbench, id: number, opened?: DocumentText): Promise<OpenDocument | Fault> {
    const reply = opened ?? (await workbench.client.call("getDocument", { params: { document: id } }));
    return isFault(reply) ? reply : new OpenDocument(workbench, id, reply.text, reply.revision);
  }

  private constructor(workbench: Workbench, id: number, text: string, revision: number) {
    this.workbench = workbench;
    this.id = id;
    this.#expected = revision;
    const [isSettled, onSettled] = createSignal(true);
    this.isSettled = isSettled;
    loadedCount += 1;
    // A document that is opened again is another one that edits: its changes are counted from the start.
    const windowId = `${workbench.windowId}-${loadedCount}`;
    this.#sync = new DocumentSync(
      workbench.client,
      { id, text, revision, windowId },
      {
        takeOver: (change) => this.#takeOver(change),
        onSettled,
        tell: (fault) => workbench.refuse(fault),
        onSilence: () => workbench.feed.doubt(),
      },
    );
    const [changes, setChanges] = createSignal(0);
    this.changes = changes;
    this.#setChanges = setChanges;
    const { doc, selection, scroll } = startOf(this.live.text, keptPosition(id));
    this.#scroll = scroll;
    [this.cursorLine, this.#setCursorLine] = createSignal(doc.lineAt(selection.main.head).number);
    [this.disk, this.#setDisk] = createSignal<DiskState>("same");
    [this.burden, this.#setBurden] = createSignal(burdenOf(this.live.text));
    const settings = new EditorSettings(this);
    this.#kept = EditorState.create({ doc, selection, extensions: this.#extensions(settings, text) });
    this.#cleanups.push(() => this.#sync.close(), settings.follow(), ...this.#listen());
  }

  #listen(): (() => void)[] {
    const { feed } = this.workbench;
    const checkOwn = ({ document }: { document: number | null }) => {
      if (document === this.id) void this.checkDisk();
    };
    return [
      feed.on("document.changed", (data) => this.#hear(data)),
      feed.on("disk.conflict", checkOwn),
      feed.on("document.saved", checkOwn),
      feed.on("files.changed", () => this.#checkShownSoon()),
      feed.on("lock.changed", ({ locked }) => {
        if (!locked) void this.#sync.resume();
      }),
      feed.onReturn(() => {
        void this.#sync.resume();
        void this.checkDisk();
      }),
    ];
  }

  #extensions(settings: EditorSettings, text: string): Extension {
    const listener = EditorView.updateListener.of(({ transactions }) => {
      for (const transaction of transactions) this.#notice(transaction);
    });
    return [listener, settings.extensions(), editorExtensions(this, text)];
  }

  get live(): LiveDocument {
    return this.#sync.live;
  }

  /** As people call it. */
  get name(): string {
    const tab = this.workbench.state.tabs.find((candidate) => candidate.document === this.id);
    return tab?.path?.split("/").at(-1) ?? tab?.title ?? "";
  }

  /** The editor's state, whether it is shown or not. */
  get state(): EditorState {
    return this.#shown?.state ?? this.#kept;
  }

  get view(): EditorView | undefined {
    return this.#shown;
  }

  dispatch(...specs: TransactionSpec[]): void {
    if (this.#shown !== undefined) {
      this.#shown.dispatch(...specs);
      return;
    }
    this.#enter(this.#kept.update(...specs));
  }

  #enter(transaction: Transaction): void {
    if (this.#shown !== undefined) {
      this.#shown.dispatch(transaction);
      return;
    }
    this.#kept = transaction.state;
    this.#scroll = this.#scroll?.map(transaction.changes);
    this.#notice(transaction);
  }

  /** Undoes or redoes a step, where what that would do is wanted. Returns whether it was done. */
  step(command: StateCommand, isWanted: (transaction: Transaction) => boolean = () => true): boolean {
    let next: Transaction | undefined;
    command({
      state: this.state,
      dispatch: (transaction) => {
        next = transaction;
      },
    });
    if (next === undefined || !isWanted(next)) return false;
    this.#enter(next);
    return true;
  }

  /** Tells of every transaction, whether the document is shown or not. */
  onTransaction(listener: (transaction: Transaction) => void): void {
    this.#listeners.push(listener);
  }

  /** Shows it; whatever showed it before lets go. */
  mount(parent: HTMLElement): EditorView {
    this.unmount();
    const scroll = this.#scroll;
    this.#shown = new EditorView({
      state: this.#kept,
      parent,
      ...(scroll === undefined ? {} : { scrollTo: scroll }),
    });
    this.#checkShownSoon();
    return this.#shown;
  }

  unmount(): void {
    if (this.#shown === undefined) return;
    this.#kept = this.#shown.state;
    this.#scroll = this.#shown.scrollSnapshot();
    this.#shown.destroy();
    this.#shown = undefined;
  }

  /** Where it is read and written now. */
  place(): ViewPosition {
    const shown = this.#shown;
    const kept = this.#kept;
    if (shown === undefined) return { head: kept.selection.main.head, top: kept.selection.main.head };
    const height = shown.scrollDOM.getBoundingClientRect().top - shown.documentTop;
    return { head: shown.state.selection.main.head, top: shown.lineBlockAtHeight(height).from };
  }

  /** Brings a line to the middle of the view, and the cursor there; lines count from 1, columns from 0. */
  reveal(line: number, column = 0): void {
    const { doc } = this.state;
    const { from, to } = doc.line(Math.max(1, Math.min(line, doc.lines)));
    const at = Math.min(from + column, to);
    const effects = EditorView.scrollIntoView(at, { y: "center" });
    this.#scroll = effects;
    this.dispatch({ selection: EditorSelection.cursor(at), effects });
    this.#shown?.focus();
  }

  #notice(transaction: Transaction): void {
    for (const listener of this.#listeners) listener(transaction);
    const { newDoc, newSelection, changes } = transaction;
    if (transaction.selection !== undefined || transaction.docChanged)
      this.#setCursorLine(newDoc.lineAt(newSelection.main.head).number);
    if (!transaction.docChanged) return;
    if (transaction.annotation(remote) !== true) this.#sync.edit(changes);
    this.#setBurden(burdenOf(newDoc, longestInserted(changes), this.burden()));
    this.#setChanges((count) => count + 1);
  }

  #takeOver(change: ChangeSet): void {
    // As it is: whatever changed it on its way would leave the editor with another text than the server's.
    const annotations = [remote.of(true), Transaction.addToHistory.of(false)];
    this.dispatch({ changes: change, annotations, filter: false });
  }

  #hear({ document, origin, ...made }: EventData<"document.changed">): void {
    if (document !== this.id) return;
    const { revision } = made;
    this.#sync.hear(made);
    if (origin !== "disk") return;
    void this.checkDisk();
    if (this.#isReloading || revision <= this.#expected) return;
    this.workbench.notices.tell({
      text: `${this.name} changed on disk; the new text is shown here.`,
      tone: "plain",
    });
  }

  /** Sends what waits, and says why where that is not possible. */
  settle(): Promise<Fault | undefined> {
    return this.#sync.settle();
  }

  /** The page is left. */
  sendLast(): void {
    this.#sync.sendLast();
  }

  /** Looks whether the file is still the one that this document came from. */
  async checkDisk(): Promise<void> {
    const reply = await this.workbench.client.call("diskState", { params: { document: this.id } });
    if (!isFault(reply)) this.#setDisk(reply.state === "no_file" ? "same" : reply.state);
  }

  /** Settles a conflict with the disk: the text here stands, or the file's does, or here is what was put together of both. */
  async resolveDisk(choice: "keep" | "reload" | "settled"): Promise<void> {
    this.#isReloading = true;
    const fault = await this.settle();
    if (fault !== undefined) this.workbench.refuse(fault);
    else {
      const request = { params: { document: this.id }, body: { choice } };
      const resolved = await this.workbench.ask("resolveDisk", request);
      this.#expected = resolved?.revision ?? this.#expected;
      const checkpoint = resolved?.checkpoint_id ?? null;
      if (checkpoint !== null) decisionsOf(this.workbench).noteDiskChoice(this.id, choice, checkpoint);
    }
    await this.#sync.catchUp();
    await this.checkDisk();
    this.#isReloading = false;
    await this.workbench.loadTabs();
  }

  /** Whoever follows the document stops when it is closed. */
  onClose(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  close(): void {
    for (const cleanup of this.#cleanups) cleanup();
    this.unmount();
  }
}

function startOf(doc: Text, place: ViewPosition | undefined) {
  const within = (position: number) => Math.max(0, Math.min(position, doc.length));
  return {
    doc,
    selection: EditorSelection.single(within(place?.head ?? 0)),
    // At the top nothing is scrolled: the space above the first line stays in sight.
    scroll: place?.top ? EditorView.scrollIntoView(within(place.top), { y: "start", yMargin: 0 }) : undefined,
  };
}

function longestInserted(changes: ChangeSet): Text {
  let longest = Text.empty;
  changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    if (inserted.length > longest.length) longest = inserted;
  });
  return longest;
}
