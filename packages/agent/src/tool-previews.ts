// Previews of calls while the model writes their arguments. They run beside the stream and never hold it up: one at a time
// for each call, at most every 150 milliseconds. Once the call is written there is one more, of the whole of it, before it is
// carried out: the person who is asked for permission sees all that it does.

import type { ModelEvent } from "@stet/protocol/model-stream";
import type { Tool } from "./tool.ts";

const interval = 150;
/** Arguments that are longer than that are no longer previewed: each preview reads all of them anew. */
const maxLength = 200_000;
/** How long the calls of a message wait for their last previews. */
const patience = 500;

interface WrittenCall {
  readonly id: string;
  readonly tool: Tool;
  text: string;
  /** The text that the newest preview was made of. */
  previewed: string;
  isBusy: boolean;
  /** Runs for an interval from the beginning of each preview. */
  timer: NodeJS.Timeout | undefined;
  last: string | undefined;
}

export interface ToolPreview {
  readonly id: string;
  readonly name: string;
  readonly diff: string;
}

export class ToolPreviews {
  readonly #tools: readonly Tool[];
  readonly #tell: (preview: ToolPreview) => void;
  /** By the block's index in the message. */
  readonly #calls = new Map<number, WrittenCall>();
  /** Those that are written to their end, and not previewed as a whole yet. */
  #written: WrittenCall[] = [];

  constructor(tools: readonly Tool[], tell: (preview: ToolPreview) => void) {
    this.#tools = tools;
    this.#tell = tell;
  }

  observe(event: ModelEvent): void {
    if (event.type === "toolcall_start") this.#begin(event.index, event.id, event.name);
    else if (event.type === "toolcall_delta") this.#add(event.index, event.delta);
    else if (event.type === "toolcall_end") this.#write(event.index);
    else if (event.type === "done" || event.type === "error") this.stop();
  }

  /** The last previews, after the message is whole. */
  async finish(): Promise<void> {
    const written = this.#written;
    this.#written = [];
    if (written.length === 0) return;
    let isLate = false;
    const last = written.map(async ({ id, text, tool, last: known }) => {
      const diff = await tool.preview?.(text).catch(() => undefined);
      if (!isLate && diff !== undefined && diff !== known) this.#tell({ id, name: tool.name, diff });
    });
    const { promise: waited, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patience);
    await Promise.race([Promise.all(last), waited]);
    clearTimeout(timer);
    isLate = true;
  }

  /** No preview is emitted any more. */
  stop(): void {
    for (const index of [...this.#calls.keys()]) this.#end(index);
  }

  #begin(index: number, id: string, name: string): void {
    const tool = this.#tools.find((candidate) => candidate.name === name);
    if (tool?.preview === undefined) return;
    const call = { id, tool, text: "", previewed: "", isBusy: false, timer: undefined, last: undefined };
    this.#calls.set(index, call);
    this.#rest(index, call);
  }

  #add(index: number, delta: string): void {
    const call = this.#calls.get(index);
    if (call === undefined) return;
    call.text += delta;
    if (call.text.length > maxLength) this.#end(index);
    else this.#look(index, call);
  }

  #write(index: number): void {
    const call = this.#calls.get(index);
    if (call !== undefined && call.text !== "") this.#written.push(call);
    this.#end(index);
  }

  #end(index: number): void {
    const call = this.#calls.get(index);
    clearTimeout(call?.timer);
    this.#calls.delete(index);
  }

  #rest(index: number, call: WrittenCall): void {
    call.timer = setTimeout(() => {
      call.timer = undefined;
      this.#look(index, call);
    }, interval).unref();
  }

  /** Begins the next preview where it is time for it, and there is something new to show. */
  #look(index: number, call: WrittenCall): void {
    if (call.timer === undefined && !call.isBusy && call.text !== call.previewed)
      void this.#show(index, call);
  }

  async #show(index: number, call: WrittenCall): Promise<void> {
    const { text, tool } = call;
    call.previewed = text;
    call.isBusy = true;
    this.#rest(index, call);
    const diff = await tool.preview?.(text).catch(() => undefined);
    call.isBusy = false;
    if (this.#calls.get(index) !== call) return;
    if (diff !== undefined && diff !== call.last) {
      call.last = diff;
      this.#tell({ id: call.id, name: tool.name, diff });
    }
    this.#look(index, call);
  }
}
