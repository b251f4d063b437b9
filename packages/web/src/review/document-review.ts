// When the review of a document is asked for, and which answer is shown.
//
// An answer is about one revision. It is shown only where that is the revision on the screen and nothing that was typed is on
// its way; otherwise it is asked for again. Questions never overlap, so an old answer cannot replace a newer one.

import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { type Fault, isFault } from "@stet/protocol/fault";

export type ReviewReply = Reply<Routes["documentReview"]>;

/** What the loader needs of a document. */
export interface ReviewSource {
  ask(): Promise<ReviewReply | Fault>;
  /** The server's newest revision that is part of what is shown. */
  revision(): number;
  /** Whether everything that was typed is with the server. */
  isSettled(): boolean;
  /** Whether a change of the text could change what is drawn. */
  hasSomething(): boolean;
  show(reply: ReviewReply): void;
}

export interface ReviewTimes {
  /** After a change of the text. */
  readonly changedMs: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

const usualTimes: ReviewTimes = { changedMs: 250, firstRetryMs: 40, longestRetryMs: 2000 };

export class ReviewLoader {
  private readonly source: ReviewSource;
  private readonly times: ReviewTimes;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private due = Number.POSITIVE_INFINITY;
  private isAsking = false;
  private isWantedAgain = false;
  private isClosed = false;
  private retryMs: number;

  constructor(source: ReviewSource, times: ReviewTimes = usualTimes) {
    this.source = source;
    this.times = times;
    this.retryMs = times.firstRetryMs;
  }

  /** Something was decided or proposed. */
  refresh(): void {
    this.retryMs = this.times.firstRetryMs;
    if (this.isAsking) this.isWantedAgain = true;
    else this.plan(0);
  }

  /** The text changed. Each further change puts the question off, so that nobody is asked at every key. */
  changed(): void {
    if (!this.source.hasSomething()) return;
    if (this.isAsking) this.isWantedAgain = true;
    else this.plan(this.times.changedMs, true);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private plan(milliseconds: number, putsOff = false): void {
    if (this.isClosed) return;
    const due = performance.now() + milliseconds;
    if (!putsOff && due >= this.due) return;
    clearTimeout(this.timer);
    this.due = due;
    this.timer = setTimeout(() => void this.ask(), milliseconds);
  }

  private async ask(): Promise<void> {
    this.due = Number.POSITIVE_INFINITY;
    this.isAsking = true;
    this.isWantedAgain = false;
    const reply = await this.source.ask();
    this.isAsking = false;
    if (this.isClosed) return;
    if (!isFault(reply) && this.source.isSettled() && reply.revision === this.source.revision()) {
      this.retryMs = this.times.firstRetryMs;
      this.source.show(reply);
      if (this.isWantedAgain) this.plan(0);
      return;
    }
    this.plan(this.retryMs);
    this.retryMs = Math.min(2 * this.retryMs, this.times.longestRetryMs);
  }
}
