// Whether the palette is open, and with what it starts.
//
//   >  commands     @  headings of the document in front     :  a line of it     anything else: files

import { type Accessor, createSignal } from "solid-js";
import { keep, keptTexts } from "../workspace/browser-storage.ts";

export type PaletteMode = "files" | "commands" | "headings" | "line";

const [start, setStart] = createSignal<string | undefined>();

/** What its field holds at first; undefined where it is closed. */
export const paletteStart: Accessor<string | undefined> = start;

/** The same keys again close it. */
export function openPalette(text: string): void {
  setStart(start() === text ? undefined : text);
}

export function closePalette(): void {
  setStart(undefined);
}

export function readQuery(text: string): { readonly mode: PaletteMode; readonly query: string } {
  const modes: Readonly<Record<string, PaletteMode>> = { ">": "commands", "@": "headings", ":": "line" };
  const mode = modes[text[0] ?? ""];
  return mode === undefined ? { mode: "files", query: text } : { mode, query: text.slice(1).trimStart() };
}

/** The line that ":12" means, within the document. */
export function lineOf(query: string, lines: number): number | undefined {
  const wanted = /^\d+/.exec(query.trim())?.[0];
  return wanted === undefined ? undefined : Math.max(1, Math.min(Number(wanted), lines));
}

const key = "stet.recentCommands";
const maxRecent = 12;

/** Ids of commands that were used from the palette, the latest first. */
export function recentCommands(): string[] {
  return keptTexts("localStorage", key) ?? [];
}

export function rememberCommand(id: string): void {
  const others = recentCommands().filter((known) => known !== id);
  keep("localStorage", key, [id, ...others].slice(0, maxRecent));
}

/** What was used last comes first, the rest as it is. */
export function recentFirst<T>(
  list: readonly T[],
  idOf: (item: T) => string,
  recent: readonly string[],
): T[] {
  const places = new Map(recent.map((id, index) => [id, index]));
  const place = (item: T) => places.get(idOf(item)) ?? recent.length;
  return [...list].sort((one, other) => place(one) - place(other));
}
