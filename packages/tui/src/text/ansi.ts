// Escape sequences inside rows: where one ends, how text reads without them, and which style and hyperlink they leave open.
//
// A sequence is CSI (`ESC [` … final byte), a string (OSC, DCS, APC, PM, SOS; ended by BEL or ST) or ESC with one final byte.
// A string that has no end is not one: its ESC is a control byte, and what follows it is text. A new ESC ends the search, so
// looking for the end of every sequence of a text reads each of its characters once.

const escapeCode = 0x1b;
const bellCode = 0x07;

/** The index after the escape sequence that begins at `start`, where an ESC is. */
export function sequenceEnd(text: string, start: number): number {
  const kind = text.charCodeAt(start + 1);
  if (kind === 0x5b) return controlSequenceEnd(text, start);
  if (kind === 0x5d || kind === 0x50 || kind === 0x5f || kind === 0x5e || kind === 0x58) {
    return stringEnd(text, start);
  }
  let at = start + 1;
  while (isBetween(text.charCodeAt(at), 0x20, 0x2f)) at++;
  return isBetween(text.charCodeAt(at), 0x30, 0x7e) ? at + 1 : start + 1;
}

function controlSequenceEnd(text: string, start: number): number {
  let at = start + 2;
  while (isBetween(text.charCodeAt(at), 0x20, 0x3f)) at++;
  return isBetween(text.charCodeAt(at), 0x40, 0x7e) ? at + 1 : start + 1;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 2; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === bellCode) return at + 1;
    if (code === escapeCode) return text.charCodeAt(at + 1) === 0x5c ? at + 2 : start + 1;
  }
  return start + 1;
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}

/** The text without escape sequences. Sized text (OSC 66) leaves its text. */
export function stripAnsi(text: string): string {
  let at = text.indexOf("\u001b");
  if (at === -1) return text;
  const parts: string[] = [];
  let from = 0;
  while (at !== -1) {
    parts.push(text.slice(from, at));
    from = sequenceEnd(text, at);
    const sized = sizedText(text, at, from);
    if (sized !== undefined) parts.push(sized.text);
    at = text.indexOf("\u001b", from);
  }
  parts.push(text.slice(from));
  return parts.join("");
}

export interface SizedText {
  /** How many rows and columns a cell becomes. */
  readonly scale: number;
  /** The cells of the whole text before it is scaled; 0 where each character has its own width. */
  readonly width: number;
  readonly text: string;
}

/** Text of another size (OSC 66), if the sequence from `start` to `end` is that. */
export function sizedText(text: string, start: number, end: number): SizedText | undefined {
  if (!text.startsWith("\u001b]66;", start)) return undefined;
  const last = text.charCodeAt(end - 1) === bellCode ? end - 1 : end - 2;
  const separator = text.indexOf(";", start + 5);
  if (separator === -1 || separator > last) return undefined;
  let scale = 1;
  let width = 0;
  for (const entry of text.slice(start + 5, separator).split(":")) {
    const value = Number.parseInt(entry.slice(2), 10);
    if (entry.startsWith("s=") && value >= 1 && value <= 7) scale = value;
    if (entry.startsWith("w=") && value >= 0 && value <= 7) width = value;
  }
  return { scale, width, text: text.slice(separator + 1, last) };
}
