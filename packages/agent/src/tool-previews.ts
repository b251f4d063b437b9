// Previews of calls while the model writes their arguments. They run beside the stream and never hold it up: one at a time
// for each call, at most every 150 milliseconds, and none is told once the call is written.

import type { ModelEvent } from "@stet/protocol/model-stream";
import type { Tool } from "./tool.ts";

const interval = 150;
/** Arguments that are longer than that are no longer previewed: each preview reads all of them anew. */
const maxLength = 200_000;

interface WrittenCall {
  readonly id: string;
  readonly tool: Tool;
  text: string;
  /** When the last preview began. */
  begun: number;
  /** Waits for its time, or works. */
  isBusy: boolean;
  timer: NodeJS.Timeout | undefined;
  last: string | undefined;
}

export interface ToolPreview {
  readonly id: string;
  readonly name: string;
  readonly diff: string;
}

export class ToolPreviews {
  private readonly tools: readonly Tool[];
  private readonly tell: (preview: ToolPreview) => void;
  /** By the block's place in the message. */
  private readonly calls = new Map<number, WrittenCall>();

  constructor(tools: readonly Tool[], tell: (preview: ToolPreview) => void) {
    this.tools = tools;
    this.tell = tell;
  }

  observe(event: ModelEvent): void {
    if (event.type === "toolcall_start") this.begin(event.index, event.id, event.name);
    else if (event.type === "toolcall_delta") this.add(event.index, event.delta);
    else if (event.type === "toolcall_end") this.end(event.index);
    else if (event.type === "done" || event.type === "error") this.stop();
  }

  /** Nothing more is told. */
  stop(): void {
    for (const index of [...this.calls.keys()]) this.end(index);
  }

  private begin(index: number, id: string, name: string): void {
    const tool = this.tools.find((candidate) => candidate.name === name);
    if (tool?.preview === undefined) return;
    const begun = performance.now();
    this.calls.set(index, { id, tool, text: "", begun, isBusy: false, timer: undefined, last: undefined });
  }

  private add(index: number, delta: string): void {
    const call = this.calls.get(index);
    if (call === undefined) return;
    call.text += delta;
    if (call.text.length > maxLength) this.end(index);
    else if (!call.isBusy) this.schedule(index, call);
  }

  private end(index: number): void {
    const call = this.calls.get(index);
    clearTimeout(call?.timer);
    this.calls.delete(index);
  }

  private schedule(index: number, call: WrittenCall): void {
    call.isBusy = true;
    const wait = Math.max(0, call.begun + interval - performance.now());
    call.timer = setTimeout(() => void this.show(index, call), wait);
    call.timer.unref();
  }

  private async show(index: number, call: WrittenCall): Promise<void> {
    call.begun = performance.now();
    const { text, tool } = call;
    const diff = await tool.preview?.(text).catch(() => undefined);
    if (this.calls.get(index) !== call) return;
    if (diff !== undefined && diff !== call.last) {
      call.last = diff;
      this.tell({ id: call.id, name: tool.name, diff });
    }
    call.isBusy = false;
    if (call.text !== text) this.schedule(index, call);
  }
}
