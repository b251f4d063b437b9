// Asks the person what the agent asks, and what the agents ask that work for it, for as long as it can be answered: another
// window may answer it, too. The session's own agent comes first, then the others in the order in which they began.

import type { QuestionItem } from "@stet/client/items";
import { type Fault, isFault } from "@stet/protocol/fault";
import { questionText } from "@stet/protocol/question-text";
import type { SessionBackground } from "../background/session-background.ts";
import type { OpenConversation } from "../connection/conversation.ts";
import type { Interactive } from "../interactive.ts";
import { QuestionPanel } from "../transcript/question-panel.ts";
import { cleanLine } from "../transcript/rows.ts";
import { changeIn, changeInJob } from "./asked-change.ts";
import { notify } from "./attention.ts";

interface Asked {
  readonly item: QuestionItem;
  readonly id: string;
  /** Undefined for the session's own agent. */
  readonly by: { readonly agent: string; readonly job: string } | undefined;
}

export class QuestionAsker {
  readonly #app: Interactive;
  readonly #conversation: OpenConversation;
  readonly #background: SessionBackground;
  #open: { readonly key: string; close(): void } | undefined;
  /** Keys of answers on their way: whoever asked has not heard them yet. */
  readonly #answered = new Set<string>();

  constructor(app: Interactive, conversation: OpenConversation) {
    this.#app = app;
    this.#conversation = conversation;
    this.#background = app.background;
  }

  look(): void {
    const asked = this.#waiting()[0];
    if (asked?.item.key === this.#open?.key) return;
    this.close();
    if (asked !== undefined) this.#ask(asked);
  }

  /** All that can be answered. */
  #waiting(): Asked[] {
    const { question } = this.#conversation;
    const id = question?.questionId ?? undefined;
    const own: Asked[] =
      question === undefined || id === undefined ? [] : [{ item: question, id, by: undefined }];
    const others = this.#background.questions.map(({ agent, job, item }): Asked => {
      return { item, id: item.questionId ?? "", by: { agent: agent.agent_id, job } };
    });
    return [...own, ...others].filter(({ item }) => !this.#answered.has(item.key));
  }

  close(): void {
    this.#open?.close();
    this.#open = undefined;
  }

  #ask(asked: Asked): void {
    const app = this.#app;
    const { item, by } = asked;
    const isPlan = this.#conversation.choices.permission === "plan";
    const stop = new AbortController();
    const panel = new QuestionPanel({
      item,
      preview: (by === undefined ? changeIn(this.#conversation.live, item.asked)?.preview : "") ?? "",
      theme: app.theme,
      screenRows: () => app.screen.rows,
      timeout: isPlan ? 0 : app.settings["ask.timeout"],
      waiting: () => this.#waiting().length,
      requestRender: () => app.requestRender(),
      onAnswer: (answer) => void this.#answer(asked, answer),
      onCancel: () => void this.#cancel(asked),
    });
    const close = app.screenParts.area.open(panel);
    if (by !== undefined && item.asked.kind === "permission")
      void changeInJob(app.follow, by.job, item.asked, stop.signal).then((change) =>
        panel.showChange(change),
      );
    this.#open = {
      key: item.key,
      close: () => {
        stop.abort();
        panel.close();
        close();
      },
    };
    const who = by === undefined ? "Stet" : cleanLine(by.agent);
    if (app.settings["ask.notify"]) notify(app, `${who} asks: ${questionText(item.asked)}`);
  }

  async #answer(asked: Asked, answer: string): Promise<void> {
    const { item, id, by } = asked;
    this.#answered.add(item.key);
    this.close();
    const fault =
      by === undefined ? await this.#conversation.answer(id, answer) : await this.#tell(by.job, id, answer);
    if (fault !== undefined) {
      this.#answered.delete(item.key);
      this.#app.tellFault(fault);
    }
    this.look();
  }

  async #tell(job: string, id: string, answer: string): Promise<Fault | undefined> {
    const body = { question_id: id, answer };
    const reply = await this.#app.api.call("clarify", { params: { job_id: job }, body });
    return isFault(reply) ? reply : undefined;
  }

  /** Esc: whoever asked is stopped. */
  async #cancel({ by }: Asked): Promise<void> {
    const app = this.#app;
    if (by === undefined) {
      app.tell("Ask tool was cancelled by the user");
      app.work.stop();
      return;
    }
    const params = { session_id: this.#conversation.id };
    const reply = await app.api.call("cancelBackground", { params, body: { ids: [by.agent] } });
    if (isFault(reply)) app.tellFault(reply);
    else app.tell(`Stopped ${cleanLine(by.agent)}, which had asked.`);
  }
}
