// Where the bytes of a stream go: a connection, or a reader in memory.

import type { ServerResponse } from "node:http";

export interface StreamOutput {
  /** Returns whether it can take more now; where not, `drained` is called when it can again. */
  write(bytes: Uint8Array): boolean;
  /** Bytes that it took and that are not sent. */
  readonly unsent: number;
  /** Sends what it took, then ends. */
  end(): void;
  /** Ends at once. */
  destroy(): void;
}

export interface OutputListener {
  drained(): void;
  /** Nobody reads any more, or everything is sent. May be called more than once. */
  closed(): void;
}

export type OpenOutput = (listener: OutputListener) => StreamOutput;

export function connectionOutput(outgoing: ServerResponse): OpenOutput {
  return (listener) => {
    outgoing.on("drain", () => listener.drained());
    outgoing.on("close", () => listener.closed());
    outgoing.on("error", () => listener.closed());
    // The reader may have gone while the stream was being prepared.
    if (outgoing.destroyed) queueMicrotask(() => listener.closed());
    return {
      write: (bytes) => outgoing.destroyed || outgoing.write(bytes),
      get unsent() {
        return outgoing.writableLength;
      },
      end: () => void outgoing.end(),
      destroy: () => void outgoing.destroy(),
    };
  };
}

const memoryWater = 64 * 1024;

export function memoryOutput(signal: AbortSignal): {
  readonly open: OpenOutput;
  readonly body: ReadableStream<Uint8Array>;
} {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let listener: OutputListener | undefined;
  let isOver = false;
  const over = (action: () => void) => {
    if (isOver) return;
    isOver = true;
    action();
    listener?.closed();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull: () => listener?.drained(),
      cancel: () => over(() => {}),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: memoryWater }),
  );
  const open: OpenOutput = (given) => {
    listener = given;
    const destroy = () =>
      over(() => controller?.error(new DOMException("The stream was ended.", "AbortError")));
    signal.addEventListener("abort", destroy, { once: true });
    if (signal.aborted) queueMicrotask(destroy);
    return {
      write(bytes) {
        if (isOver || controller === undefined) return true;
        controller.enqueue(bytes);
        return (controller.desiredSize ?? 1) > 0;
      },
      get unsent() {
        return memoryWater - (controller?.desiredSize ?? memoryWater);
      },
      end: () => over(() => controller?.close()),
      destroy,
    };
  };
  return { open, body };
}
