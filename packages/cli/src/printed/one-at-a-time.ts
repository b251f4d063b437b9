// A person reads one question at a time, whoever asks: the session's own agent and those that it has sent.

import { noAnswer } from "@stet/protocol/question-text";
import type { AskPerson } from "@stet/tools/capabilities";

export function oneAtATime(ask: AskPerson): AskPerson {
  let last: Promise<unknown> = Promise.resolve();
  return (question, signal, callId) => {
    // Whoever was stopped while others asked needs no answer any more.
    const next = last.then(() => (signal.aborted ? noAnswer : ask(question, signal, callId)));
    last = next.catch(() => undefined);
    return next;
  };
}
