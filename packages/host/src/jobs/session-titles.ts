// Titles of sessions, made after their first turn by a model that the person chose for it (the setting titles.model): a small
// request beside the conversation, in the background. A title that the person gave is never replaced. Where the request
// fails, the session stays named after what was first asked.

import { filledPrompt } from "@stet/agent/prompt-file";
import { cutText } from "@stet/protocol/cut-text";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import type { Model } from "@stet/protocol/model-stream";
import { contentText, oneLine } from "@stet/session/entry-text";
import { buildContext } from "@stet/session/session-context";
import type { Session } from "@stet/session/session-tree";
import { log } from "@stet/storage/operator-log";
import type { Configuration } from "../settings/configuration.ts";
import { type ChooseModel, isRefused } from "../turn/choose-model.ts";
import { keptChoices, modelFor } from "../turn/session-choices.ts";
import type { Sessions } from "./sessions.ts";

const maxAsked = 2000;
const maxAnswered = 1000;
const maxTitle = 60;
/** Names the model that answers in the session. */
const ownModel = "same";

export interface TitleParts {
  readonly sessions: Sessions;
  readonly chooseModel: ChooseModel;
  readonly configuration: () => Configuration | Fault;
  /** Takes secrets out of what is sent. */
  readonly redact: (text: string) => string;
  /** Called with the id of a session that has another title. */
  readonly onTitle: (session: string) => void;
}

export class SessionTitles {
  readonly #parts: TitleParts;
  readonly #stop = new AbortController();
  readonly #working = new Set<Promise<void>>();

  constructor(parts: TitleParts) {
    this.#parts = parts;
  }

  /** After a turn: names the session where it was the first one. */
  turnEnded(session: Session): void {
    const messages = buildContext(session).messages.filter(({ role }) => role !== "toolResult");
    const isFirst = messages.filter(({ role }) => role === "user").length === 1;
    if (!isFirst || session.header.titleSource === "user") return;
    const work = this.#name(session, messages).catch((error: unknown) =>
      log("warn", "title.failed", { session: session.header.id }, error),
    );
    this.#working.add(work);
    void work.finally(() => this.#working.delete(work));
  }

  async #name(session: Session, messages: readonly Message[]): Promise<void> {
    const { sessions, chooseModel, configuration, redact, onTitle } = this.#parts;
    const configured = configuration();
    if (isFault(configured)) return;
    const { settings } = configured;
    const named = settings["titles.model"];
    if (named === "") return;
    const asked = named === ownModel ? modelFor(session, settings, keptChoices(session)) : named;
    const chosen = await chooseModel(settings, {}, asked);
    // The practice model has no words of its own.
    if (isRefused(chosen) || chosen.model.provider === "practice") return;
    const title = await titleFrom(chosen.model, redact(promptOf(messages)), this.#stop.signal);
    const record = title === "" ? undefined : await sessions.record(session.header.id);
    if (record === undefined || isFault(record) || this.#stop.signal.aborted) return;
    const renamed = await sessions.rename(record, title, "auto");
    if (!isFault(renamed)) onTitle(record.id);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#working);
  }
}

function promptOf(messages: readonly Message[]): string {
  const textOf = (role: Message["role"], limit: number) => {
    const message = messages.find((one) => one.role === role && contentText(one.content).trim() !== "");
    return message === undefined ? "" : cutText(contentText(message.content), limit);
  };
  const asked = textOf("user", maxAsked);
  return filledPrompt("title.md", { asked, answered: textOf("assistant", maxAnswered) });
}

/** Empty where the model gave none. */
async function titleFrom(model: Model, content: string, signal: AbortSignal): Promise<string> {
  const request = {
    system: "",
    messages: [{ role: "user", content, timestamp: Date.now() } as const],
    tools: [],
  };
  for await (const event of model.stream(request, signal)) {
    if (event.type !== "done") continue;
    const text = contentText(event.message.content).trim().split("\n", 1)[0] ?? "";
    return oneLine(text.replace(/^["'“„*#\s]+|["'”“*.\s]+$/g, ""), maxTitle);
  }
  return "";
}
