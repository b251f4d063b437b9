// What a terminal says by itself or when it is asked. None of it is a key: every sequence that is shaped like one of these is
// kept away from the keys, also when nobody asked, or when the answer comes late.

export interface Colour {
  /** Each from 0 to 1. */
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

export type Report =
  /** DA1: what the terminal is. Every terminal answers it, so it ends the wait for the ones that may not be answered. */
  | { readonly kind: "attributes"; readonly attributes: readonly number[] }
  | { readonly kind: "keyboard"; readonly flags: number }
  | { readonly kind: "mode"; readonly mode: number; readonly isKnown: boolean; readonly isSet: boolean }
  | { readonly kind: "background"; readonly colour: Colour }
  | { readonly kind: "appearance"; readonly appearance: "dark" | "light" }
  | { readonly kind: "notifications" }
  | { readonly kind: "graphics"; readonly isOk: boolean }
  | { readonly kind: "cellSize"; readonly width: number; readonly height: number }
  | {
      readonly kind: "resize";
      readonly columns: number;
      readonly rows: number;
      readonly cellSize: CellSize | undefined;
    }
  | { readonly kind: "focus"; readonly isFocused: boolean }
  /** An answer to something else, or to nothing. */
  | { readonly kind: "other" };

export interface CellSize {
  readonly width: number;
  readonly height: number;
}

/** Undefined where the sequence is no report, but a key. */
export function parseReport(sequence: string): Report | undefined {
  if (sequence.startsWith("\u001b[")) return controlReport(sequence.slice(2));
  if (sequence.length <= 2) return undefined;
  if (sequence.startsWith("\u001b]")) return operatingReport(contentOf(sequence));
  if (sequence.startsWith("\u001b_G")) return graphicsReport(contentOf(sequence));
  return "P_^X".includes(sequence.charAt(1)) ? { kind: "other" } : undefined;
}

function contentOf(sequence: string): string {
  return sequence.slice(2, sequence.endsWith("\u0007") ? -1 : -2);
}

function controlReport(body: string): Report | undefined {
  if (body === "I" || body === "O") return { kind: "focus", isFocused: body === "I" };
  const final = body.at(-1) ?? "";
  const isPrivate = body.startsWith("?");
  const values = body
    .slice(isPrivate ? 1 : 0, -1)
    .split(";")
    .map((value) => Number.parseInt(value, 10));
  if (isPrivate) return privateReport(body, final, values);
  if (final === "t") return windowReport(values);
  // Secondary attributes, the terminal's name, the cursor's position, the terminal's state, a mode that is not private. `R` with
  // one parameter of 1 is F3.
  const isPosition = final === "R" && body.includes(";") && values[0] !== 1;
  if (/^[>=<]/.test(body) || final === "n" || final === "c" || final === "y" || isPosition)
    return { kind: "other" };
  return undefined;
}

function privateReport(body: string, final: string, values: readonly number[]): Report {
  const [first = Number.NaN, second = Number.NaN] = values;
  if (final === "c")
    return { kind: "attributes", attributes: values.filter((value) => !Number.isNaN(value)) };
  if (final === "u" && !Number.isNaN(first)) return { kind: "keyboard", flags: first };
  if (body.endsWith("$y")) {
    return {
      kind: "mode",
      mode: first,
      isKnown: second >= 1 && second <= 3,
      isSet: second === 1 || second === 3,
    };
  }
  if (final === "n" && first === 997 && (second === 1 || second === 2)) {
    return { kind: "appearance", appearance: second === 1 ? "dark" : "light" };
  }
  return { kind: "other" };
}

function windowReport([first, ...values]: readonly number[]): Report {
  const [height = 0, width = 0] = values;
  if (first === 6 && height > 0 && width > 0) return { kind: "cellSize", width, height };
  if (first === 48) {
    const [rows = 0, columns = 0, pixelHeight = 0, pixelWidth = 0] = values;
    if (!(rows > 0 && columns > 0)) return { kind: "other" };
    const cell = { width: Math.floor(pixelWidth / columns), height: Math.floor(pixelHeight / rows) };
    const cellSize = cell.width > 0 && cell.height > 0 ? cell : undefined;
    return { kind: "resize", columns, rows, cellSize };
  }
  return { kind: "other" };
}

function operatingReport(content: string): Report {
  if (content.startsWith("11;")) {
    const colour = parseColour(content.slice(3));
    if (colour !== undefined) return { kind: "background", colour };
  }
  if (content.startsWith("99;") && content.includes("p=?")) return { kind: "notifications" };
  return { kind: "other" };
}

/** X11's colour forms: `rgb:rr/gg/bb` with one to four digits each (`rgba:` with a fourth part), or `#rrggbb`. */
export function parseColour(text: string): Colour | undefined {
  const parts = /^rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})(?:\/[0-9a-f]{1,4})?$/i.exec(text);
  const short = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  const [, red, green, blue] = parts ?? short ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return { red: portion(red), green: portion(green), blue: portion(blue) };
}

function portion(digits: string): number {
  return Number.parseInt(digits, 16) / (16 ** digits.length - 1);
}

/** Relative luminance as WCAG defines it, from 0 to 1. */
export function luminance({ red, green, blue }: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function graphicsReport(content: string): Report {
  return { kind: "graphics", isOk: content.endsWith(";OK") };
}
