// Bytes to document and back, byte for byte.
//
//   format     the byte order mark, and the line end where the whole file uses one: LF, CRLF or CR
//   text       what is between, with the line ends of the format taken out
//
// A file that mixes line ends is an LF document whose other ends stay in the text as "\r": a line that ended in
// CRLF keeps a "\r" as its last character, and a lone CR stands where it stood. So line ends are part of the text,
// every change to them is an ordinary change, and its inverse brings them back. Where such a file has no line end behind its
// last line, a line that becomes the last one is written without the "\r" of its own, which comes back with the next line.
//
// Only UTF-8 without NUL is text. Anything else is refused, because it could not be written back as it was.

import { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";

export type LineEnd = "\n" | "\r\n" | "\r";

export interface Format {
  readonly byteOrderMark: boolean;
  readonly lineEnd: LineEnd;
  /** Whether a file that mixes line ends has none behind its last line. */
  readonly endsOpen?: true;
}

export interface Document {
  readonly text: Text;
  readonly format: Format;
}

export function isSameFormat(one: Format, other: Format): boolean {
  return (
    one.lineEnd === other.lineEnd &&
    one.byteOrderMark === other.byteOrderMark &&
    one.endsOpen === other.endsOpen
  );
}

export const plainFormat: Format = { byteOrderMark: false, lineEnd: "\n" };

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export function decodeDocument(bytes: Uint8Array): Document | Fault {
  if (isPdf(bytes)) return notText("It is a PDF", {});
  const nul = bytes.indexOf(0);
  if (nul >= 0) return notText(`It holds a NUL byte at offset ${nul}`, { offset: nul });
  let content: string;
  try {
    content = decoder.decode(bytes);
  } catch {
    return notText("It is not valid UTF-8", {});
  }
  const byteOrderMark = content.charCodeAt(0) === 0xfeff;
  if (byteOrderMark) content = content.slice(1);
  const lineEnd = uniformLineEnd(content);
  const text = Text.of(content.split(lineEnd));
  if (lineEnd === "\n") decoded.set(text, content);
  const isEnded = content.endsWith("\n") || content.endsWith("\r");
  const endsOpen = !isEnded && lineEnd === "\n" && content.includes("\r");
  return { text, format: { byteOrderMark, lineEnd, ...(endsOpen ? { endsOpen } : {}) } };
}

/** One without pictures may be plain ASCII, and one changed letter would shift all that it counts by bytes. */
function isPdf(bytes: Uint8Array): boolean {
  return [0x25, 0x50, 0x44, 0x46, 0x2d].every((byte, index) => bytes[index] === byte);
}

/** Texts as they were decoded. Their lines are parts of that string, so it is there for as long as they are. */
const decoded = new WeakMap<Text, string>();

/** All of a text, with LF between its lines; at once where it is still as it was decoded. */
export function contentOf(text: Text): string {
  return decoded.get(text) ?? text.toString();
}

function notText(reason: string, details: Record<string, unknown>): Fault {
  return new Fault(
    "unsupported_file_type",
    `${reason}, so it is not a text file that can be edited.`,
    "Leave the file as it is, or convert it to UTF-8 text with a program made for it.",
    details,
  );
}

/** The line end that every line of the content has, or LF where they differ. */
function uniformLineEnd(content: string): LineEnd {
  if (!content.includes("\r")) return "\n";
  if (!content.includes("\n")) return "\r";
  let position = -1;
  let returns = 0;
  for (;;) {
    position = content.indexOf("\n", position + 1);
    if (position < 0) break;
    if (content.charCodeAt(position - 1) !== 13) return "\n";
    returns += 1;
  }
  for (position = content.indexOf("\r"); position >= 0; position = content.indexOf("\r", position + 1))
    returns -= 1;
  return returns === 0 ? "\r\n" : "\n";
}

export function encodeDocument(document: Document): Uint8Array | Fault {
  const { byteOrderMark, lineEnd, endsOpen } = document.format;
  const { length } = document.text;
  const isHalf = endsOpen && document.text.sliceString(length - 1) === "\r";
  const content = document.text.sliceString(0, isHalf ? length - 1 : length, lineEnd);
  if (!content.isWellFormed()) {
    return notText("It holds half of a surrogate pair, which UTF-8 cannot express", {});
  }
  return encoder.encode(byteOrderMark ? `\ufeff${content}` : content);
}

/** Whether some content may become part of a document: what could not be written and read back is refused. */
export function checkContent(content: string): Fault | undefined {
  if (content.includes("\0")) return notWritable("a NUL character");
  if (!content.isWellFormed()) return notWritable("half of a surrogate pair");
  return undefined;
}

function notWritable(what: string): Fault {
  return new Fault(
    "invalid_arguments",
    `The new content holds ${what}, which a text file cannot have.`,
    "Leave that character out, or write it as an escape where the file's language has one.",
  );
}
