// Asks the person what the agent asks, for as long as it can be answered: another window may answer it, too.

import type { QuestionItem } from "@stet/client/items";
import { questionText } from "@stet/protocol/question-text";
import type { OpenConversation } from "../connection/conversation.ts";
import type { Interactive } from "../interactive.ts";
import { QuestionPanel } from "../transcript/question-panel.ts";
import { notify } from "./attention.ts";

export class QuestionAsker {
  readonly #app: Interactive;
  readonly #conversation: OpenConversation;
  #open: { readonly id: string; close(): void } | undefined;

  constructor(app: Interactive, conversation: OpenConversation) {
    this.#app = app;
    this.#conversation = conversation;
  }

  look(): void {
    const { question } = this.#conversation;
    const id = question?.questionId ?? undefined;
    if (id === this.#open?.id) return;
    this.close();
    if (question !== undefined && id !== undefined) this.#ask(question, id);
  }

  close(): void {
    this.#open?.close();
    this.#open = undefined;
  }

  #ask(item: QuestionItem, id: string): void {
    const app = this.#app;
    const isPlan = this.#conversation.choices.permission === "plan";
    const { asked } = item;
    const call = this.#conversation.live.find(
      (one) => one.kind === "tool" && asked.kind === "permission" && one.callId === asked.tool_call_id,
    );
    const panel = new QuestionPanel({
      item,
      preview: call?.kind === "tool" ? call.preview : "",
      theme: app.theme,
      screenRows: () => app.screen.rows,
      timeout: isPlan ? 0 : app.settings["ask.timeout"],
      waiting: () =>
        this.#conversation.live.filter((one) => one.kind === "question" && one.questionId !== null).length,
      requestRender: () => app.requestRender(),
      onAnswer: (answer) => void this.#answer(id, answer),
      onCancel: () => {
        app.tell("Ask tool was cancelled by the user");
        void app.work.stop();
      },
    });
    const close = app.screenParts.area.open(panel);
    this.#open = {
      id,
      close: () => {
        panel.close();
        close();
      },
    };
    if (app.settings["ask.notify"]) notify(app, `Stet asks: ${questionText(item.asked)}`);
  }

  async #answer(id: string, answer: string): Promise<void> {
    this.close();
    const fault = await this.#conversation.answer(id, answer);
    if (fault === undefined) return;
    this.#app.tellFault(fault);
    this.look();
  }
}
