// What a session has used, and how much of the model's context it takes. Entries are only ever added, so what was counted
// once is not read again.

import { setImmediate } from "node:timers/promises";
import { contextTokens, estimateTokens } from "@stet/agent/context-size";
import type { SessionUse } from "@stet/protocol/api/sessions";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { AssistantMessage, Message, UserMessage } from "@stet/protocol/message";
import type { SessionEntry } from "@stet/session/entry";
import type { EntrySlot } from "@stet/session/entry-index";
import { buildContext } from "@stet/session/session-context";
import type { Session } from "@stet/session/session-tree";

/** `input` includes what the provider had in its cache. */
type CountedUse = Omit<SessionUse, "context_window">;

interface Counted {
  /** How many entries of the file it tells of, and the last of them. */
  readonly entries: number;
  readonly last: string;
  readonly cost: number;
  readonly isCostKnown: boolean;
  readonly input: number;
  readonly cacheRead: number;
  readonly output: number;
}

const maxSessions = 200;
const readAtOnce = 500;

/** Tokens of what a turn sends beside the conversation, without instructions of files. */
export interface TurnOverhead {
  readonly system: number;
  readonly tools: number;
}

export class SessionUses {
  readonly #counted = new Map<string, Counted>();
  readonly #contexts = new Map<string, { leaf: string | null; tokens: number }>();
  /** By the name that was asked for: how much the model takes that answered. */
  readonly #windows = new Map<string, number>();
  readonly #overheads = new Map<string, TurnOverhead>();

  async of(session: Session): Promise<CountedUse> {
    const { cost, isCostKnown, input, cacheRead, output } = await this.#count(session);
    return {
      cost_usd: cost,
      cost_known: isCostKnown,
      input,
      cache_read: cacheRead,
      output,
      context_tokens: this.#context(session),
    };
  }

  noteWindow(model: string, tokens: number): void {
    keep(this.#windows, model, tokens);
  }

  /** How much a toolset's own words and tools take, once a turn had it open. */
  noteOverhead(toolset: string, overhead: TurnOverhead): void {
    keep(this.#overheads, toolset, overhead);
  }

  overhead(toolset: string): TurnOverhead | undefined {
    return this.#overheads.get(toolset);
  }

  window(model: string): number | undefined {
    return this.#windows.get(model);
  }

  /** Over all ways that the conversation took: those that were left were paid for, too. */
  async #count(session: Session): Promise<Counted> {
    const { id } = session.header;
    const known = this.#counted.get(id);
    const { slots } = session.log.index;
    const isSame = known !== undefined && slots[known.entries - 1]?.head.id === known.last;
    let sum = isSame
      ? known
      : { entries: 0, last: "", cost: 0, isCostKnown: true, input: 0, cacheRead: 0, output: 0 };
    const until = slots.length;
    while (sum.entries < until) {
      const some = slots.slice(sum.entries, Math.min(sum.entries + readAtOnce, until));
      sum = add(sum, some, session.log.read(some.filter(isReply)));
      if (sum.entries < until) await setImmediate();
    }
    keep(this.#counted, id, sum);
    return sum;
  }

  #context(session: Session): number {
    const { id } = session.header;
    const { leafId: leaf } = session;
    const known = this.#contexts.get(id);
    if (known !== undefined && known.leaf === leaf) return known.tokens;
    const tokens = tokensOf(session);
    keep(this.#contexts, id, { leaf, tokens });
    return tokens;
  }
}

function isReply({ head }: EntrySlot): boolean {
  return head.role === "assistant";
}

function add(sum: Counted, slots: readonly EntrySlot[], replies: readonly (SessionEntry | Fault)[]): Counted {
  let { cost, isCostKnown, input, cacheRead, output } = sum;
  for (const { usage } of replies.flatMap(replyOf)) {
    cost += usage.cost.total;
    if (usage.cost.isUnknown) isCostKnown = false;
    input += usage.input + usage.cacheRead + usage.cacheWrite;
    cacheRead += usage.cacheRead;
    output += usage.output;
  }
  return {
    entries: sum.entries + slots.length,
    last: slots.at(-1)?.head.id ?? sum.last,
    cost,
    isCostKnown,
    input,
    cacheRead,
    output,
  };
}

function replyOf(entry: SessionEntry | Fault): AssistantMessage[] {
  const isMessage = !isFault(entry) && entry.type === "message" && entry.message.role === "assistant";
  return isMessage ? [entry.message] : [];
}

/** As the agent estimates it: what the provider counted last, and what came since. The rest need not be read. */
function tokensOf(session: Session): number {
  const path = session.pathSlots();
  const since = path.findLastIndex((slot) => slot.head.type === "compaction");
  for (let at = path.length - 1; at > since; at -= 1) {
    const slot = path[at];
    if (slot === undefined || !isReply(slot)) continue;
    const [reply] = session.log.read([slot]).flatMap(replyOf);
    if (reply === undefined || reply.usage.input === 0) continue;
    const { input, cacheRead, cacheWrite, output } = reply.usage;
    const later = session.log.read(path.slice(at + 1)).flatMap(messageOf);
    return input + cacheRead + cacheWrite + output + estimateTokens(later);
  }
  return contextTokens(buildContext(session).messages, 0);
}

function messageOf(entry: SessionEntry | Fault): Message[] {
  if (isFault(entry)) return [];
  if (entry.type === "message") {
    const { message } = entry;
    return message.role === "custom" ? [said(message.content)] : [message];
  }
  if (entry.type === "custom_message") return [said(entry.content)];
  return entry.type === "branch_summary" ? [said(entry.summary)] : [];
}

function said(content: UserMessage["content"]): UserMessage {
  return { role: "user", content, timestamp: 0 };
}

function keep<T>(known: Map<string, T>, key: string, value: T): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > maxSessions && oldest !== undefined) known.delete(oldest);
}
