// Two minutes with the sample project: ask, decide, save, go back. Each step is done when it was really done, by the person
// or, if they like, by the tour. It can be left at any moment and taken up again.

import { createEffect, createMemo, createSignal, on, Show } from "solid-js";
import { fillComposer } from "../agent/composer-text.ts";
import { always, commandsOf } from "../app/commands.ts";
import { showAllCheckpoints } from "../history/history-panel.tsx";
import { RollbackDialog } from "../history/rollback-dialog.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import * as actions from "./tour-actions.ts";
import { TourCard } from "./tour-card.tsx";
import { followFacts, openChanged, settled } from "./tour-facts.ts";
import { type StepId, stepOf, toReject } from "./tour-steps.ts";
import { wordsOf } from "./tour-words.ts";

const pause = 250;

export function Tour() {
  const workbench = useWorkbench();
  const { layout } = workbench;
  const [hasBegun, setBegun] = createSignal(false);
  const [isAsking, setAsking] = createSignal(false);
  const { facts, load, newest } = followFacts(workbench, hasBegun);
  const latest = createMemo(() => {
    const known = facts();
    return known === undefined ? undefined : { step: stepOf(known), facts: known };
  });
  const shown = settled(pause, latest);
  const step = () => shown()?.step;
  const isShown = () => !layout.state.hasSeenTour && shown() !== undefined;

  const close = () => layout.set({ hasSeenTour: true });
  /** From the beginning, unless a turn of it is still there to be taken up. */
  const start = async () => {
    setBegun(false);
    layout.set({ hasSeenTour: false });
    await load();
    if (latest()?.step === "done") layout.set({ tourSince: newest() });
  };

  const help = commandsOf("Help");
  workbench.commands.use(
    help("tour.start", "Take the tour", "", always, start),
    help(
      "tour.do",
      "Tour: do this step for me",
      "",
      () => isShown() && step() !== "wait",
      () => void act(),
    ),
    help("tour.end", "End the tour", "", isShown, close),
  );

  /** What a step needs to be in sight. */
  const prepare: Partial<Record<StepId, () => unknown>> = {
    ask: () => fillComposer(workbench, actions.request),
    reject: async () => {
      const known = shown()?.facts;
      if (known?.turn === undefined) return;
      await openChanged(workbench, known.turn);
      await actions.showFirst(workbench, toReject(known.turn, known.open));
    },
    accept: () => layout.set({ left: "review" }),
    rollback: showAllCheckpoints,
  };
  /** One after the other, whatever the editor goes to by itself. */
  const nextToReject = createMemo(() => {
    const known = shown();
    return known?.step === "reject" && known.facts.turn
      ? toReject(known.facts.turn, known.facts.open)[0]?.id
      : undefined;
  });
  createEffect(
    on([step, isShown, nextToReject], ([now, isOpen]) => {
      if (now !== undefined && isOpen) void prepare[now]?.();
    }),
  );

  const act = async () => {
    const known = shown();
    if (known === undefined) return;
    const { turn, open } = known.facts;
    switch (known.step) {
      case "welcome":
        setBegun(true);
        return;
      case "ask":
        return actions.ask(workbench);
      case "reject":
        return turn && actions.reject(workbench, turn, open);
      case "accept":
        return actions.accept(workbench, open);
      case "save":
      case "saveBack":
        return actions.save(workbench);
      case "history":
        layout.set({ left: "history" });
        return;
      case "rollback":
        setAsking(true);
        return;
      case "done":
        close();
        return;
      case "wait":
        return;
    }
  };

  const words = createMemo(() => {
    const known = shown();
    return known && wordsOf(known.step, known.facts, (id) => workbench.commands.keysOf(id));
  });
  return (
    <>
      <Show when={isShown() && words()}>
        {(told) => (
          <TourCard
            step={step() ?? "welcome"}
            words={told()}
            onAct={() => void act()}
            onShow={() => void prepare[step() ?? "welcome"]?.()}
            onClose={close}
          />
        )}
      </Show>
      <Show when={isAsking() && shown()?.facts.turn}>
        {(turn) => (
          <RollbackDialog
            question={{ title: "Take the whole turn back?", rollbacks: [{ checkpoint: turn().checkpoint }] }}
            onClose={() => setAsking(false)}
          />
        )}
      </Show>
    </>
  );
}
