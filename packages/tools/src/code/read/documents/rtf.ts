// The text of an RTF file. Its grammar is small:
//
//   {…}  a group, which ends what was set in it     \word-12  a control word with a number; one space behind it is part of it
//   \'e9  a byte in the document's code page        \u8217 ?  a character, and what to show (\ucN characters) without Unicode
//   \*\word  a destination that may be skipped if unknown
//
// Groups that hold fonts, styles, pictures and the like are skipped whole.

const skipped = new Set(
  `fonttbl colortbl stylesheet info pict object objdata header headerl headerr headerf footer footerl footerr footerf
  listtable listoverridetable rsidtbl generator themedata colorschememapping latentstyles datastore xmlnstbl filetbl revtbl
  fldinst nonshppict shpinst bkmkstart bkmkend private tc xe mmathPr`.split(/\s+/),
);

const texts: Readonly<Record<string, string>> = {
  par: "\n\n",
  sect: "\n\n",
  page: "\n\n",
  line: "\n",
  row: "\n",
  cell: " | ",
  tab: "\t",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  emspace: " ",
  enspace: " ",
};

const pages: Readonly<Record<number, string>> = {
  437: "ibm866",
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  65001: "utf-8",
};

interface Group {
  isSkipped: boolean;
  /** Characters that stand behind \u for programs without Unicode. */
  fallback: number;
}

const maxDepth = 1000;
const token = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/gi;

export function rtfText(bytes: Uint8Array): string {
  const source = Buffer.from(bytes).toString("latin1");
  if (!/^\s*\{\\rtf/.test(source)) throw new Error("it does not begin like an RTF file");
  return new RtfReader().read(source);
}

class RtfReader {
  readonly #groups: Group[] = [{ isSkipped: false, fallback: 1 }];
  #decoder = new TextDecoder("windows-1252");
  readonly #parts: string[] = [];
  /** Bytes that may be halves of characters, until something else comes. */
  #pending = "";
  /** Fallback characters yet to be left out. */
  #left = 0;
  #isOptional = false;

  read(source: string): string {
    let at = 0;
    while (at < source.length) {
      const word = /\\bin(\d+) ?/y;
      word.lastIndex = at;
      const binary = word.exec(source);
      if (binary !== null) {
        at = word.lastIndex + Number(binary[1]);
        continue;
      }
      token.lastIndex = at;
      const match = token.exec(source);
      if (match === null) break;
      at = token.lastIndex;
      this.#take(match);
    }
    this.#flush();
    return this.#parts.join("").replace(/[ \t]+\n/g, "\n");
  }

  #take([, word, number, hex, symbol, brace, plain]: RegExpExecArray): void {
    const isOptional = this.#isOptional;
    this.#isOptional = false;
    if (brace === "{") this.#open();
    else if (brace === "}") this.#close();
    else if (word !== undefined)
      this.#control(word, number === undefined ? undefined : Number(number), isOptional);
    else if (hex !== undefined) this.#byte(Number.parseInt(hex, 16));
    else if (symbol !== undefined) this.#symbol(symbol);
    else if (plain !== undefined) this.#plain(plain);
  }

  get #group(): Group {
    return this.#groups.at(-1) ?? { isSkipped: false, fallback: 1 };
  }

  #open(): void {
    this.#flush();
    if (this.#groups.length > maxDepth) throw new Error("its groups are nested too deeply");
    this.#groups.push({ ...this.#group });
    this.#left = 0;
  }

  #close(): void {
    this.#flush();
    if (this.#groups.length > 1) this.#groups.pop();
    this.#left = 0;
  }

  #control(word: string, number: number | undefined, isOptional: boolean): void {
    if (skipped.has(word) || (isOptional && word !== "shppict")) this.#group.isSkipped = true;
    if (word === "u" && number !== undefined) {
      this.#text(String.fromCharCode(number < 0 ? number + 65_536 : number));
      this.#left = this.#group.fallback;
    } else if (word === "uc" && number !== undefined)
      this.#group.fallback = Math.max(0, Math.min(number, 100));
    else if (word === "ansicpg" && number !== undefined) this.#decoder = new TextDecoder(encodingOf(number));
    else if (word === "mac") this.#decoder = new TextDecoder("macintosh");
    else {
      const text = texts[word];
      if (text !== undefined) this.#text(text);
    }
  }

  #symbol(symbol: string): void {
    if (symbol === "*") this.#isOptional = true;
    else if (symbol === "~") this.#text("\u00a0");
    else if (symbol === "_") this.#text("\u2011");
    else if ("\\{}".includes(symbol)) this.#plain(symbol);
    else if (symbol === "\n" || symbol === "\r") this.#text("\n\n");
  }

  #byte(value: number): void {
    if (this.#left > 0) this.#left -= 1;
    else if (!this.#group.isSkipped) this.#pending += String.fromCharCode(value);
  }

  #plain(text: string): void {
    const kept = text.slice(this.#left);
    this.#left = Math.max(0, this.#left - text.length);
    // What is not ASCII stands for bytes of the code page, although it should have been written as such.
    if (!this.#group.isSkipped) this.#pending += kept;
  }

  /** Text that is Unicode already. */
  #text(text: string): void {
    this.#flush();
    if (!this.#group.isSkipped) this.#parts.push(text);
  }

  #flush(): void {
    if (this.#pending === "") return;
    this.#parts.push(this.#decoder.decode(Buffer.from(this.#pending, "latin1")));
    this.#pending = "";
  }
}

function encodingOf(page: number): string {
  return pages[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : "windows-1252");
}
