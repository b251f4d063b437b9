// Text files that are too large to be documents: lines are found by counting line breaks, and only one page of them is
// ever in memory. They are shown with numbers, since nothing can be edited by anchors there.
//
// Two buffers take turns: while one is counted, the other is filled. Counting takes four bytes at a time: a byte of
// `word ^ 0x0a0a0a0a` is zero exactly where a line break is, and each zero byte adds one to its own lane of a sum.

import { closeSync, read } from "node:fs";
import { promisify } from "node:util";
import { aborted } from "@stet/agent/call-tool";
import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { systemFault } from "@stet/protocol/system-fault";
import { withoutReturn } from "@stet/text/lines";
import type { Location } from "@stet/workspace/files/containment";
import { openRegular } from "@stet/workspace/files/files";
import type { CodeContext } from "../code-context.ts";
import {
  behindEnd,
  maxPageBytes,
  type Page,
  PageBuilder,
  type PageRequest,
  pageNotes,
  pageSpan,
} from "./page.ts";
import { seemsToBe } from "./seems.ts";
import { sizeName } from "./size-name.ts";

/** Files over this are streamed. */
export const hugeFileBytes = 8 * 1024 ** 2;

const bufferBytes = 1024 ** 2;
const readDescriptor = promisify(read);
const lineBreak = 10;

export async function readHuge(
  { workspace }: Pick<CodeContext, "workspace">,
  location: Location,
  request: PageRequest,
  call: Pick<ToolContext, "signal">,
): Promise<ToolOutcome | Fault> {
  const opened = openRegular(workspace.root, location);
  if (isFault(opened)) return opened;
  const { path } = location;
  try {
    const window = new LineWindow(path, request);
    const ended = await scan(opened.descriptor, window, call.signal);
    const fault = window.fault ?? (isFault(ended) ? ended : undefined);
    if (fault !== undefined) return fault;
    return outcomeOf(path, Number(opened.stats.size), request, window.page(), window.linesCounted);
  } catch (error) {
    return systemFault(error, "read", path);
  } finally {
    closeSync(opened.descriptor);
  }
}

/** Hands over the file buffer by buffer until it ends or nothing more is wanted. */
async function scan(descriptor: number, window: LineWindow, signal: AbortSignal): Promise<Fault | undefined> {
  const [first, second] = [new ArrayBuffer(bufferBytes), new ArrayBuffer(bufferBytes)];
  let position = 0;
  let filling = readDescriptor(descriptor, new Uint8Array(first), 0, bufferBytes, 0);
  for (let turn = 0; ; turn += 1) {
    const { bytesRead } = await filling;
    if (signal.aborted) return aborted();
    if (bytesRead === 0) {
      window.end();
      return undefined;
    }
    position += bytesRead;
    const [full, free] = turn % 2 === 0 ? [first, second] : [second, first];
    filling = readDescriptor(descriptor, new Uint8Array(free), 0, bufferBytes, position);
    if (window.take(full, bytesRead) === "enough") {
      await filling;
      return undefined;
    }
  }
}

/** Finds the lines of one page in what passes by. */
class LineWindow {
  fault: Fault | undefined;
  readonly #path: string;
  readonly #builder: PageBuilder;
  readonly #from: number;
  readonly #to: number;
  #isStart = true;
  /** The line that the next byte belongs to, 1-based. */
  #line = 1;
  /** The beginning of that line, where it is wanted. */
  #parts: Buffer[] = [];
  #kept = 0;
  #length = 0;
  #hasEnded = false;

  constructor(path: string, request: PageRequest) {
    this.#path = path;
    this.#builder = new PageBuilder(request);
    const { from, to } = pageSpan(request);
    this.#from = from;
    this.#to = to;
  }

  take(buffer: ArrayBuffer, size: number): "more" | "enough" {
    const bytes = Buffer.from(buffer, 0, size);
    if (this.#isStart) this.#checkStart(bytes);
    this.#isStart = false;
    if (this.fault !== undefined) return "enough";
    let at = 0;
    if (this.#line < this.#from) {
      const breaks = countBreaks(buffer, size);
      if (this.#line + breaks < this.#from) {
        this.#line += breaks;
        this.#length = bytes[size - 1] === lineBreak ? 0 : 1;
        return "more";
      }
      for (; this.#line < this.#from; this.#line += 1) at = bytes.indexOf(lineBreak, at) + 1;
      this.#length = 0;
    }
    while (at < size && this.fault === undefined) {
      const end = bytes.indexOf(lineBreak, at);
      this.#keep(bytes.subarray(at, end < 0 ? size : end));
      if (end < 0) break;
      if (!this.#finishLine()) return "enough";
      at = end + 1;
    }
    return this.fault === undefined ? "more" : "enough";
  }

  end(): void {
    this.#hasEnded =
      this.#length === 0 || this.#line < this.#from || this.#finishLine() || this.#line > this.#to;
    if (this.#length > 0 && this.#line < this.#from) this.#line += 1;
  }

  /** Known only where the end was reached. */
  get linesCounted(): number | undefined {
    return this.#hasEnded ? this.#line - 1 : undefined;
  }

  page(): Page {
    return this.#builder.page(this.linesCounted);
  }

  #checkStart(bytes: Buffer): void {
    if (bytes.includes(0) || bytes.readUInt16LE(0) === 0xfeff) this.#refuse(bytes, "");
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    const room = maxPageBytes - this.#kept;
    if (room <= 0) return;
    // The buffer is filled again, so what is kept is copied.
    const copy = Buffer.from(part.subarray(0, room));
    this.#parts.push(copy);
    this.#kept += copy.length;
  }

  /** Whether another line is wanted. */
  #finishLine(): boolean {
    const bytes = Buffer.concat(this.#parts);
    const isCut = this.#kept < this.#length;
    const content = decode(bytes, isCut);
    if (content === undefined) {
      this.#refuse(bytes, ` Line ${this.#line} is not valid.`);
      return false;
    }
    const whole = isCut ? content : withoutReturn(content);
    const added = this.#builder.add(this.#line, whole, isCut ? this.#length : whole.length);
    if (!added) return false;
    this.#parts = [];
    this.#kept = 0;
    this.#length = 0;
    this.#line += 1;
    return this.#line <= this.#to;
  }

  #refuse(bytes: Buffer, where: string): void {
    this.fault = new Fault(
      "not_readable",
      `${this.#path} is not UTF-8 text: it seems to be ${seemsToBe(bytes)}.${where}`,
      "Look at it with a program made for it, through bash.",
      { path: this.#path },
    );
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Buffer, isCut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  // A cut may go through a character of up to four bytes.
  for (let spare = 0; spare <= (isCut ? 3 : 0); spare += 1) {
    try {
      return decoder.decode(bytes.subarray(0, bytes.length - spare));
    } catch {}
  }
  return undefined;
}

function countBreaks(buffer: ArrayBuffer, size: number): number {
  const words = new Int32Array(buffer, 0, size >> 2);
  const { length } = words;
  let total = 0;
  let at = 0;
  while (at < length) {
    // A lane holds eight bits.
    const end = Math.min(at + 255, length);
    let lanes = 0;
    for (; at < end; at += 1) {
      const word = (words[at] ?? 0) ^ 0x0a0a0a0a;
      const zeros = ~(((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word | 0x7f7f7f7f);
      lanes = (lanes + (zeros >>> 7)) | 0;
    }
    total += (lanes & 255) + ((lanes >>> 8) & 255) + ((lanes >>> 16) & 255) + (lanes >>> 24);
  }
  for (const byte of new Uint8Array(buffer, size & ~3, size & 3)) if (byte === lineBreak) total += 1;
  return total;
}

function outcomeOf(
  path: string,
  size: number,
  { selector, isRaw }: PageRequest,
  page: Page,
  total: number | undefined,
): ToolOutcome {
  const from = selector?.from ?? 1;
  const details = {
    path,
    size,
    from: page.lines[0]?.line ?? from,
    to: page.lines.at(-1)?.line ?? from - 1,
    totalLines: total,
    nextLine: page.next,
  };
  if (total !== undefined && from > total) return { content: behindEnd(path, from, total), details };
  const shown = page.lines.map(({ line, content }) => (isRaw ? content : `${line}|${content}`));
  const note = `[${path} has ${sizeName(size)}: too large for write, and to be shown with anchors. edit changes lines that search shows, or use a command, through bash.]`;
  return { content: [...shown, ...pageNotes(page, path), note].join("\n"), details };
}
