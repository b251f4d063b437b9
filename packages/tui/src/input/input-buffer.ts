// Bytes from the terminal to whole pieces of input: characters, escape sequences, pasted text. Pieces arrive in any fragments,
// down to single bytes, also in the middle of a UTF-8 character; malformed UTF-8 becomes U+FFFD. Each character is read once, so
// a paste of megabytes is no more than its own copying.
//
// A fragment that could go on waits: ESC alone for `escapeMs`, then it is the Escape key; `ESC [` and the like for the same time,
// then they are Alt and a character; what is longer waits for `sequenceMs` and is then dropped, because no key looks like it.
// While an answer to a probe is outstanding (`expectsReply`), ESC waits for `sequenceMs`, too, and an answer that has begun waits
// for its end however long it takes. A sequence is abandoned when a new ESC begins or it is longer than any that is known.

export interface InputBufferHandlers {
  /** A character, or an escape sequence with everything that belongs to it. */
  readonly onSequence: (sequence: string) => void;
  readonly onPaste: (text: string) => void;
}

export interface InputTimes {
  readonly escapeMs: number;
  readonly sequenceMs: number;
  /** A paste whose end never comes is over after this long without a byte. */
  readonly pasteMs: number;
}

export const defaultInputTimes: InputTimes = { escapeMs: 30, sequenceMs: 300, pasteMs: 2000 };

type State = "ground" | "escape" | "control-sequence" | "single-shift" | "string" | "string-escape" | "paste";

const pasteStart = "\u001b[200~";
const pasteEnd = "\u001b[201~";
/** No key and no answer in a control sequence is longer. */
const maxControlSequence = 256;
const maxString = 65_536;

export class InputBuffer {
  /** Set while a probe waits for its answer. */
  expectsReply = false;
  readonly #handlers: InputBufferHandlers;
  readonly #times: InputTimes;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #state: State = "ground";
  #sequence = "";
  #pasted: string[] = [];
  /** The last characters of the paste so far: its end marker may begin there. */
  #pasteTail = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(handlers: InputBufferHandlers, times: InputTimes = defaultInputTimes) {
    this.#handlers = handlers;
    this.#times = times;
  }

  push(bytes: Uint8Array): void {
    clearTimeout(this.#timer);
    const text = this.#decoder.decode(bytes, { stream: true });
    let at = 0;
    while (at < text.length) {
      if (this.#state === "paste") at = this.#paste(text, at);
      else if (this.#state === "ground") at = this.#ground(text, at);
      else at = this.#character(text, at);
    }
    this.#wait();
  }

  /** Forgets what is unfinished, as when the terminal is given to another program. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#decoder.decode();
    this.#reset();
    this.#pasted = [];
    this.#pasteTail = "";
  }

  #reset(): void {
    this.#state = "ground";
    this.#sequence = "";
  }

  #ground(text: string, at: number): number {
    const codePoint = text.codePointAt(at) ?? 0;
    if (codePoint === 0x1b) {
      this.#state = "escape";
      this.#sequence = "\u001b";
      return at + 1;
    }
    const end = at + (codePoint > 0xffff ? 2 : 1);
    this.#handlers.onSequence(text.slice(at, end));
    return end;
  }

  /** One character inside a sequence. Returns where to go on: the same index where the character begins something new. */
  #character(text: string, at: number): number {
    const codePoint = text.codePointAt(at) ?? 0;
    const character = text.slice(at, at + (codePoint > 0xffff ? 2 : 1));
    if (this.#state === "escape") return this.#afterEscape(character, codePoint, at);
    if (this.#state === "string-escape") return this.#afterStringEscape(codePoint, at);
    if (codePoint === 0x1b && this.#state !== "string") {
      this.#reset();
      return at;
    }
    this.#sequence += character;
    if (this.#state === "string") this.#inString(codePoint);
    else if (this.#state === "single-shift") this.#inSingleShift(codePoint);
    else this.#inControlSequence(codePoint);
    return at + character.length;
  }

  #afterEscape(character: string, codePoint: number, at: number): number {
    const isDouble = this.#sequence === "\u001b\u001b";
    if (codePoint === 0x1b) {
      // Escape pressed twice, or Alt with a key that is a sequence itself (rxvt).
      if (isDouble) this.#emit("\u001b");
      this.#state = "escape";
      this.#sequence = "\u001b\u001b";
      return at + 1;
    }
    if (isDouble && character !== "[" && character !== "O") {
      this.#emit("\u001b");
      this.#state = "escape";
      this.#sequence = "\u001b";
      return at;
    }
    this.#sequence += character;
    if (character === "[") this.#state = "control-sequence";
    else if (character === "O") this.#state = "single-shift";
    else if ("]P_^X".includes(character)) this.#state = "string";
    else this.#emit(this.#sequence);
    return at + character.length;
  }

  #inControlSequence(codePoint: number): void {
    // The Linux console's function keys have a second bracket.
    if (codePoint === 0x5b && this.#sequence.endsWith("[[")) return;
    if (this.#sequence === pasteStart) {
      this.#reset();
      this.#state = "paste";
    } else if (codePoint >= 0x40 && codePoint <= 0x7e) this.#emit(this.#sequence);
    else if (codePoint < 0x20 || codePoint > 0x7e || this.#sequence.length > maxControlSequence)
      this.#reset();
  }

  #inSingleShift(codePoint: number): void {
    const isParameter = (codePoint >= 0x30 && codePoint <= 0x39) || codePoint === 0x3b;
    if (!isParameter) this.#emit(this.#sequence);
    else if (this.#sequence.length > maxControlSequence) this.#reset();
  }

  #inString(codePoint: number): void {
    if (codePoint === 0x07) this.#emit(this.#sequence);
    else if (codePoint === 0x1b) this.#state = "string-escape";
    else if (this.#sequence.length > maxString) this.#reset();
  }

  #afterStringEscape(codePoint: number, at: number): number {
    if (codePoint === 0x5c) {
      this.#emit(`${this.#sequence}\\`);
      return at + 1;
    }
    this.#state = "escape";
    this.#sequence = "\u001b";
    return at;
  }

  #emit(sequence: string): void {
    this.#reset();
    this.#handlers.onSequence(sequence);
  }

  #paste(text: string, at: number): number {
    const window = this.#pasteTail + text.slice(at);
    const end = window.indexOf(pasteEnd);
    if (end === -1) {
      const kept = Math.min(window.length, pasteEnd.length - 1);
      this.#pasted.push(window.slice(0, window.length - kept));
      this.#pasteTail = window.slice(window.length - kept);
      return text.length;
    }
    const next = at + end + pasteEnd.length - this.#pasteTail.length;
    this.#pasted.push(window.slice(0, end));
    this.#pasteTail = "";
    this.#endPaste();
    return next;
  }

  #endPaste(): void {
    const pasted = this.#pasted.join("") + this.#pasteTail;
    this.#pasted = [];
    this.#pasteTail = "";
    this.#reset();
    this.#handlers.onPaste(pasted);
  }

  #wait(): void {
    const milliseconds = this.#waitingTime();
    if (milliseconds === undefined) return;
    this.#timer = setTimeout(() => this.#flush(), milliseconds);
    this.#timer.unref();
  }

  #waitingTime(): number | undefined {
    if (this.#state === "ground") return undefined;
    if (this.#state === "paste") return this.#times.pasteMs;
    if (this.#sequence.length > 2)
      return this.expectsReply && this.#isReply() ? undefined : this.#times.sequenceMs;
    return this.expectsReply ? this.#times.sequenceMs : this.#times.escapeMs;
  }

  /** Only answers begin like this, no key does. */
  #isReply(): boolean {
    return (
      this.#sequence.startsWith("\u001b[?") || this.#state === "string" || this.#state === "string-escape"
    );
  }

  /** Time is up for what waits. */
  #flush(): void {
    if (this.#state === "paste") {
      this.#endPaste();
      return;
    }
    const sequence = this.#sequence;
    this.#reset();
    if (sequence === "\u001b\u001b") {
      this.#handlers.onSequence("\u001b");
      this.#handlers.onSequence("\u001b");
    } else if (sequence.length <= 2) this.#handlers.onSequence(sequence);
  }
}
