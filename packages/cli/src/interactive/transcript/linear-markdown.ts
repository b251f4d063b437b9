// Markdown as it is read aloud: sentences without marks, as they come. A heading, an item and a line of a table are lines; code is
// between two lines that say so, and is as it was written.

/** A sentence's end, with what closes a quote or a mark behind it. */
const sentenceEnd = /[.!?…:][)"'”’*_`]*\s/g;

export class PlainMarkdown {
  #held = "";
  #fence: string | undefined;

  /** The lines that are whole with this piece. */
  add(text: string): string[] {
    this.#held += text;
    const lines: string[] = [];
    for (let end = this.#held.indexOf("\n"); end >= 0; end = this.#held.indexOf("\n")) {
      lines.push(...this.#line(this.#held.slice(0, end)));
      this.#held = this.#held.slice(end + 1);
    }
    if (this.#fence === undefined) {
      const cut = lastSentence(this.#held);
      if (cut > 0) {
        lines.push(...this.#line(this.#held.slice(0, cut)));
        this.#held = this.#held.slice(cut).trimStart();
      }
    }
    return lines;
  }

  end(): string[] {
    const lines = this.#line(this.#held);
    this.#held = "";
    return lines;
  }

  #line(line: string): string[] {
    const fence = /^ {0,3}(`{3,}|~{3,})\s*(\S*)/.exec(line);
    if (this.#fence !== undefined) {
      if (fence === null || fence[1]?.startsWith(this.#fence) !== true) return [line];
      this.#fence = undefined;
      return ["End of code."];
    }
    if (fence !== null) {
      this.#fence = fence[1] ?? "```";
      return [fence[2] === "" ? "Code:" : `Code, ${fence[2]}:`];
    }
    const text = line.trim();
    if (text === "" || /^[-*_=|:\s]+$/.test(text)) return [];
    if (text.startsWith("|"))
      return [
        plain(
          text
            .replace(/^\||\|$/g, "")
            .split("|")
            .map((cell) => cell.trim())
            .join(", "),
        ),
      ];
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(text);
    if (heading !== null) return [`Heading: ${plain(heading[1] ?? "")}`];
    const quote = /^>+\s?(.*)$/.exec(text);
    if (quote !== null) return [`Quote: ${plain(quote[1] ?? "")}`];
    const item = /^[-*+]\s+(?:\[( |x|X)\]\s+)?(.*)$/.exec(text);
    if (item === null) return [plain(text)];
    const task = item[1] === undefined ? "" : item[1] === " " ? "to do: " : "done: ";
    return [`Item: ${task}${plain(item[2] ?? "")}`];
  }
}

/** Without the marks of emphasis, code and links; an address stays. */
function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\(([^)\s]*)[^)]*\)/g, (_, label: string, url: string) =>
      label === url ? url : `${label} (${url})`,
    )
    .replace(/\*\*|__|~~|`/g, "")
    .replace(/(^|[\s(])[*_](?=\S)|(?<=\S)[*_](?=$|[\s).,;:!?])/g, "$1");
}

/** Behind the last sentence that is whole. */
function lastSentence(text: string): number {
  let cut = 0;
  for (const found of text.matchAll(sentenceEnd)) cut = found.index + found[0].length;
  // `1. ` at the start of a line is the number of an item.
  return /^\s*\d+[.)]\s$/.test(text.slice(0, cut)) ? 0 : cut;
}
