// What a model writes, split into text and calls, in whatever pieces it arrives.
//
//   ```tool_call          a line of its own opens a call; its fence, or the end of the answer, closes it
//   ```anything else      opens a quotation: until its fence closes, nothing in it is a call
//   [result BOUNDARY …    the model goes on as if it were the tool: what follows is left out
//
// Text goes out at once, but for a line that may still become one of these and for white space that may stand before a call.
// An answer without a call goes out as it came, byte for byte.

import { CallReader, type CallText } from "./call-text.ts";

export type SplitPiece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call_start"; readonly name: string }
  | { readonly type: "call_delta"; readonly delta: string }
  | ({ readonly type: "call_end" } & CallText);

type State =
  | { readonly kind: "text" }
  | { readonly kind: "quotation"; readonly fence: string }
  | { readonly kind: "call"; readonly fence: string; readonly reader: CallReader }
  | { readonly kind: "invented" };

const fenceLine = /^ {0,3}(`{3,}|~{3,})([^\r\n]*)/;
const callLine = /^ {0,3}(`{3,}|~{3,})[ \t]*tool_call[ \t]*\r?$/;
/** What may still become a call's first line. */
const callBeginning =
  /^ {0,3}(?:`{0,2}|~{0,2}|(?:`{3,}|~{3,})[ \t]*(?:t(?:o(?:o(?:l(?:_(?:c(?:a(?:l(?:l[ \t]*\r?)?)?)?)?)?)?)?)?)?)$/;

export class CallSplitter {
  readonly #resultLine: string;
  #state: State = { kind: "text" };
  /** The line so far. */
  #line = "";
  /** How much of it went out. */
  #sent = 0;
  #space = "";
  #hasCalls = false;
  #out: SplitPiece[] = [];

  constructor(boundary: string) {
    this.#resultLine = `[result ${boundary}`;
  }

  add(piece: string): SplitPiece[] {
    let start = 0;
    while (start < piece.length && this.#state.kind !== "invented") {
      const end = piece.indexOf("\n", start);
      this.#line += piece.slice(start, end < 0 ? undefined : end);
      if (end < 0) {
        this.#partialLine();
        break;
      }
      this.#wholeLine();
      this.#line = "";
      this.#sent = 0;
      start = end + 1;
    }
    return this.#take();
  }

  /** The end of a block of text: what is open is finished. */
  finish(): SplitPiece[] {
    if (this.#state.kind === "call") {
      const closes = closesFence(this.#line, this.#state.fence);
      if (!closes) this.#toCall(this.#state.reader, this.#line.slice(this.#sent));
      this.#endCall(this.#state.reader);
    } else if (this.#state.kind !== "invented") {
      const opensCall = this.#state.kind === "text" && callLine.test(this.#line);
      if (!opensCall) this.#text(this.#line.slice(this.#sent));
      if (!this.#hasCalls) this.#flushSpace();
    }
    this.#space = "";
    this.#line = "";
    this.#sent = 0;
    this.#state = { kind: "text" };
    return this.#take();
  }

  #take(): SplitPiece[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #partialLine(): void {
    const state = this.#state;
    const isHeld =
      (state.kind === "text" && this.#mayBeSpecial()) ||
      (state.kind === "call" && mayCloseFence(this.#line, state.fence));
    if (!isHeld) this.#send("");
  }

  #wholeLine(): void {
    const state = this.#state;
    if (state.kind === "call") {
      if (closesFence(this.#line, state.fence) && !state.reader.isInString) this.#endCall(state.reader);
      else this.#send("\n");
      return;
    }
    if (state.kind === "quotation") {
      this.#send("\n");
      if (closesFence(this.#line, state.fence)) this.#state = { kind: "text" };
      return;
    }
    const [, fence = "", info = ""] = fenceLine.exec(this.#line) ?? [];
    if (fence !== "" && callLine.test(this.#line)) {
      this.#space = "";
      this.#state = { kind: "call", fence, reader: new CallReader() };
      return;
    }
    if (this.#hasCalls && this.#line.startsWith(this.#resultLine)) {
      this.#state = { kind: "invented" };
      return;
    }
    this.#send("\n");
    // Three backticks with more of them behind on the line are code in a sentence.
    if (fence !== "" && !(fence.startsWith("`") && info.includes("`")))
      this.#state = { kind: "quotation", fence };
  }

  /** Whether the line may still open a call, or be a result that the model made up. */
  #mayBeSpecial(): boolean {
    if (this.#sent > 0) return false;
    if (callBeginning.test(this.#line)) return true;
    if (!this.#hasCalls) return false;
    return this.#resultLine.startsWith(this.#line) || this.#line.startsWith(this.#resultLine);
  }

  #send(end: string): void {
    const rest = this.#line.slice(this.#sent) + end;
    this.#sent = this.#line.length;
    if (this.#state.kind === "call") this.#toCall(this.#state.reader, rest);
    else this.#text(rest);
  }

  #text(text: string): void {
    const spoken = text.trimEnd();
    if (spoken === "") {
      this.#space += text;
      return;
    }
    this.#flushSpace();
    this.#out.push({ type: "text", text: spoken });
    this.#space = text.slice(spoken.length);
  }

  #flushSpace(): void {
    if (this.#space !== "") this.#out.push({ type: "text", text: this.#space });
    this.#space = "";
  }

  #toCall(reader: CallReader, text: string): void {
    const wasKnown = reader.name !== undefined;
    const delta = reader.add(text);
    if (!wasKnown && reader.name !== undefined) this.#out.push({ type: "call_start", name: reader.name });
    if (delta !== "") this.#out.push({ type: "call_delta", delta });
  }

  #endCall(reader: CallReader): void {
    const call = reader.finish();
    if (reader.name === undefined) {
      this.#out.push({ type: "call_start", name: call.name });
      if (call.argumentsText !== "") this.#out.push({ type: "call_delta", delta: call.argumentsText });
    }
    this.#out.push({ type: "call_end", ...call });
    this.#hasCalls = true;
    this.#state = { kind: "text" };
  }
}

function closesFence(line: string, fence: string): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*\r?$/.exec(line)?.[1] ?? "";
  return found.length >= fence.length && found[0] === fence[0];
}

function mayCloseFence(line: string, fence: string): boolean {
  return fence.startsWith("`") ? /^ {0,3}`*[ \t]*\r?$/.test(line) : /^ {0,3}~*[ \t]*\r?$/.test(line);
}
