// Text of any length in rows of a width. Rows break at spaces, before and after wide characters (Chinese, Japanese, Korean),
// and inside a word that is longer than a row. Each row closes the style and hyperlink that are open at its end, and the next
// one opens them again. One pass: a text of several megabytes is read once.

import { Scanner } from "./graphemes.ts";
import { StyleState } from "./style-state.ts";
import { defaultTabWidth, expandTabs, isPrintableAscii } from "./width.ts";

export interface WrapOptions {
  readonly tabWidth?: number;
  /** Rows after the first one of a line begin with the line's own indentation. */
  readonly keepsIndentation?: boolean;
}

/** At least one row for each line of the text; an empty line is an empty row. */
export function wrapText(text: string, width: number, options: WrapOptions = {}): string[] {
  const wrapper = new Wrapper(Math.max(1, Math.floor(width)), options.keepsIndentation ?? false);
  for (const line of lines(text)) {
    wrapper.line(line.includes("\t") ? expandTabs(line, options.tabWidth ?? defaultTabWidth) : line);
  }
  return wrapper.rows;
}

function* lines(text: string): Iterable<string> {
  let from = 0;
  for (;;) {
    const end = text.indexOf("\n", from);
    if (end === -1) break;
    yield text.slice(from, text.charCodeAt(end - 1) === 0x0d && end > from ? end - 1 : end);
    from = end + 1;
  }
  yield text.slice(from);
}

/** What cannot begin a row: it belongs to the character before it. */
const closingMark = /^[、。，．：；？！）」』】〕〉》］｝ー々’”…・]/u;

class Wrapper {
  readonly rows: string[] = [];
  readonly #width: number;
  readonly #keepsIndentation: boolean;
  /** The state behind everything that was read. */
  #state = new StyleState();
  /** The state at the end of the row so far, and where the unfinished word begins. */
  #rowState = this.#state;
  #wordState = this.#state;
  #row = "";
  #rowWidth = 0;
  /** Spaces behind the row, which are dropped when it breaks there. */
  #gap = "";
  #gapWidth = 0;
  #word = "";
  #wordWidth = 0;
  #wordIsWide = false;
  #indentation = "";

  constructor(width: number, keepsIndentation: boolean) {
    this.#width = width;
    this.#keepsIndentation = keepsIndentation;
  }

  line(text: string): void {
    this.#rowState = this.#state;
    this.#wordState = this.#state;
    this.#row = this.#state.opening;
    this.#rowWidth = 0;
    this.#indentation = "";
    if (text.length <= this.#width && isPrintableAscii(text)) {
      this.#row += text;
      this.#endRow();
      return;
    }
    this.#readIndentation(text);
    const scanner = new Scanner(text);
    while (scanner.nextRun()) {
      if (scanner.kind === "escape") this.#escape(scanner.token);
      else if (scanner.isRun) this.#run(scanner.token);
      else if (scanner.kind === "text") this.#cluster(scanner.token, scanner.width);
    }
    this.#endWord();
    if (this.#rowWidth + this.#gapWidth <= this.#width) {
      this.#row += this.#gap;
      this.#rowState = this.#state;
    }
    this.#gap = "";
    this.#gapWidth = 0;
    this.#endRow();
  }

  #readIndentation(text: string): void {
    if (!this.#keepsIndentation) return;
    const spaces = /^ */.exec(text)?.[0].length ?? 0;
    // At least half of the row is left for the text, and the two cells of a wide character.
    const most = Math.max(0, Math.min(Math.floor(this.#width / 2), this.#width - 2));
    this.#indentation = " ".repeat(Math.min(spaces, most));
  }

  #escape(sequence: string): void {
    const state = this.#state.copy();
    state.apply(sequence);
    this.#state = state;
    if (this.#word !== "") this.#word += sequence;
    else this.#gap += sequence;
  }

  /** Spaces, or characters of a word, each one cell. */
  #run(characters: string): void {
    if (characters.startsWith(" ")) {
      this.#spaces(characters);
      return;
    }
    let from = 0;
    while (from < characters.length) {
      if (this.#wordWidth >= this.#available) this.#breakWord();
      const part = characters.slice(from, from + this.#available - this.#wordWidth);
      this.#cluster(part, part.length, false);
      from += part.length;
    }
  }

  #spaces(spaces: string): void {
    this.#endWord();
    this.#gap += spaces;
    this.#gapWidth += spaces.length;
  }

  #cluster(cluster: string, width: number, isWide = width === 2): void {
    if (cluster === " ") {
      this.#spaces(cluster);
      return;
    }
    const breaksBefore = this.#word !== "" && (isWide || this.#wordIsWide) && !closingMark.test(cluster);
    if (breaksBefore) this.#endWord();
    if (this.#word === "") this.#wordState = this.#state;
    this.#wordIsWide = isWide;
    if (width > this.#width) this.#append("…", 1);
    else this.#append(cluster, width);
  }

  #append(cluster: string, width: number): void {
    if (this.#wordWidth + width > this.#available) this.#breakWord();
    this.#word += cluster;
    this.#wordWidth += width;
  }

  /** The cells that a new row has for a word. */
  get #available(): number {
    return this.#width - this.#indentation.length;
  }

  /** The word is longer than a row: what there is of it fills this one. */
  #breakWord(): void {
    this.#endWord();
    this.#wordState = this.#state;
    this.#breakRow();
  }

  /** Puts the word into the row, or into the next one where it does not fit. */
  #endWord(): void {
    if (this.#word === "") return;
    if (this.#rowWidth + this.#gapWidth + this.#wordWidth > this.#width) {
      if (this.#rowWidth > 0) this.#breakRow();
      else this.#fitGap();
    }
    this.#row += this.#gap + this.#word;
    this.#rowWidth += this.#gapWidth + this.#wordWidth;
    this.#rowState = this.#state;
    this.#gap = "";
    this.#gapWidth = 0;
    this.#word = "";
    this.#wordWidth = 0;
  }

  /** Spaces at the beginning of a line that leave no cells for its first word. */
  #fitGap(): void {
    this.#gapWidth = Math.max(0, this.#width - this.#wordWidth);
    this.#gap = " ".repeat(this.#gapWidth) + this.#gap.replaceAll(" ", "");
  }

  #breakRow(): void {
    this.rows.push(this.#row + this.#rowState.closing);
    this.#row = this.#indentation + this.#wordState.opening;
    this.#rowWidth = this.#indentation.length;
    this.#gap = "";
    this.#gapWidth = 0;
  }

  #endRow(): void {
    this.rows.push(this.#row + this.#rowState.closing);
  }
}
