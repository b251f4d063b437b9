// Going back to before turns, with what it changes shown first: for /undo, /redo, /checkpoints, and for the files when a
// conversation goes on from an earlier message.

import { makeRollback, planRollback, type Rollback, type RollbackPlan } from "@stet/client/rollback";
import { type Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { App } from "../app.ts";
import { RollbackPanel, type RollbackQuestion, type WayBack } from "./rollback-panel.ts";

/** One way to go back: from the newest to the oldest turn. */
export interface Way {
  readonly title: string;
  readonly rollbacks: readonly Rollback[];
}

export interface GoBack {
  /** The first one is shown first. */
  readonly ways: readonly Way[];
  readonly question: string;
  readonly notes?: readonly string[];
  /** What is said when it is done. */
  readonly done: string;
}

export type Planned = WayBack<readonly Rollback[]>;

/** Ways that would change nothing, and leave nothing to tell, are left out. */
export async function planWays(app: App, ways: readonly Way[]): Promise<Planned[] | Fault> {
  const planned: Planned[] = [];
  for (const { title, rollbacks } of ways) {
    const plan = await planRollback(app.api, rollbacks);
    if (isFault(plan)) return plan;
    if (plan.patches.length > 0) planned.push({ value: rollbacks, title, plan });
  }
  return planned.filter((way, index) => planned.findIndex((other) => isSamePlan(way, other)) === index);
}

function isSamePlan({ plan }: Planned, other: Planned): boolean {
  const keyOf = ({ patches, conflicts }: RollbackPlan) => JSON.stringify([patches, conflicts]);
  return keyOf(plan) === keyOf(other.plan);
}

/** Shows, asks and goes back. Returns whether it did; undefined where there was nothing to go back on. */
export async function goBack(app: App, request: GoBack): Promise<boolean | undefined> {
  const planned = await planWays(app, request.ways);
  if (isFault(planned)) {
    app.tellFault(planned);
    return false;
  }
  const [first, ...rest] = planned;
  if (first === undefined) return undefined;
  const chosen = await ask(app, {
    ways: [first, ...rest],
    question: request.question,
    notes: request.notes ?? [],
  });
  if (chosen === undefined) return false;
  return carryOut(app, chosen, request.done);
}

async function ask(
  app: App,
  question: Omit<RollbackQuestion<readonly Rollback[]>, "done">,
): Promise<readonly Rollback[] | undefined> {
  let chosen: readonly Rollback[] | undefined;
  const open = (close: () => void) =>
    new RollbackPanel(app, {
      ...question,
      done(value) {
        chosen = value;
        close();
      },
    });
  await app.dialogs.panel(open, { over: "screen" });
  return chosen;
}

/** Files follow at once, as they do after stet rollback. */
async function carryOut(app: App, rollbacks: readonly Rollback[], done: string): Promise<boolean> {
  const plan = await planRollback(app.api, rollbacks);
  const undo = isFault(plan) ? plan : await makeRollback(app.api, rollbacks);
  if (isFault(plan) || isFault(undo)) {
    if (isFault(undo)) app.tellFault(undo);
    return false;
  }
  const documents = plan.patches.map(({ document }) => document);
  const saved = await app.api.call("saveDecided", { body: { documents } });
  const files = plan.patches.map(({ name }) => visibleName(name)).join(", ");
  const stays = plan.conflicts.length === 0 ? "" : ` ${plan.conflicts.join(" ")}`;
  app.tell(`${done}: ${files}.${stays}`, stays === "" ? "info" : "warning");
  if (isFault(saved)) app.tellFault(saved);
  return true;
}
