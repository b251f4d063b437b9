// The documents that this window has open, each loaded once, whatever shows it.

import type { DocumentText } from "@stet/protocol/api/tabs";
import { type Fault, isFault } from "@stet/protocol/fault";
import { createSignal } from "solid-js";
import type { Workbench } from "../workspace/workbench.ts";
import { OpenDocument } from "./open-document.ts";
import { keepPositions } from "./view-positions.ts";

const leaveLookMs = 1000;

export class OpenDocuments {
  readonly #workbench: Workbench;
  readonly #open = new Map<number, Promise<OpenDocument | Fault>>();
  readonly #loaded = new Map<number, OpenDocument>();
  /** Closed, and with something that is not with the server yet. */
  readonly #leaving = new Set<OpenDocument>();
  /** Counts up when a document was loaded or closed, for those who ask about all of them. */
  readonly #count = createSignal(0);
  /** Lines and columns to show as soon as the document is there. */
  readonly #wanted = new Map<number, readonly [line: number, column: number]>();

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** `opened` is the server's reply, where it is known already; it is not requested again then. */
  get(id: number, opened?: DocumentText): Promise<OpenDocument | Fault> {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const loading = OpenDocument.load(this.#workbench, id, opened).then((document) => {
      if (isFault(document)) this.#open.delete(id);
      else {
        this.#loaded.set(id, document);
        this.#tellCount();
        const spot = this.#wanted.get(id);
        this.#wanted.delete(id);
        if (spot !== undefined) document.reveal(...spot);
      }
      return document;
    });
    this.#open.set(id, loading);
    return loading;
  }

  /** The document, where it is loaded already. */
  known(id: number): OpenDocument | undefined {
    return this.#loaded.get(id);
  }

  /** Shows a line, from 1, now or as soon as the document is there. */
  reveal(id: number, line: number, column = 0): void {
    const known = this.#loaded.get(id);
    if (known === undefined) this.#wanted.set(id, [line, column]);
    else known.reveal(line, column);
  }

  /** Waits until everything that was typed is with the server. */
  async settle(id: number): Promise<Fault | undefined> {
    return this.#loaded.get(id)?.settle();
  }

  /** Whether something that was typed is not with the server yet. Can be followed. */
  hasUnsent(): boolean {
    const [count] = this.#count;
    count();
    return [...this.#loaded.values(), ...this.#leaving].some((document) => !document.isSettled());
  }

  /** The page is left: what was typed in the last moment goes out with it, and the browser keeps where one was. */
  sendLast(): void {
    for (const document of [...this.#loaded.values(), ...this.#leaving]) document.sendLast();
    keepPositions(new Map([...this.#loaded].map(([id, document]) => [id, document.place()])));
  }

  /** The file was changed on disk where this document was changed, too: the person has to choose. */
  reportConflict(id: number): void {
    void this.get(id).then((document) => {
      if (!isFault(document)) void document.checkDisk();
    });
  }

  /** After its tab was closed. What was typed is with the server, or is sent first. */
  forget(id: number): void {
    const document = this.#loaded.get(id);
    this.#loaded.delete(id);
    this.#tellCount();
    this.#open.delete(id);
    if (document === undefined) return;
    document.unmount();
    this.#leaving.add(document);
    void this.#leave(document);
  }

  /** It sends on by itself until it has arrived. */
  async #leave(document: OpenDocument): Promise<void> {
    await document.settle();
    while (!document.isSettled()) await new Promise((done) => setTimeout(done, leaveLookMs));
    document.close();
    this.#leaving.delete(document);
  }

  #tellCount(): void {
    const [, setCount] = this.#count;
    setCount((count) => count + 1);
  }
}
