// The parts that several turns have in one piece, so that each can be decided by itself.
//
// A piece that more than one turn made keeps its lines as they were after each of them:
//
//   base lines → layer 1 → layer 2 → … → current lines
//
// Each step is compared word by word. Two steps that follow each other can change places where the later one touches
// no word of the earlier one. So a turn's part can be accepted by itself when its layers can be moved to the front,
// and rejected by itself when they can be moved to the end: a later turn that built on an earlier one's words can be
// rejected alone, and the earlier one accepted alone, but not the other way round.
//
// Layers are a bounded help. Where there are too many, or a piece is too long, or it comes from a ledger that has none,
// its parts cannot be separated, and it is decided as one.

import { ChangeSet, Text } from "@codemirror/state";
import type { Origin } from "@stet/protocol/ids";
import { commonEnds } from "./common-ends.ts";
import { diffWords } from "./words.ts";

/** The lines of a piece after what one turn, or the person, did to it. */
export interface Layer {
  /** Undefined where the person changed a piece that several turns had made. */
  readonly turn?: string | undefined;
  readonly origins: readonly Origin[];
  readonly lines: readonly string[];
}

const maxLayers = 16;
const maxLayerLines = 400;
const maxLayerLength = 64_000;

/** A run of lines with the layers that it went through; none where nothing was open. */
export interface LayeredLines {
  readonly base: readonly string[];
  readonly layers: readonly Layer[];
}

/**
 * The layers of neighbouring runs as those of all of them together. They lie beside each other, so only the order within
 * each run matters. Undefined where layers are not possible.
 */
export function joinLayers(runs: readonly LayeredLines[]): Layer[] | undefined {
  const done = runs.map(() => 0);
  const joined: Layer[] = [];
  for (;;) {
    const next = runs.findIndex(({ layers }, at) => (done[at] ?? 0) < layers.length);
    const layer = runs[next]?.layers[done[next] ?? 0];
    if (layer === undefined) break;
    const origins = new Set<Origin>();
    for (const [at, { layers }] of runs.entries()) {
      const own = layers[done[at] ?? 0];
      if (own === undefined || own.turn !== layer.turn) continue;
      for (const origin of own.origins) origins.add(origin);
      done[at] = (done[at] ?? 0) + 1;
    }
    const lines = runs.flatMap(({ base, layers }, at) => layers[(done[at] ?? 0) - 1]?.lines ?? base);
    joined.push({ turn: layer.turn, origins: [...origins].sort(), lines });
  }
  return bounded(joined);
}

/** The layers with what was done last; a turn's step after its own is one with it. */
export function addLayer(layers: readonly Layer[], top: Layer): Layer[] | undefined {
  const last = layers.at(-1);
  if (last === undefined || last.turn !== top.turn) return bounded([...layers, top]);
  const origins = [...new Set([...last.origins, ...top.origins])].sort();
  return bounded([...layers.slice(0, -1), { turn: top.turn, origins, lines: top.lines }]);
}

function bounded(layers: Layer[]): Layer[] | undefined {
  if (layers.length > maxLayers) return undefined;
  const isSmall = layers.every(({ lines }) => {
    return (
      lines.length <= maxLayerLines && lines.reduce((sum, line) => sum + line.length, 0) <= maxLayerLength
    );
  });
  return isSmall ? layers : undefined;
}

/** How many lines all states start and end with. */
export function commonInAll(
  base: readonly string[],
  layers: readonly Layer[],
): { start: number; end: number } {
  let least = { start: base.length, end: base.length };
  const shortest = Math.min(base.length, ...layers.map(({ lines }) => lines.length));
  for (const { lines } of layers) {
    const { start, end } = commonEnds(base, lines);
    least = { start: Math.min(least.start, start), end: Math.min(least.end, end) };
  }
  const start = Math.min(least.start, shortest);
  return { start, end: Math.min(least.end, shortest - start) };
}

/** A piece taken apart: `front` leads from its base lines to `middle`, `back` from there to its current lines. */
export interface TakenApart {
  readonly middle: readonly string[];
  readonly front: readonly Layer[];
  readonly back: readonly Layer[];
}

/** Undefined where a layer that goes to the front builds on words of one that does not. */
export function takeApart(
  base: readonly string[],
  layers: readonly Layer[],
  isFront: (layer: Layer) => boolean,
): TakenApart | undefined {
  const steps = stepsOf(base, layers);
  for (let end = 0; end < steps.length; end += 1) {
    for (let at = end; at > 0; at -= 1) {
      const [earlier, later] = [steps[at - 1], steps[at]];
      if (earlier === undefined || later === undefined) break;
      if (isFront(earlier.layer) || !isFront(later.layer)) break;
      const swapped = swap(earlier, later);
      if (swapped === undefined) return undefined;
      steps.splice(at - 1, 2, ...swapped);
    }
  }
  const done: Layer[] = [];
  for (const { layer, change, before } of steps) {
    const lines = linesIn(change.apply(before));
    if (lines === undefined) return undefined;
    done.push({ ...layer, lines });
  }
  const cut = done.filter(isFront).length;
  const front = done.slice(0, cut);
  return { middle: front.at(-1)?.lines ?? base, front, back: done.slice(cut) };
}

interface Step {
  readonly layer: Layer;
  readonly before: Text;
  readonly change: ChangeSet;
}

/** Each line with its end, so that no line and an empty line are two texts. */
function textOf(lines: readonly string[]): Text {
  return Text.of([...lines, ""]);
}

function linesIn(text: Text): string[] | undefined {
  const lines = text.toString().split("\n");
  return lines.pop() === "" ? lines : undefined;
}

function stepsOf(base: readonly string[], layers: readonly Layer[]): Step[] {
  let before = textOf(base);
  return layers.map((layer) => {
    const after = textOf(layer.lines);
    const change = changeBetween(before, after);
    const step = { layer, before, change };
    before = after;
    return step;
  });
}

function changeBetween(before: Text, after: Text): ChangeSet {
  const changes: { from: number; to: number; insert: Text }[] = [];
  let at = 0;
  for (const { kind, text } of diffWords(before.toString(), after.toString())) {
    if (kind === "same") at += text.length;
    else if (kind === "removed") {
      changes.push({ from: at, to: at + text.length, insert: Text.empty });
      at += text.length;
    } else changes.push({ from: at, to: at, insert: Text.of(text.split("\n")) });
  }
  return ChangeSet.of(changes, before.length);
}

/** The two steps the other way round; undefined where the later one touches words of the earlier one. */
function swap(earlier: Step, later: Step): [Step, Step] | undefined {
  if (meets(earlier.change, later.change)) return undefined;
  const first = later.change.map(earlier.change.invertedDesc);
  const between = first.apply(earlier.before);
  const second = earlier.change.map(first);
  if (!second.apply(between).eq(later.change.apply(later.before))) return undefined;
  return [
    { layer: later.layer, before: earlier.before, change: first },
    { layer: earlier.layer, before: between, change: second },
  ];
}

/** Whether the later change touches what the earlier one wrote, or the position where it removed something. */
function meets(earlier: ChangeSet, later: ChangeSet): boolean {
  const written: { from: number; to: number }[] = [];
  earlier.iterChangedRanges((_fromA, _toA, from, to) => written.push({ from, to }));
  let isMet = false;
  later.iterChangedRanges((from, to) => {
    isMet ||= written.some((one) => {
      if (one.from === one.to && from === to) return one.from === from;
      return from < one.to && one.from < to;
    });
  });
  return isMet;
}
