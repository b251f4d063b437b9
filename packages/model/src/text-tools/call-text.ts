// The content of one call's block, read while it arrives.
//
//   {"tool_call_id"?: "…", "name": "read_file", "arguments": { … }}
//
// As long as it has this order its arguments are passed on as they come. Any other order, and arguments that are a text, are
// read when the block is whole. A fence inside an open string does not end the block.

import { isRecord } from "@stet/protocol/json-record";
import { parseArguments } from "../adapter/tool-arguments.ts";

export interface CallText {
  readonly name: string;
  readonly argumentsText: string;
}

/** Everything before the arguments' opening brace. */
const beginning =
  /^\s*\{\s*(?:"tool_call_id"\s*:\s*"[^"\\]*"\s*,\s*)?"name"\s*:\s*"([^"\\]*)"\s*,\s*"(?:arguments|parameters)"\s*:\s*(?=\{)/;

export class CallReader {
  /** As soon as it is known, where the order is the usual one. */
  name: string | undefined;
  #text = "";
  /** Where the arguments begin and end in the text; -1 while that is unknown. */
  #start = -1;
  #end = -1;
  #at = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Where objects and lists end that stand in the outermost object. */
  readonly #closed: number[] = [];

  get isInString(): boolean {
    return this.#isInString;
  }

  /** Returns what of the arguments is new. */
  add(piece: string): string {
    this.#text += piece;
    const from = this.#at;
    this.#scan();
    if (this.#start < 0) {
      const found = beginning.exec(this.#text);
      if (found === null) return "";
      this.name = found[1] ?? "";
      this.#start = found[0].length;
      this.#end = this.#endAfter(this.#start);
      return this.#text.slice(this.#start, this.#end < 0 ? undefined : this.#end);
    }
    if (this.#end >= 0) return "";
    this.#end = this.#endAfter(from);
    return this.#text.slice(from, this.#end < 0 ? undefined : this.#end);
  }

  /** The whole call. A call that cannot be read has its text as the arguments, so that the model is told what is wrong. */
  finish(): CallText {
    if (this.name !== undefined)
      return {
        name: this.name,
        argumentsText: this.#text.slice(this.#start, this.#end < 0 ? undefined : this.#end),
      };
    const call = parseArguments(this.#text, false);
    const found = call.valid ? call.arguments : {};
    const name = typeof found.name === "string" ? found.name : nameIn(this.#text);
    const input =
      found.arguments ?? found.parameters ?? (call.valid && found.name !== undefined ? {} : undefined);
    if (input === undefined) return { name, argumentsText: this.#text };
    return { name, argumentsText: isRecord(input) ? JSON.stringify(input) : String(input) };
  }

  /** Of the text so far: whether a string is open, and how many brackets are. */
  #scan(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const character = this.#text[this.#at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === "\\") this.#isEscaped = this.#isInString;
      else if (character === '"') this.#isInString = !this.#isInString;
      else if (!this.#isInString && (character === "{" || character === "[")) this.#depth++;
      else if (!this.#isInString && (character === "}" || character === "]")) {
        this.#depth--;
        if (this.#depth === 1) this.#closed.push(this.#at + 1);
      }
    }
  }

  #endAfter(place: number): number {
    return this.#closed.find((end) => end > place) ?? -1;
  }
}

function nameIn(text: string): string {
  return /"name"\s*:\s*"([^"\\]+)"/.exec(text)?.[1] ?? "tool";
}
