// A stream of server-sent events, as events.

export interface SentEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Ends when the stream ends. Comments, such as heartbeats, are yielded as undefined, so that an idle timeout is possible. */
export async function* sentEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<SentEvent | undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield eventOf(block);
    }
  } finally {
    // Closes the connection, so that the server ends the stream.
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): SentEvent | undefined {
  let id: string | undefined;
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "id") id = value;
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
  return data.length === 0 ? undefined : { id, event, data: data.join("\n") };
}
