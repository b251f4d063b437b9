// The company of a turn in a command that ends with it: the session is opened when the first agent is sent. A turn that sends
// none loads and does nothing of that; it only knows whom it could send.

import type { AgentBackground } from "@stet/agent/background/background";
import type { AgentOutputs } from "@stet/tools/agents/agent-address";
import type { AgentDefinition } from "@stet/tools/agents/agent-definition";
import { type AgentPorts, namedAgents } from "@stet/tools/agents/agent-tools";
import type { Delegation } from "@stet/tools/agents/delegation";
import type { OtherAgents, Speaker, TurnParts } from "../turn/agent-turn.ts";
import type { MainSender, TurnCompany } from "./turn-company.ts";

export interface OnDemandOptions {
  readonly ownBackground: AgentBackground;
  /** Whom it could send. */
  readonly known: readonly AgentDefinition[];
  /** What agents of earlier turns gave back. */
  readonly outputs: AgentOutputs;
  readonly open: () => Promise<TurnCompany>;
}

export class OnDemandSession implements TurnCompany {
  readonly #options: OnDemandOptions;

  constructor(options: OnDemandOptions) {
    this.#options = options;
  }

  get ownBackground(): AgentBackground {
    return this.#options.ownBackground;
  }

  async othersFor(text: string, sender: MainSender): Promise<OtherAgents> {
    const { known, outputs, open } = this.#options;
    const isNamed = namedAgents(text, known).length > 0;
    let parts: TurnParts | undefined;
    let speaker: Speaker | undefined;
    let silence: (() => void) | undefined;
    const opened = async () => {
      const others = await (await open()).othersFor(text, sender);
      if (speaker !== undefined) silence = others.listen(speaker);
      return parts && others.join(parts).delegation;
    };
    return {
      join(turn): AgentPorts {
        parts = turn;
        const { settings } = turn;
        const delegation = settings["task.maxRecursionDepth"] > 0 ? onDemand(opened, turn) : undefined;
        // It waits for those whom it sends, so it speaks with nobody meanwhile.
        const messages = undefined;
        return { delegation, known, messages, outputs, assignment: undefined, allowed: undefined, isNamed };
      },
      listen(own) {
        speaker = own;
        return () => silence?.();
      },
    };
  }
}

/** `agents` is what a call asks first: everything else is answered by the session that it opens. */
function onDemand(open: () => Promise<Delegation | undefined>, { settings }: TurnParts): Delegation {
  let opening: Promise<Delegation | undefined> | undefined;
  let delegation: Delegation | undefined;
  const opened = () => {
    if (delegation === undefined) throw new Error("An agent was sent before it was asked which there are.");
    return delegation;
  };
  return {
    isAsync: false,
    mode: settings["task.simple"],
    async agents() {
      opening ??= open();
      delegation = await opening;
      return delegation?.agents() ?? [];
    },
    refusal: (agent) => delegation?.refusal(agent),
    allocate: (wishes) => opened().allocate(wishes),
    standing: (id) => opened().standing(id),
    send: (child) => opened().send(child),
  };
}
