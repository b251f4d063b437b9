// Which style and which hyperlink are open at a point of a row. A piece of a row that is cut out is opened with what was open
// where it begins, and closes what is open where it ends; only that, so that a background around the piece stays.

const attributes = {
  bold: { index: 0, close: "22" },
  dim: { index: 1, close: "22" },
  italic: { index: 2, close: "23" },
  underline: { index: 3, close: "24" },
  blink: { index: 4, close: "25" },
  inverse: { index: 5, close: "27" },
  hidden: { index: 6, close: "28" },
  strike: { index: 7, close: "29" },
  overline: { index: 8, close: "55" },
  foreground: { index: 9, close: "39" },
  background: { index: 10, close: "49" },
  underlineColour: { index: 11, close: "59" },
} as const;

type Attribute = keyof typeof attributes;

const closingCodes = Object.values(attributes).map((attribute) => attribute.close);

const opensAttribute: Readonly<Record<string, Attribute>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  5: "blink",
  6: "blink",
  7: "inverse",
  8: "hidden",
  9: "strike",
  21: "underline",
  38: "foreground",
  48: "background",
  53: "overline",
  58: "underlineColour",
};

export class StyleState {
  /** For each attribute the parameters that opened it; empty where it is closed. */
  #codes: string[] = closingCodes.map(() => "");
  /** The opening OSC 8 sequence; empty where no hyperlink is open. */
  #link = "";
  #opening: string | undefined = "";
  #closing: string | undefined = "";

  /** What opens this state from a plain one. */
  get opening(): string {
    if (this.#opening === undefined) {
      const codes = this.#codes.filter((code) => code !== "");
      this.#opening = (codes.length === 0 ? "" : `\u001b[${codes.join(";")}m`) + this.#link;
    }
    return this.#opening;
  }

  /** What closes this state to a plain one. */
  get closing(): string {
    if (this.#closing === undefined) {
      const codes = new Set<string>();
      for (const [index, code] of this.#codes.entries()) {
        const close = closingCodes[index];
        if (code !== "" && close !== undefined) codes.add(close);
      }
      const style = codes.size === 0 ? "" : `\u001b[${[...codes].join(";")}m`;
      this.#closing = (this.#link === "" ? "" : "\u001b]8;;\u001b\\") + style;
    }
    return this.#closing;
  }

  /** Takes one escape sequence; any other than SGR and OSC 8 changes nothing. */
  apply(sequence: string): void {
    if (sequence.startsWith("\u001b[") && /^[0-9;:]*m$/.test(sequence.slice(2))) {
      this.#applyParameters(sequence.slice(2, -1).split(";"));
    } else if (sequence.startsWith("\u001b]8;")) {
      const body = sequence.slice(4, sequence.endsWith("\u0007") ? -1 : -2);
      const hasAddress = body.indexOf(";") !== body.length - 1;
      this.#link = hasAddress ? sequence : "";
    } else return;
    this.#opening = undefined;
    this.#closing = undefined;
  }

  #applyParameters(parameters: readonly string[]): void {
    for (let at = 0; at < parameters.length; at++) {
      const parameter = parameters[at] ?? "";
      const code = parameter.split(":", 1)[0] ?? "";
      if ((code === "38" || code === "48" || code === "58") && !parameter.includes(":")) {
        // The older form of a colour takes the parameters after it: 5;index, or 2;red;green;blue.
        const length = parameters[at + 1] === "5" ? 3 : 5;
        this.#set(code, parameters.slice(at, at + length).join(";"));
        at += length - 1;
      } else this.#set(code, parameter);
    }
  }

  #set(code: string, parameter: string): void {
    const number = Number(code);
    if (number === 0) this.#codes.fill("");
    else if (parameter === "4:0") this.#codes[attributes.underline.index] = "";
    else if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97)) {
      this.#codes[attributes.foreground.index] = parameter;
    } else if ((number >= 40 && number <= 47) || (number >= 100 && number <= 107)) {
      this.#codes[attributes.background.index] = parameter;
    } else {
      const attribute = opensAttribute[code];
      if (attribute !== undefined) this.#codes[attributes[attribute].index] = parameter;
      else {
        for (const [index, close] of closingCodes.entries()) if (close === code) this.#codes[index] = "";
      }
    }
  }

  copy(): StyleState {
    const copy = new StyleState();
    copy.#codes = [...this.#codes];
    copy.#link = this.#link;
    copy.#opening = this.#opening;
    copy.#closing = this.#closing;
    return copy;
  }
}
