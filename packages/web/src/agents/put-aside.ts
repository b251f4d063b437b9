// Putting a conversation aside while something goes on in it: the person says whether that ends.

import { isAtWork } from "@stet/client/agents";
import { isFault } from "@stet/protocol/fault";
import { plural } from "../status/word-count.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { commandsIn } from "./work-words.ts";

/** Whether it may be put aside: nothing goes on, or the person has decided what becomes of it. */
export async function mayPutAside(workbench: Workbench, session: string): Promise<boolean> {
  const params = { session_id: session };
  const [agents, background] = await Promise.all([
    workbench.client.call("listAgents", { params }),
    workbench.client.call("listBackground", { params }),
  ]);
  const working = isFault(agents) ? 0 : agents.agents.filter(isAtWork).length;
  const commands = isFault(background)
    ? 0
    : commandsIn(background).filter(({ status }) => status === "running").length;
  const timers = isFault(background) ? 0 : background.timers.length;
  const parts = [
    working === 0 ? "" : plural(working, "agent"),
    commands === 0 ? "" : plural(commands, "command"),
    timers === 0 ? "" : plural(timers, "timer"),
  ].filter((part) => part !== "");
  if (parts.length === 0) return true;
  const answer = await workbench.dialogs.choose({
    title: "Work goes on in this conversation",
    text: `${parts.join(", ")}: it can go on where nobody looks, or end now.`,
    choices: [
      { id: "end", label: "End it and put aside", isDangerous: true, isDefault: true },
      { id: "keep", label: "Put aside, and let it go on" },
    ],
  });
  if (answer === "end") return (await workbench.ask("cancelBackground", { params, body: {} })) !== undefined;
  return answer === "keep";
}
