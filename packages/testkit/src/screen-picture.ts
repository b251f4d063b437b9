// The screen of a terminal emulator as an SVG: text stays text, in runs of cells that look alike. Each run is as wide as its
// cells, whatever font the reader has, so that lines and columns meet.

import type { IBufferCell, Terminal } from "@xterm/headless";

export interface PictureColours {
  readonly text: string;
  readonly background: string;
  readonly frame: string;
  /** The first 16 of the 256. */
  readonly palette: readonly string[];
}

interface Look {
  readonly text: string;
  readonly background: string | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isStruck: boolean;
}

interface Run {
  readonly look: Look;
  readonly column: number;
  text: string;
  cells: number;
}

const cell = { width: 8.4, height: 18 };
const padding = 14;
const fonts = "ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace";

export function screenPicture(terminal: Terminal, title: string, colours: PictureColours): string {
  const rows = rowsOf(terminal, colours);
  const [width, height] = [terminal.cols * cell.width + 2 * padding, rows.length * cell.height + 2 * padding];
  const styles = new Styles(colours);
  const shapes = rows.flatMap((runs, row) => [
    ...runs.flatMap((run) => backgroundOf(run, row)),
    ...textOf(runs, row, styles),
  ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" role="img" aria-label="${escaped(title)}">`,
    `<style>text{font:14px ${fonts};white-space:pre;fill:${colours.text}}${styles.css}</style>`,
    `<rect x=".5" y=".5" width="${round(width - 1)}" height="${round(height - 1)}" rx="8" fill="${colours.background}" stroke="${colours.frame}"/>`,
    ...shapes,
    "</svg>",
    "",
  ].join("\n");
}

/** Rows up to the last that shows something. */
function rowsOf(terminal: Terminal, colours: PictureColours): Run[][] {
  const { active } = terminal.buffer;
  const rows: Run[][] = [];
  const spare = active.getNullCell();
  for (let row = 0; row < terminal.rows; row += 1) {
    const line = active.getLine(active.baseY + row);
    const runs: Run[] = [];
    for (let column = 0; column < terminal.cols; column += 1) {
      const found = line?.getCell(column, spare);
      if (found === undefined || found.getWidth() === 0) continue;
      addCell(runs, column, found, lookOf(found, colours));
    }
    rows.push(runs.map(trimmed).filter(({ cells }) => cells > 0));
  }
  while (rows.at(-1)?.length === 0) rows.pop();
  return rows;
}

function addCell(runs: Run[], column: number, found: IBufferCell, look: Look): void {
  const [text, width] = [found.getChars() || " ", found.getWidth()];
  const last = runs.at(-1);
  // Signs of another width than the font's stand alone, so that they move nothing beside them.
  const isPlain = width === 1 && /^[ -~\u00a0-\u024f]$/.test(text);
  const isJoined =
    last !== undefined && isSame(last.look, look) && isPlain === /^[ -~\u00a0-\u024f]*$/.test(last.text);
  const isLine = /^[─│━]$/.test(text);
  if (isJoined && (isPlain || (isLine && last.text.endsWith(text)))) {
    last.text += text;
    last.cells += width;
  } else runs.push({ look, column, text, cells: width });
}

/** Blanks at the end of a run that has no background show nothing. */
function trimmed(run: Run): Run {
  if (run.look.background !== undefined || run.look.isUnderlined) return run;
  const text = run.text.trimEnd();
  return text === ""
    ? { ...run, text, cells: 0 }
    : { ...run, text, cells: run.cells - (run.text.length - text.length) };
}

function isSame(one: Look, other: Look): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function lookOf(found: IBufferCell, colours: PictureColours): Look {
  const text = colourOf(found.getFgColor(), found.isFgRGB(), found.isFgPalette(), colours) ?? colours.text;
  const behind = colourOf(found.getBgColor(), found.isBgRGB(), found.isBgPalette(), colours);
  const isInverse = found.isInverse() !== 0;
  return {
    text: isInverse ? (behind ?? colours.background) : text,
    background: isInverse ? text : behind,
    isBold: found.isBold() !== 0,
    isDim: found.isDim() !== 0,
    isItalic: found.isItalic() !== 0,
    isUnderlined: found.isUnderline() !== 0,
    isStruck: found.isStrikethrough() !== 0,
  };
}

function colourOf(
  value: number,
  isRgb: boolean,
  isIndex: boolean,
  { palette }: PictureColours,
): string | undefined {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
  if (!isIndex) return undefined;
  const known = palette[value];
  if (known !== undefined) return known;
  const part = (level: number) => (level === 0 ? 0 : 55 + level * 40).toString(16).padStart(2, "0");
  if (value >= 232) return `#${(8 + (value - 232) * 10).toString(16).padStart(2, "0").repeat(3)}`;
  const at = value - 16;
  return `#${part(Math.floor(at / 36))}${part(Math.floor(at / 6) % 6)}${part(at % 6)}`;
}

function backgroundOf({ look, column, cells }: Run, row: number): string[] {
  if (look.background === undefined) return [];
  const at = `x="${across(column)}" y="${round(padding + row * cell.height)}"`;
  return [
    `<rect ${at} width="${round(cells * cell.width)}" height="${cell.height}" fill="${look.background}"/>`,
  ];
}

function textOf(runs: readonly Run[], row: number, styles: Styles): string[] {
  const parts = runs
    .filter(({ text }) => text.trim() !== "")
    .map(({ look, column, text, cells }) => {
      const lead = text.length - text.trimStart().length;
      const shown = text.trim();
      const room = cells - lead - (text.length - text.trimEnd().length);
      const length = ` textLength="${round(room * cell.width)}" lengthAdjust="spacingAndGlyphs"`;
      return `<tspan x="${across(column + lead)}"${length}${styles.classOf(look)}>${escaped(shown)}</tspan>`;
    });
  if (parts.length === 0) return [];
  return [`<text y="${round(padding + row * cell.height + 13)}">${parts.join("")}</text>`];
}

/** A class for each look that occurs, so that colours are written once. */
class Styles {
  readonly #names = new Map<string, string>();
  readonly #plain: string;

  constructor({ text }: PictureColours) {
    this.#plain = `fill:${text}`;
  }

  classOf(look: Look): string {
    const lines = [look.isUnderlined ? "underline" : "", look.isStruck ? "line-through" : ""]
      .join(" ")
      .trim();
    const rules = [
      `fill:${look.text}`,
      look.isBold ? "font-weight:700" : "",
      look.isItalic ? "font-style:italic" : "",
      look.isDim ? "opacity:.6" : "",
      lines === "" ? "" : `text-decoration:${lines}`,
    ];
    const style = rules.filter((rule) => rule !== "").join(";");
    if (style === this.#plain) return "";
    const name = this.#names.get(style) ?? `c${this.#names.size}`;
    this.#names.set(style, name);
    return ` class="${name}"`;
  }

  get css(): string {
    return [...this.#names].map(([style, name]) => `.${name}{${style}}`).join("");
  }
}

function across(column: number): string {
  return round(padding + column * cell.width);
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
}
