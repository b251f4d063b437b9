// The proof that a line is what the grammar takes it for: its raw text is read beside the tree that the grammar made of it, from
// the first byte to the last, and each byte has to be what the tree says. So an error of the grammar alone never makes a line
// understood: what it skips, joins or splits does not fit.
//
// The first byte that is something else is a doubt. It stays one: nothing behind it is looked at any more.

import type { HereDoc } from "unbash";

export class ShellCursor {
  readonly text: string;
  at = 0;
  /** Where a substitution that is being read ends, or the text. */
  limit: number;
  #doubt: number | undefined;
  /** Heredocs whose bodies begin with the next line. */
  #pending: HereDoc[] = [];

  constructor(text: string) {
    this.text = text;
    this.limit = text.length;
  }

  /** Where the line is something else than the tree says, or than is known here; undefined while all of it is proven. */
  get doubt(): number | undefined {
    return this.#doubt;
  }

  get isAwaitingHeredoc(): boolean {
    return this.#pending.length > 0;
  }

  expect(isRight: boolean, at = this.at): void {
    if (!isRight) this.#doubt ??= at;
  }

  next(): string {
    return this.at < this.limit ? this.text.charAt(this.at) : "";
  }

  /** Whether a word could not go on here. */
  isDelimited(): boolean {
    return this.next() === "" || /[\s;&|()<>]/.test(this.next());
  }

  isAtEnd(): boolean {
    return this.at === this.limit && !this.isAwaitingHeredoc;
  }

  blanks(): void {
    for (;;) {
      if (this.next() === " " || this.next() === "\t") this.at += 1;
      else if (this.at + 1 < this.limit && this.text.startsWith("\\\n", this.at)) this.at += 2;
      else return;
    }
  }

  token(token: string): void {
    if (this.#doubt !== undefined) return;
    this.blanks();
    this.expect(this.text.startsWith(token, this.at) && this.at + token.length <= this.limit);
    this.at += token.length;
  }

  keyword(word: string): void {
    this.token(word);
    this.expect(this.isDelimited());
  }

  /** A part of a command that begins at `pos`, with blanks before it unless an operator is what separates it. */
  begin(pos: number, isSeparate: boolean): void {
    if (this.#doubt !== undefined) return;
    const before = this.at;
    this.blanks();
    this.expect(this.at === pos && (!isSeparate || this.at > before));
  }

  endOfStatement(isBackground: boolean, mayBeMissing: boolean): void {
    if (this.#doubt !== undefined) return;
    this.blanks();
    const next = this.next();
    const second = this.text.charAt(this.at + 1);
    if (isBackground) {
      this.expect(next === "&" && !/[&>]/.test(second));
      this.token("&");
    } else if (next === ";" && second !== ";") this.token(";");
    else this.expect(next === "\n" || next === "#" || mayBeMissing);
  }

  /** Blanks, comments and new lines, with the bodies of heredocs that begin there. */
  space(): void {
    while (this.#doubt === undefined) {
      this.blanks();
      if (this.next() === "#") {
        const end = this.text.indexOf("\n", this.at);
        this.at = end === -1 ? this.text.length : end;
        // The bracket that ends a substitution would be part of the comment.
        this.expect(this.at <= this.limit);
      }
      if (this.next() !== "\n") return;
      this.at += 1;
      for (const heredoc of this.#pending.splice(0)) this.#heredocBody(heredoc);
    }
  }

  /** At the word that ends a heredoc. */
  heredoc(node: HereDoc): void {
    const { delimiter } = node;
    if (this.#doubt !== undefined) return;
    this.blanks();
    const text = delimiter?.text ?? "";
    // In a substitution shells differ in where it ends.
    this.expect(this.limit === this.text.length && delimiter?.pos === this.at && heredocEnd.test(text));
    this.expect(delimiter?.quoted === /^['"\\]/.test(text));
    this.expect(delimiter?.value === text.replace(/['"\\]/g, ""));
    this.#pending.push(node);
    this.keyword(text);
  }

  /** The body that begins here, line by line up to the one that ends it. */
  #heredocBody({ operator, delimiter, body, closing }: HereDoc): void {
    this.expect(body.pos === this.at && delimiter !== undefined);
    while (this.#doubt === undefined) {
      const newline = this.text.indexOf("\n", this.at);
      const end = newline === -1 || newline > this.limit ? this.limit : newline;
      const line = this.text.slice(this.at, end);
      if ((operator === "<<-" ? line.replace(/^\t+/, "") : line) === delimiter?.value) {
        this.expect(body.end === this.at && closing?.end === end);
        this.at = Math.min(end + 1, this.limit);
        return;
      }
      this.expect(end !== this.limit);
      this.at = end + 1;
    }
  }

  /** Reads what stands between two positions of a word, and goes on where it was. */
  within(from: number, limit: number, read: () => void): void {
    const { at, limit: outer } = this;
    const pending = this.#pending;
    this.at = from;
    this.limit = limit;
    this.#pending = [];
    read();
    this.at = at;
    this.limit = outer;
    this.#pending = pending;
  }
}

const heredocEnd = /^(?:[A-Za-z_]\w*|'[\w -]+'|"[\w -]+"|\\[A-Za-z_]\w*)$/;
