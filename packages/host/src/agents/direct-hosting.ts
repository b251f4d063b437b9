// Agents of a command that ends with its turn: nobody follows them but that command, and their questions come one at a time.

import { Inbox } from "@stet/agent/inbox";
import type { AskPerson } from "@stet/tools/capabilities";
import { questionView } from "../jobs/question-view.ts";
import type { TurnEvent } from "../turn/agent-turn.ts";
import type { ChildAgent } from "./child-agent.ts";
import type { ChildHosting } from "./sender.ts";

export interface DirectHostingOptions {
  readonly ask: AskPerson;
  readonly onEvent?: ((child: ChildAgent, event: TurnEvent) => void) | undefined;
}

export function directHosting({ ask, onEvent = () => {} }: DirectHostingOptions): ChildHosting {
  let last: Promise<unknown> = Promise.resolve();
  /** A person reads one question at a time. */
  const inTurn = <T>(action: () => Promise<T>): Promise<T> => {
    const next = last.then(action, action);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    async carryOut(child, _job, run) {
      const running = run({
        signal: child.stop.signal,
        inbox: new Inbox(),
        ask: (question, signal, callId) =>
          inTurn(async () => {
            child.ask(questionView({ id: callId, asked: question, callId }));
            const answer = await ask(question, signal, callId);
            child.ask(null);
            return answer;
          }),
        tell() {},
        pass() {},
        onTurn() {},
      });
      for (;;) {
        const step = await running.next();
        if (step.done) return step.value;
        onEvent(child, step.value);
      }
    },
  };
}
