// What happens to a file between what the model saw and its edit.

import { type FileText, indexOfId, type Line, spliceFile, usualEnd } from "./file-text.ts";
import type { EditIntent } from "./intents.ts";
import type { SeededRandom } from "./random.ts";

export const driftKinds = [
  "nothing",
  "elsewhere",
  "close by",
  "inside",
  "another agent",
  "formatter",
  "disk",
  "lines move",
  "twice",
  "gone",
] as const;

export type DriftKind = (typeof driftKinds)[number];

export interface Drift {
  readonly kind: DriftKind;
  readonly by: "person" | "agent" | "disk";
  /** The file after each step; the last is what is there when the edit is made. */
  readonly steps: readonly FileText[];
}

export function driftFor(
  kind: DriftKind,
  file: FileText,
  intent: EditIntent,
  random: SeededRandom,
  newId: () => number,
): Drift | undefined {
  const targets = targetIds(intent);
  const by = kind === "disk" || kind === "formatter" ? "disk" : kind === "another agent" ? "agent" : "person";
  const once = (step: FileText | undefined) =>
    step === undefined ? undefined : ({ kind, by, steps: [step] } as const);
  switch (kind) {
    case "nothing":
      return { kind, by, steps: [] };
    case "elsewhere":
    case "another agent":
    case "disk": {
      const steps: FileText[] = [];
      for (let left = random.between(1, 3); left > 0; left -= 1) {
        const step = changeFar(steps.at(-1) ?? file, targets, random, newId);
        if (step !== undefined) steps.push(step);
      }
      return steps.length === 0 ? undefined : { kind, by, steps };
    }
    case "close by":
      return once(changeClose(file, intent, random, newId));
    case "inside":
      return once(changeInside(file, targets, random, newId));
    case "formatter":
      return once(format(file, random, newId));
    case "lines move":
      return once(moveTarget(file, intent, random));
    case "twice":
      return once(repeatTarget(file, intent, random, newId));
    case "gone":
      return once(removeTarget(file, targets));
  }
}

/** Lines that the edit names: those that go, and those that insertions stand behind. */
export function targetIds({ changes }: EditIntent): Set<number> {
  return new Set(
    changes.flatMap(({ removed, after }) => [...removed, ...(after === undefined ? [] : [after])]),
  );
}

const far = 8;

function changeFar(
  file: FileText,
  targets: ReadonlySet<number>,
  random: SeededRandom,
  newId: () => number,
): FileText | undefined {
  const near = file.lines.flatMap(({ id }, index) => (targets.has(id) ? [index] : []));
  const isFar = (index: number) => near.every((target) => Math.abs(index - target) > far) && index > far;
  const places = file.lines.flatMap((_, index) => (isFar(index) ? [index] : []));
  if (places.length === 0) return undefined;
  const at = random.pick(places);
  const way = random.between(0, 2);
  const line = personLine(file, at, random, newId);
  if (way === 0) return spliceFile(file, at, 0, [line, personLine(file, at, random, newId)]);
  return spliceFile(file, at, 1, way === 1 ? [line] : []);
}

/** A neighbour of the target is changed, or a line is put right above it. */
function changeClose(
  file: FileText,
  intent: EditIntent,
  random: SeededRandom,
  newId: () => number,
): FileText | undefined {
  const targets = targetIds(intent);
  const { removed, after } = random.pick(intent.changes);
  const first = indexOfId(file, removed[0] ?? after ?? 0);
  const last = indexOfId(file, removed.at(-1) ?? after ?? 0);
  if (first < 0) return undefined;
  const isFree = (index: number) => {
    const line = file.lines[index];
    return line !== undefined && !targets.has(line.id);
  };
  if (removed.length > 0 && random.chance(0.3)) {
    return spliceFile(file, first, 0, [personLine(file, first, random, newId)]);
  }
  const places = [first - 2, first - 1, last + 1, last + 2].filter(isFree);
  if (places.length === 0) return undefined;
  const at = random.pick(places);
  return spliceFile(file, at, 1, [personLine(file, at, random, newId)]);
}

function changeInside(
  file: FileText,
  targets: ReadonlySet<number>,
  random: SeededRandom,
  newId: () => number,
): FileText | undefined {
  const places = file.lines.flatMap(({ id }, index) => (targets.has(id) ? [index] : []));
  if (places.length === 0) return undefined;
  const at = random.pick(places);
  return spliceFile(file, at, 1, [personLine(file, at, random, newId)]);
}

/** Other indentation or quotes all over the file, or white space at the ends of lines taken away. */
function format(file: FileText, random: SeededRandom, newId: () => number): FileText | undefined {
  const ways: readonly ((text: string) => string)[] = [
    (text) => text.replace(/^( {2})+/, (spaces) => "\t".repeat(spaces.length / 2)),
    (text) => text.replace(/^\t+/, (tabs) => "  ".repeat(tabs.length)),
    (text) => text.trimEnd(),
    (text) => text.replaceAll("'", '"'),
    (text) => (/[\w)]$/.test(text) && text.length < 80 ? `${text};` : text),
  ];
  const way = random.pick(ways);
  let isChanged = false;
  const lines = file.lines.map((line) => {
    const text = way(line.text);
    if (text === line.text) return line;
    isChanged = true;
    return { ...line, id: newId(), text };
  });
  return isChanged ? { ...file, lines } : undefined;
}

/** The person cuts the target with its neighbours and puts it elsewhere. */
function moveTarget(file: FileText, intent: EditIntent, random: SeededRandom): FileText | undefined {
  const targets = targetIds(intent);
  if (intent.changes.length > 1 || targets.size === 0) return undefined;
  const at = file.lines.flatMap(({ id }, index) => (targets.has(id) ? [index] : []));
  const from = Math.max(0, Math.min(...at) - 2);
  const to = Math.min(file.lines.length, Math.max(...at) + 3);
  const block = file.lines.slice(from, to);
  const rest = spliceFile(file, from, to - from, []);
  if (rest.lines.length < 10) return undefined;
  return spliceFile(rest, random.between(0, rest.lines.length - 1), 0, block);
}

/** The person copies the target with its neighbours to another place. */
function repeatTarget(
  file: FileText,
  intent: EditIntent,
  random: SeededRandom,
  newId: () => number,
): FileText | undefined {
  const targets = targetIds(intent);
  if (intent.changes.length > 1 || targets.size === 0) return undefined;
  const at = file.lines.flatMap(({ id }, index) => (targets.has(id) ? [index] : []));
  const from = Math.max(0, Math.min(...at) - 4);
  const to = Math.min(file.lines.length, Math.max(...at) + 5);
  const copy = file.lines.slice(from, to).map((line) => ({ ...line, id: newId() }));
  const place = random.chance(0.5) ? random.between(0, from) : random.between(to, file.lines.length);
  return spliceFile(file, place, 0, copy);
}

function removeTarget(file: FileText, targets: ReadonlySet<number>): FileText | undefined {
  const lines = file.lines.filter(({ id }) => !targets.has(id));
  if (lines.length === file.lines.length || lines.length === 0) return undefined;
  return spliceFile(file, 0, file.lines.length, lines);
}

function personLine(file: FileText, at: number, random: SeededRandom, newId: () => number): Line {
  const old = file.lines[at]?.text ?? "";
  const indent = /^[ \t]*/.exec(old)?.[0] ?? "";
  const end = file.lines[at]?.end || usualEnd(file);
  return { id: newId(), text: `${indent}the person wrote ${random.between(100_000, 999_999)}`, end };
}
