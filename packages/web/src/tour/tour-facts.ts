// What the tour knows, followed as it changes.

import { isFault } from "@stet/protocol/fault";
import { type Accessor, batch, createEffect, createMemo, createSignal } from "solid-js";
import { onHistoryChange } from "../workspace/reload.ts";
import { soon } from "../workspace/soon.ts";
import type { Workbench } from "../workspace/workbench.ts";
import type { Facts, OpenHunk, TourTurn } from "./tour-steps.ts";

interface Turns {
  /** The newest checkpoint of all, whatever it is. */
  readonly newest: string | null;
  readonly turn: TourTurn | undefined;
}

const looked = 200;

/** `hasBegun` is the one thing that only this window knows. Undefined until the server has answered. */
export function followFacts(workbench: Workbench, hasBegun: Accessor<boolean>) {
  const [turns, setTurns] = createSignal<Turns>();
  const [isAsBefore, setAsBefore] = createSignal(false);
  /** Until what the agent left behind is known, too: its work ends with that. */
  const [isAtWork, setAtWork] = createSignal(false);

  let asked = 0;
  const load = async () => {
    asked += 1;
    const own = asked;
    // While the tour is closed, nothing is asked for it.
    if (workbench.layout.state.hasSeenTour) {
      setTurns(undefined);
      return;
    }
    const reply = await workbench.client.call("listCheckpoints", { query: { limit: looked } });
    if (isFault(reply)) return;
    const { tourSince } = workbench.layout.state;
    const end = reply.checkpoints.findIndex(({ checkpoint_id }) => checkpoint_id === tourSince);
    const since = end < 0 ? reply.checkpoints : reply.checkpoints.slice(0, end);
    const made = since.find(({ kind }) => kind === "agent");
    const turn = made && {
      turn: made.turn,
      checkpoint: made.checkpoint_id,
      documents: made.affected_files.map(({ document }) => document),
      hunks: made.affected_files.reduce((sum, file) => sum + file.hunks.length, 0),
    };
    const paths = made?.affected_files.flatMap(({ file_path }) => file_path ?? []) ?? [];
    const isBack = turn !== undefined && (await isEachAsBefore(workbench, turn.checkpoint, paths));
    // A later look has seen more.
    if (own !== asked) return;
    batch(() => {
      setAtWork(workbench.state.jobs.length > 0);
      setAsBefore(isBack);
      setTurns((known) => {
        const isSame = known?.turn?.checkpoint === turn?.checkpoint && known?.turn?.hunks === turn?.hunks;
        return { newest: reply.checkpoints[0]?.checkpoint_id ?? null, turn: isSame ? known?.turn : turn };
      });
    });
  };
  createEffect(() => {
    void workbench.layout.state.tourSince;
    void workbench.layout.state.hasSeenTour;
    if (workbench.state.jobs.length > 0) setAtWork(true);
    void load();
  });
  onHistoryChange(workbench, load);

  const open = createMemo((): OpenHunk[] => {
    const turn = turns()?.turn?.turn;
    const isWhole = workbench.state.review.turns.some((each) => each.turn === turn && each.is_whole);
    return workbench.state.review.files.flatMap(({ document, hunks }) =>
      hunks.flatMap((hunk) =>
        turn !== undefined && hunk.turns.includes(turn)
          ? [{ id: hunk.hunk_id, document, line: hunk.new_start, removed: hunk.removed.join("\n"), isWhole }]
          : [],
      ),
    );
  });
  const isUnsaved = () => {
    const documents = turns()?.turn?.documents ?? [];
    return workbench.unsavedDocuments().some((document) => documents.includes(document));
  };
  const facts = createMemo((): Facts | undefined => {
    const known = turns();
    if (known === undefined) return undefined;
    return {
      hasBegun: hasBegun(),
      isAgentAtWork: isAtWork(),
      turn: known.turn,
      open: open(),
      isAsBefore: isAsBefore(),
      isUnsaved: isUnsaved(),
      isHistoryShown: workbench.layout.state.left === "history",
    };
  });
  return { facts, load, newest: () => turns()?.newest ?? null };
}

async function isEachAsBefore(
  workbench: Workbench,
  checkpoint: string,
  paths: readonly string[],
): Promise<boolean> {
  for (const file_path of paths) {
    const sides = await workbench.client.call("diff3", {
      params: { checkpoint_id: checkpoint },
      query: { file_path },
    });
    if (isFault(sides) || sides.current_file !== sides.checkpoint_base) return false;
  }
  return true;
}

/** Opens what the turn changed, so that it can be seen and saved; what is in front stays there. */
export async function openChanged(workbench: Workbench, turn: TourTurn): Promise<void> {
  const isOpen = (document: number) => workbench.state.tabs.some((tab) => tab.document === document);
  const closed = workbench.state.review.files.filter((file) => {
    return turn.documents.includes(file.document) && !isOpen(file.document);
  });
  for (const { file_path: path } of closed) {
    if (path !== null) await workbench.client.call("openTab", { body: { path } });
  }
  if (closed.length > 0) await workbench.loadTabs();
}

/** Steps follow each other faster than they can be read; a short pause keeps the card from flickering. */
export function settled<T>(milliseconds: number, read: Accessor<T>): Accessor<T> {
  const [value, setValue] = createSignal(read());
  const later = soon(milliseconds, () => setValue(() => read()));
  createEffect(() => {
    read();
    later();
  });
  return value;
}
