// What a scripted model says, in words that belong to no provider, and how that becomes an answer.
//
//   answer  =  thinking?  text?  call*  stop  usage      in this order, in every format
//
// A delta never cuts a character in two (only the fault `splitUtf8` does, in bytes). Tokens stand in buckets that do not
// overlap, as in the protocol's `Usage`; a format that counts cached tokens as input adds them up itself.

export interface ScriptedReply {
  readonly thinking?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  /** `toolUse` where there are calls, else `stop`. */
  readonly stop?: "stop" | "length" | "toolUse";
  readonly usage?: Partial<ReplyUsage>;
  /** Characters of a delta; 8 unless given. */
  readonly chunkSize?: number;
  /** Milliseconds before each delta, or before an answer that is not streamed. */
  readonly delayMs?: number;
  readonly fault?: WireFault;
}

export interface ScriptedCall {
  readonly name: string;
  /** A string is sent as it is, so it may be broken JSON. */
  readonly arguments: object | string;
  /** `call_REQUEST_CALL`, both counted from 0, unless given. Gemini leaves an empty one out. */
  readonly id?: string;
}

export interface ReplyUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `output` that was thinking. */
  readonly thinking: number;
}

/** Bytes are counted in the body; 0 means that not even the headers are sent. A count beyond the end means its last byte. */
export type WireFault =
  /** Without a body it is the format's own error object. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly resetAfterBytes: number }
  /** Silent until the client or the test hangs up. */
  | { readonly stallAfterBytes: number }
  /** A clean end in the wrong place, as a proxy makes it. */
  | { readonly endAfterBytes: number }
  /** Every character of more than one byte arrives in as many pieces as it has bytes. */
  | { readonly splitUtf8: true }
  /** The delta in the middle holds half of its JSON, and the stream ends cleanly after it. */
  | { readonly tornJson: true }
  /** That many deltas, each the whole text (`x` where there is none), as fast as the client reads them. */
  | { readonly flood: number }
  /** Status 200 and a web page, as a captive portal answers. */
  | { readonly html: true };

/** A reply with every default settled. */
export interface ScriptedAnswer {
  readonly index: number;
  readonly model: string;
  readonly thinking: SpokenText | undefined;
  readonly text: SpokenText | undefined;
  readonly toolCalls: readonly AnsweredCall[];
  readonly stop: "stop" | "length" | "toolUse";
  readonly usage: ReplyUsage;
  /** What a provider wants back unread with thinking. */
  readonly signature: string;
}

export interface SpokenText {
  readonly whole: string;
  readonly deltas: Iterable<string>;
}

export interface AnsweredCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: SpokenText;
}

/** The script asks for what cannot be said: the test is wrong, not the client. */
export class ScriptMistake extends Error {}

const defaultUsage: ReplyUsage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, thinking: 0 };

export function settleReply(reply: ScriptedReply, index: number, model: string): ScriptedAnswer {
  const size = reply.chunkSize ?? 8;
  if (!(size >= 1))
    throw new ScriptMistake(`Reply ${index} has a chunkSize of ${size}; it must be at least 1.`);
  const toolCalls = (reply.toolCalls ?? []).map((call, place) => ({
    id: call.id ?? `call_${index}_${place}`,
    name: call.name,
    arguments: speak(
      typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
      size,
    ),
  }));
  return {
    index,
    model,
    thinking: reply.thinking === undefined ? undefined : speak(reply.thinking, size),
    text: settleText(reply, size),
    toolCalls,
    stop: reply.stop ?? (toolCalls.length > 0 ? "toolUse" : "stop"),
    usage: { ...defaultUsage, ...reply.usage },
    signature: `signature_${index}`,
  };
}

function settleText(reply: ScriptedReply, size: number): SpokenText | undefined {
  if (reply.fault !== undefined && "flood" in reply.fault) return flood(reply.text ?? "x", reply.fault.flood);
  return reply.text === undefined ? undefined : speak(reply.text, size);
}

function speak(whole: string, size: number): SpokenText {
  return {
    whole,
    deltas: {
      *[Symbol.iterator]() {
        const characters = Array.from(whole);
        for (let start = 0; start < characters.length; start += size)
          yield characters.slice(start, start + size).join("");
      },
    },
  };
}

function flood(delta: string, count: number): SpokenText {
  return {
    // Made when it is asked for: most streams never say the whole, and a flood may be longer than a string can be.
    get whole() {
      return delta.repeat(count);
    },
    deltas: {
      *[Symbol.iterator]() {
        for (let sent = 0; sent < count; sent++) yield delta;
      },
    },
  };
}
