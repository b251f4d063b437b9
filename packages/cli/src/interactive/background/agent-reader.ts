// The conversation of one agent, as it goes on: the same items and the same drawing as of the session's own.

import type { LogEvent } from "@stet/protocol/events/log-event";
import type { Fault } from "@stet/protocol/fault";
import { truncateCells } from "@stet/tui/text/slice";
import type { App } from "../app.ts";
import { OpenConversation } from "../connection/conversation.ts";
import { ConversationBlocks } from "../transcript/blocks.ts";
import { cleanLine } from "../transcript/rows.ts";

export type ReaderParts = Pick<App, "api" | "follow" | "theme" | "requestRender">;

export class AgentReader {
  readonly session: string;
  readonly #parts: ReaderParts;
  readonly #conversation: OpenConversation;
  #blocks: ConversationBlocks;
  #generation = -1;
  /** Until it is read for the first time. */
  isReading = true;
  fault: Fault | undefined;

  constructor(parts: ReaderParts, session: string) {
    this.#parts = parts;
    this.session = session;
    this.#blocks = this.#newBlocks();
    this.#conversation = new OpenConversation({
      connection: parts,
      onFault: (fault) => this.#failed(fault),
    });
    this.#conversation.onChange(() => parts.requestRender());
    void this.#open();
  }

  async #open(): Promise<void> {
    const fault = await this.#conversation.open(this.session);
    this.isReading = false;
    if (fault === undefined) this.#parts.requestRender();
    else this.#failed(fault);
  }

  #failed(fault: Fault): void {
    this.fault = fault;
    this.#parts.requestRender();
  }

  /** Of the workspace's log. */
  hear({ type, data }: LogEvent): void {
    const isOwn = (type === "job.status" || type === "session.changed") && data.session_id === this.session;
    if (!isOwn) return;
    if (type === "job.status" && data.status === "running") this.#conversation.hearJob(data.job_id);
    else this.#conversation.refreshSoon();
  }

  rows(width: number): string[] {
    const { generation, items } = this.#conversation;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#blocks = this.#newBlocks();
    }
    this.#blocks.update(items);
    const queued = this.#conversation.queued.map(({ text }) => this.#queuedRow(text, width));
    return [...this.#blocks.blocks().flatMap((block) => block.render(width)), ...queued];
  }

  /** Said to it, and not heard yet. */
  #queuedRow(text: string, width: number): string {
    const { theme } = this.#parts;
    return truncateCells(theme.fg("muted", ` ${theme.symbol("pending")} next: ${cleanLine(text)}`), width);
  }

  close(): void {
    this.#conversation.close();
  }

  #newBlocks(): ConversationBlocks {
    return new ConversationBlocks(this.#parts.theme, { thinking: "folded" });
  }
}
