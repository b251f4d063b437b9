// Why an edit has no place in a document, as data, and what a model is told of it in toolset code: what is wrong, the lines to
// look at as they are now, and what to do. It can write the edit again from that alone, so these lines count as shown.

import { cutText } from "@stet/protocol/cut-text";
import { Fault, type FaultCode } from "@stet/protocol/fault";
import * as z from "zod";
import type { Display } from "../code/display.ts";
import type { SeenDocument, Sight } from "../sight/sight.ts";
import { excerptOf, printed } from "./excerpt.ts";
import type { LineRange } from "./followed-edits.ts";

export interface Miss {
  readonly code: FaultCode;
  /** What is wrong, in the words of the format. */
  readonly what: string;
  /** What to do. */
  readonly suggestion: string;
  /** Counted lines of the newest text to look at; the first of each is marked with an asterisk. */
  readonly places?: readonly LineRange[];
  /** Said behind the lines. */
  readonly note?: string | undefined;
  readonly facts?: Readonly<Record<string, unknown>>;
}

const makers = { agent: "another edit", user: "the person", disk: "a change on disk" } as const;

const conflict = z.object({
  lines: z.object({ start: z.number(), end: z.number() }),
  changed_in: z.object({
    revision: z.number(),
    origin: z.enum(["agent", "user", "disk"]),
    turn: z.string().nullable(),
  }),
  current_version: z.string(),
  current_line: z.number(),
});

/** Lines that cannot be followed to the newest text: the conflict of @stet/text in which that ended. */
export function changedSince(path: string, fault: Fault): Miss {
  const { error: code, message, suggestion, details } = fault;
  const parsed = conflict.safeParse(details);
  if (!parsed.success) return { code, what: message, suggestion, facts: details };
  const { lines, changed_in, current_version, current_line } = parsed.data;
  const which =
    lines.start === lines.end
      ? `Line ${lines.start} has changed since it was shown`
      : `Lines ${lines.start}-${lines.end} have changed since they were shown`;
  return {
    code,
    what: `${path}: ${which}, by ${makers[changed_in.origin]}.`,
    suggestion: "Repeat the edit for the lines as they are now, if it is still what you mean.",
    places: [{ from: current_line, to: current_line }],
    facts: { lines, changed_in, current_version },
  };
}

/** Makes a refusal of a miss in one file. */
export type Refuse = (miss: Miss) => Fault;

/** So many places are shown, and so many lines of each. */
const maxPlaces = 5;
const maxLines = 30;

/** Without a sight the lines do not count as shown. */
export function refusalOf(
  { sight, display }: { readonly sight: Sight | undefined; readonly display: Display },
  file: SeenDocument,
): Refuse {
  return ({ code, what, suggestion, places = [], note, facts = {} }) => {
    const shown = places
      .slice(0, maxPlaces)
      .map(({ from, to }) => ({ from, to: Math.min(to, from + maxLines - 1) }));
    const rows = excerptOf(sight, file, shown);
    const marked = new Set(shown.map(({ from }) => from));
    const lines = printed(file, rows, { marked, isAnchored: display === "anchors" });
    const message = [`${what} Nothing was changed.`, ...lines, ...(note === undefined ? [] : [note])];
    return new Fault(code, message.join("\n"), suggestion, { path: file.path, ...facts });
  };
}

/** Whether something has no place. */
export function isMiss<Found extends object>(found: Found | Miss): found is Miss {
  return "what" in found;
}

/** A text of a refusal's sentence, in quotes and of a bearable length. */
export function quoted(text: string): string {
  return JSON.stringify(cutText(text, 120));
}
