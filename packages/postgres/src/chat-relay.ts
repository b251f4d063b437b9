// A chat whose turn is carried out by another process: what happens in the turn goes through a log of its own, and every
// server tells its readers as if it had happened there.
//
// Words are told as they come, and may get lost for a server that is behind; everything else is kept. A chat ends when
// its job has, but not before the end of the turn was heard, as long as that does not take for ever.

import { messageEnd } from "@stet/host/events/event-log";
import type { HeldLog, Logs } from "@stet/host/events/logs";
import type { JobRecord } from "@stet/host/store/store";
import type { TurnEvent } from "@stet/host/turn/agent-turn";

/** Where a chat's events go to. */
export interface Chats {
  hear(job: JobRecord, event: TurnEvent): void;
  follow(job: JobRecord): void;
}

interface Followed {
  readonly held: HeldLog;
  readonly stop: () => void;
  hasTurnEnded: boolean;
  /** The job, once it has ended. */
  ended: JobRecord | undefined;
}

const longestWait = 3000;

export class ChatRelay {
  private readonly logs: Logs;
  private readonly chats: Chats;
  private readonly followed = new Map<string, Promise<Followed>>();
  private readonly sending = new Map<string, Promise<HeldLog>>();

  constructor(logs: Logs, chats: Chats) {
    this.logs = logs;
    this.chats = chats;
  }

  /** Tells the others what happens in a turn of this process. */
  send(job: JobRecord, event: TurnEvent): void {
    const told = job.toolset === "paper" ? tellable(event) : undefined;
    if (told === undefined) return;
    const sent = this.sending.get(job.id) ?? this.logs.hold(chatLog(job.id));
    this.sending.set(job.id, sent);
    const isLast = event.type === "turn_end";
    if (isLast) this.sending.delete(job.id);
    sent
      .then(async ({ log, release }) => {
        if (told === "words") await log.delta("words", { event });
        else await log.append(told, { event });
        if (isLast) release();
      })
      // Who misses it still hears how the job ends.
      .catch(() => undefined);
  }

  /** Follows a job of another process, from when it is known until it ends. */
  async follow(job: JobRecord): Promise<void> {
    if (job.toolset !== "paper") return;
    const isOver = ["awaiting_review", "completed", "failed"].includes(job.status);
    const known = this.followed.get(job.id);
    if (known === undefined && isOver) return this.chats.follow(job);
    const following = known ?? this.open(job);
    this.followed.set(job.id, following);
    const followed = await following;
    if (!isOver) return this.chats.follow(job);
    followed.ended = job;
    if (followed.hasTurnEnded) this.end(job.id, followed);
    else setTimeout(() => this.end(job.id, followed), longestWait).unref();
  }

  private async open(job: JobRecord): Promise<Followed> {
    const held = await this.logs.hold(chatLog(job.id));
    const stop = await held.log.follow(0, (events) => {
      for (const { data } of events) this.hear(job, data.event as TurnEvent | undefined);
    });
    return { held, stop, hasTurnEnded: false, ended: undefined };
  }

  private hear(job: JobRecord, event: TurnEvent | undefined): void {
    if (event === undefined) return;
    this.chats.hear(job, event);
    if (event.type !== "turn_end") return;
    void this.followed.get(job.id)?.then((followed) => {
      followed.hasTurnEnded = true;
      if (followed.ended !== undefined) this.end(job.id, followed);
    });
  }

  private end(id: string, { held, stop, ended }: Followed): void {
    if (!this.followed.delete(id)) return;
    stop();
    held.release();
    if (ended !== undefined) this.chats.follow(ended);
  }
}

export function chatLog(job: string): string {
  return `chat:${job}`;
}

/** Under which name an event is told; undefined where no chat needs it. */
function tellable(event: TurnEvent): "words" | "turn" | typeof messageEnd | undefined {
  switch (event.type) {
    case "model":
      if (event.event.type === "text_delta" || event.event.type === "thinking_delta") return "words";
      return event.event.type === "done" ? messageEnd : undefined;
    case "tool_end":
      return hasEvents(event.details) ? "turn" : undefined;
    case "limit":
    case "turn_end":
      return "turn";
    default:
      return undefined;
  }
}

function hasEvents(details: unknown): boolean {
  return typeof details === "object" && details !== null && "events" in details;
}
