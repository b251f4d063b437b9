// Cases: a real file, an edit that someone means, what they saw of the file, what happened since, and how carefully they
// write. The right outcome is known from how a case is made. The same seed gives the same cases.

import { type Drift, type DriftKind, driftFor, driftKinds, targetIds } from "./drifts.ts";
import { type FileText, parseFile } from "./file-text.ts";
import { carryOut, type EditIntent, type IntentKind, intentFor, intentKinds } from "./intents.ts";
import { SeededRandom } from "./random.ts";
import type { SampleSource } from "./sources.ts";

export const viewKinds = ["all", "window", "older"] as const;

export type ViewKind = (typeof viewKinds)[number];

export const slips = [
  "none",
  "trailing space",
  "indentation",
  "off by one",
  "quotes",
  "context missing",
  "abbreviated",
] as const;

/** What a writer gets wrong. */
export type Slip = (typeof slips)[number];

/** What a case is made from, beside its file. */
export interface MadeFrom {
  readonly seed: number;
  readonly index: number;
  /** How often no case could be made before. */
  readonly attempt: number;
}

export interface Case extends MadeFrom {
  readonly source: SampleSource;
  /** Which line ends and marks were made of the real file's. */
  readonly variant: Variant;
  /** The file as the model saw it. */
  readonly seen: FileText;
  readonly view: {
    readonly kind: ViewKind;
    /** Lines that were shown, 0-based, both ends included, in order. */
    readonly shown: readonly (readonly [from: number, to: number])[];
  };
  readonly intent: EditIntent;
  readonly drift: Drift;
  readonly slip: Slip;
  /** The file when the edit is made. */
  readonly now: FileText;
  readonly expected: Expected;
}

export type Expected =
  /** The edit still makes sense: this is the file after it. */
  | { readonly kind: "applied"; readonly file: FileText }
  /** Someone changed the very lines: it has to be refused. */
  | { readonly kind: "refused" }
  /** Either is right: nobody could know which of two places is meant, or the lines are elsewhere now. */
  | { readonly kind: "either"; readonly file: FileText };

export type Variant = "as it is" | "CRLF" | "byte order mark" | "mixed ends" | "no last newline";

const variants: readonly (readonly [Variant, number])[] = [
  ["as it is", 60],
  ["CRLF", 14],
  ["byte order mark", 9],
  ["mixed ends", 9],
  ["no last newline", 8],
];

const driftWeights: Readonly<Record<DriftKind, number>> = {
  nothing: 20,
  elsewhere: 16,
  "close by": 14,
  inside: 10,
  "another agent": 8,
  formatter: 6,
  disk: 8,
  "lines move": 5,
  twice: 8,
  gone: 5,
};

/** The case of a seed and an index, whatever was asked for before. */
export function caseAt(sources: readonly SampleSource[], seed: number, index: number): Case {
  for (let attempt = 0; ; attempt += 1) {
    const random = randomFor(seed, index, attempt);
    const made = tryCase(random.pick(sources), { seed, index, attempt }, random);
    if (made !== undefined) return made;
  }
}

/** The same case again, whichever other files there are; undefined where the file has changed so that it is none. */
export function caseAgain(source: SampleSource, made: MadeFrom): Case | undefined {
  const random = randomFor(made.seed, made.index, made.attempt);
  random.next();
  return tryCase(source, made, random);
}

function randomFor(seed: number, index: number, attempt: number): SeededRandom {
  return new SeededRandom(farApart(seed)).fork(`${index}/${attempt}`);
}

/** Seeds that differ by little would give each other's cases under other numbers. */
function farApart(seed: number): number {
  return 1 + Math.imul(seed - 1, 0x9e3779b1);
}

function tryCase(source: SampleSource, made: MadeFrom, random: SeededRandom): Case | undefined {
  const variant = random.fork("variant").weighted(variants);
  const seen = variantOf(parseFile(source.content), variant, random.fork("ends"));
  let lastId = seen.lines.length;
  const newId = () => {
    lastId += 1;
    return lastId;
  };
  const intent = intentFor(random.pick<IntentKind>(intentKinds), seen, random.fork("intent"));
  if (intent === undefined) return undefined;
  const kind = random.weighted(driftKinds.map((name) => [name, driftWeights[name]] as const));
  const drift = driftFor(kind, seen, intent, random.fork("drift"), newId);
  if (drift === undefined) return undefined;
  const now = drift.steps.at(-1) ?? seen;
  const expected = expectedOf(intent, seen, now, drift, newId);
  const slip = random.chance(0.5) ? "none" : random.pick(slips);
  const view = viewOf(random.pick(viewKinds), seen, intent, drift, random.fork("view"));
  return { ...made, source, variant, seen, view, intent, drift, slip, now, expected };
}

function variantOf(file: FileText, variant: Variant, random: SeededRandom): FileText {
  const last = file.lines.length - 1;
  switch (variant) {
    case "as it is":
      return file;
    case "CRLF":
      return {
        ...file,
        lines: file.lines.map((line) => (line.end === "" ? line : { ...line, end: "\r\n" })),
      };
    case "byte order mark":
      return { ...file, hasMark: true };
    case "mixed ends": {
      const ends = ["\n", "\n", "\r\n"];
      return {
        ...file,
        lines: file.lines.map((line) => (line.end === "" ? line : { ...line, end: random.pick(ends) })),
      };
    }
    case "no last newline":
      return file.lines[last]?.text === ""
        ? file
        : { ...file, lines: file.lines.map((line, at) => (at === last ? { ...line, end: "" } : line)) };
  }
}

function expectedOf(
  intent: EditIntent,
  seen: FileText,
  now: FileText,
  { kind }: Drift,
  newId: () => number,
): Expected {
  const file = carryOut(intent, seen, now, newId);
  if (file === undefined) return { kind: "refused" };
  return { kind: kind === "twice" || kind === "lines move" ? "either" : "applied", file };
}

function viewOf(
  kind: ViewKind,
  seen: FileText,
  intent: EditIntent,
  drift: Drift,
  random: SeededRandom,
): Case["view"] {
  const last = seen.lines.length - 1;
  // Someone who saw an older revision saw all of it; there has to be something that happened since.
  if (kind === "all" || (kind === "older" && drift.steps.length > 0)) return { kind, shown: [[0, last]] };
  const around = random.between(3, 30);
  const targets = targetIds(intent);
  const at = seen.lines.flatMap(({ id }, index) => (targets.has(id) ? [index] : []));
  if (at.length === 0) at.push(0);
  const shown: [number, number][] = [];
  for (const index of at) {
    const from = Math.max(0, index - around);
    const to = Math.min(last, index + around);
    const before = shown.at(-1);
    if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to);
    else shown.push([from, to]);
  }
  return { kind: "window", shown };
}

/** What the person, another agent or the disk wrote, and may never be lost. */
export function driftedLines({ seen, now }: Pick<Case, "seen" | "now">): string[] {
  const known = new Set(seen.lines.map(({ id }) => id));
  return now.lines.filter(({ id }) => !known.has(id)).map(({ text }) => text);
}

export function describeCase(one: Case): string {
  return (
    `seed ${one.seed}, case ${one.index}: ${one.intent.kind} in ${one.source.name} (${one.variant}), ` +
    `seen ${one.view.kind}, ${one.drift.kind}, slip ${one.slip}, expected ${one.expected.kind}`
  );
}
