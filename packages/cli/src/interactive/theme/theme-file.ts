// A theme as it is written, in JSON:
//
//   { "name": "dusk",
//     "vars": { "red": "#cc3344", "alarm": "red" },
//     "colors": { "accent": "alarm", "dim": 244, "text": "", … every token … },
//     "export": { "pageBg": "#101010" },
//     "symbols": { "preset": "ascii", "overrides": { "success": "+" } } }
//
// A colour is `#RRGGBB`, an index from 0 to 255, the name of a variable, or `""`, the terminal's own. A variable may name
// another one. What is wrong is told with its path; colours that are missing are told together. Checked by hand and not by
// a schema library, because a theme is needed before the first paint.

import { visible, visibleName } from "@stet/protocol/visible";
import type { Colour } from "./colours.ts";
import { isSymbolName, type SymbolPreset, symbolPresets } from "./symbols.ts";
import { type ColourToken, colourTokens, type SymbolName } from "./theme.ts";

export interface ThemeData {
  readonly name: string;
  readonly colours: Readonly<Record<ColourToken, Colour>>;
  readonly export: ExportColours;
  readonly preset: SymbolPreset | undefined;
  readonly overrides: Readonly<Partial<Record<SymbolName, string>>>;
  /** Overrides of signs that there are not. */
  readonly unknownSymbols: readonly string[];
}

/** Backgrounds of an exported page. */
export interface ExportColours {
  readonly pageBg?: Colour;
  readonly cardBg?: Colour;
  readonly infoBg?: Colour;
}

const exportNames = ["pageBg", "cardBg", "infoBg"] as const;

/** Why a theme cannot be used, as a part of a sentence: "3 colours are missing: …". */
export class ThemeProblem {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

type Fields = Readonly<Record<string, unknown>>;

export function readTheme(content: unknown): ThemeData | ThemeProblem {
  if (!isFields(content)) return new ThemeProblem("it is not a JSON object");
  const problems: string[] = [];
  const fieldsAt = (name: string): Fields => {
    const value = content[name];
    if (value === undefined) return {};
    if (isFields(value)) return value;
    problems.push(`${name} must be an object`);
    return {};
  };
  if (typeof content.name !== "string" || content.name.trim() === "")
    problems.push("name must be a text that is not empty");
  if (content.colors === undefined) problems.push("colors is missing");
  const [colours, exported, symbols] = [fieldsAt("colors"), fieldsAt("export"), fieldsAt("symbols")];
  const variables = new Variables(fieldsAt("vars"));
  problems.push(...variables.problems());
  const resolved = (path: string, fields: Fields, name: string): Colour => {
    const value = variables.resolve(`${path}.${name}`, fields[name]);
    if (!(value instanceof ThemeProblem)) return value;
    problems.push(value.reason);
    return "";
  };
  const missing = colourTokens.filter((token) => !Object.hasOwn(colours, token));
  if (content.colors !== undefined && missing.length > 0) problems.push(missingText(missing));
  const found = colourTokens.map((token): [ColourToken, Colour] => [
    token,
    missing.includes(token) ? "" : resolved("colors", colours, token),
  ]);
  const pages = exportNames
    .filter((name) => Object.hasOwn(exported, name))
    .map((name) => [name, resolved("export", exported, name)]);
  const preset = symbolPresets.find((known) => known === symbols.preset);
  if (symbols.preset !== undefined && preset === undefined)
    problems.push(`symbols.preset must be one of ${symbolPresets.join(", ")}`);
  const { overrides, unknownSymbols } = overridesOf(symbols.overrides, problems);
  if (problems.length > 0) return new ThemeProblem(listed(problems));
  return {
    name: String(content.name),
    // Every token is in the list that this is made from.
    colours: Object.fromEntries(found) as Record<ColourToken, Colour>,
    export: Object.fromEntries(pages),
    preset,
    overrides,
    unknownSymbols,
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Who misses more has not begun yet: the names would fill the screen. */
const mostMissing = 20;

function missingText(tokens: readonly string[]): string {
  const count = tokens.length === 1 ? "a colour is missing" : `${tokens.length} colours are missing`;
  const rest = tokens.length - mostMissing;
  const names = tokens.slice(0, mostMissing).join(", ");
  return `${count} in colors: ${names}${rest > 0 ? `, and ${rest} more` : ""}`;
}

const mostProblems = 8;

function listed(problems: readonly string[]): string {
  const rest = problems.length - mostProblems;
  return `${problems.slice(0, mostProblems).join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
}

/** A sign is short, and none of it steers the terminal. */
const mostSymbolLength = 32;

function overridesOf(value: unknown, problems: string[]) {
  const overrides: Partial<Record<SymbolName, string>> = {};
  const unknownSymbols: string[] = [];
  if (value !== undefined && !isFields(value)) problems.push("symbols.overrides must be an object");
  for (const [name, sign] of Object.entries(isFields(value) ? value : {})) {
    if (!isSymbolName(name)) unknownSymbols.push(name);
    else if (typeof sign !== "string" || sign === "" || sign.length > mostSymbolLength)
      problems.push(`symbols.overrides.${name} must be a text of 1 to ${mostSymbolLength} characters`);
    else if (visible(sign, "reading") !== sign || /[\n\t]/.test(sign))
      problems.push(`symbols.overrides.${name} holds characters that cannot be seen`);
    else overrides[name] = sign;
  }
  return { overrides, unknownSymbols };
}

const hex = /^#[0-9a-f]{6}$/i;

class Variables {
  readonly #fields: Fields;
  readonly #known = new Map<string, Colour | ThemeProblem>();

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  problems(): string[] {
    const found = new Set<string>();
    for (const name of Object.keys(this.#fields)) {
      const value = this.#valueOf(name);
      if (value instanceof ThemeProblem) found.add(value.reason);
    }
    return [...found];
  }

  resolve(path: string, value: unknown): Colour | ThemeProblem {
    const colour = plainColour(value);
    if (colour !== undefined) return colour;
    if (typeof value !== "string" || value.startsWith("#")) return wrongValue(path, value);
    if (Object.hasOwn(this.#fields, value)) {
      const found = this.#valueOf(value);
      // Told once, where the variable is.
      return found instanceof ThemeProblem ? "" : found;
    }
    return noVariable(path, value);
  }

  /** Follows names until a colour, which is then known of all names on the way: each is followed once, however many there are. */
  #valueOf(name: string): Colour | ThemeProblem {
    const way = new Set<string>();
    let at = name;
    let found = this.#known.get(at);
    while (found === undefined) {
      way.add(at);
      const path = `vars.${visibleName(at)}`;
      const value = this.#fields[at];
      found = plainColour(value);
      if (found !== undefined) break;
      if (typeof value !== "string" || value.startsWith("#")) found = wrongValue(path, value);
      else if (!Object.hasOwn(this.#fields, value)) found = noVariable(path, value);
      else if (way.has(value)) found = circle([...way], value);
      else {
        at = value;
        found = this.#known.get(at);
      }
    }
    for (const passed of way) this.#known.set(passed, found);
    return found;
  }
}

function plainColour(value: unknown): Colour | undefined {
  if (typeof value === "number")
    return Number.isInteger(value) && value >= 0 && value <= 255 ? value : undefined;
  if (typeof value !== "string") return undefined;
  if (value === "") return "";
  return hex.test(value) ? value.toLowerCase() : undefined;
}

function wrongValue(path: string, value: unknown): ThemeProblem {
  const written = visibleName(JSON.stringify(value) ?? "nothing");
  const short = written.length > 40 ? `${written.slice(0, 40)}…` : written;
  return new ThemeProblem(
    `${path} is ${short}, but must be "#RRGGBB", a number from 0 to 255, the name of a variable, or ""`,
  );
}

function noVariable(path: string, name: string): ThemeProblem {
  const shown = visibleName(name.length > 40 ? `${name.slice(0, 40)}…` : name);
  return new ThemeProblem(`${path} names the variable "${shown}", which vars does not have`);
}

function circle(way: readonly string[], back: string): ThemeProblem {
  const round = [...way.slice(way.indexOf(back)), back].map(visibleName);
  const shown = round.length > 8 ? [...round.slice(0, 7), "…", back] : round;
  return new ThemeProblem(`the variables lead in a circle: ${shown.join(" → ")}`);
}
