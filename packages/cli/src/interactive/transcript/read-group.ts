// Reads that follow each other, as one block: how many, and which. It stays open until something else follows.

import type { Item, ToolItem } from "@stet/client/items";
import type { Theme } from "../theme/theme.ts";
import { ItemBlock } from "./item-block.ts";
import { cleanLine, durationText, factsText, hanging, plural } from "./rows.ts";
import { countOf, expandedCall, stateSign } from "./tool-call.ts";

const maxNames = 12;

/** A call that only looks, and shows a person nothing but that it did. */
export function isRead(item: Item): item is ToolItem {
  return (
    item.kind === "tool" &&
    item.traits.includes("reads") &&
    !item.traits.some((trait) => trait === "edits" || trait === "runs" || trait === "network") &&
    item.preview === ""
  );
}

export class ReadGroup extends ItemBlock {
  #items: readonly ToolItem[];
  #isClosed = false;

  constructor(item: ToolItem, theme: Theme, hasGap: boolean) {
    super(theme, hasGap);
    this.#items = [item];
  }

  update(items: readonly Item[]): void {
    const reads = items.filter(isRead);
    if (reads.length === this.#items.length && reads.every((item, index) => item === this.#items[index]))
      return;
    this.#items = reads;
    this.changed();
  }

  /** Another item follows. */
  close(): void {
    this.#isClosed = true;
  }

  isTranscriptBlockFinalized(): boolean {
    return this.#isClosed && this.#items.every(({ status }) => status !== "running");
  }

  protected draw(width: number): readonly string[] {
    const items = this.#items;
    const status = items.some((item) => item.status === "running")
      ? "running"
      : items.some((item) => item.status === "failed")
        ? "failed"
        : "ok";
    const [first] = items;
    if (items.length === 1 && first !== undefined)
      return [
        ...hanging(stateSign(first.status, this.theme), [this.#line(first, true)], width),
        ...this.#failure(first, "  ", width),
      ];
    const title = this.theme.fg("toolTitle", titleOf(items));
    const shown = items.length > maxNames + 1 ? items.slice(-maxNames) : items;
    const hidden = items.length - shown.length;
    return [
      ...hanging(stateSign(status, this.theme), [title], width),
      ...(hidden > 0
        ? hanging("  ", [this.theme.fg("muted", `… ${hidden} before, Ctrl-O opens them`)], width)
        : []),
      ...shown.flatMap((item) => {
        const sign = `  ${item.status === "ok" ? `${this.theme.fg("muted", this.theme.symbol("bullet"))} ` : stateSign(item.status, this.theme)}`;
        return [...hanging(sign, [this.#line(item, false)], width), ...this.#failure(item, "    ", width)];
      }),
    ];
  }

  override expanded(width: number): readonly string[] {
    return this.#items.flatMap((item, index) => [
      ...(index === 0 ? [] : [""]),
      ...expandedCall(item, this.theme, width),
    ]);
  }

  #line(item: ToolItem, isTitle: boolean): string {
    const count = countOf(item);
    const facts = [
      ...(item.status === "ok" && count !== undefined ? [plural(count, "result")] : []),
      ...(item.durationMs !== null && item.durationMs >= 1000 ? [durationText(item.durationMs)] : []),
    ];
    const words = this.theme.fg(
      isTitle ? "toolTitle" : "muted",
      isTitle ? cleanLine(item.words) : nameOf(item),
    );
    return facts.length === 0 ? words : `${words}  ${this.theme.fg("muted", factsText(facts))}`;
  }

  #failure({ status, reason, result }: ToolItem, indent: string, width: number): string[] {
    const why = cleanLine((reason === "" ? result : reason).slice(0, 500));
    return status === "failed" && why !== "" ? hanging(indent, [this.theme.fg("error", why)], width) : [];
  }
}

/** `Read 5 files` where all of them are reads of files, else `Read and searched 7 times`. */
function titleOf(items: readonly ToolItem[]): string {
  const files = new Set(items.map(fileOf));
  if (!files.has(undefined)) return `Read ${plural(files.size, "file")}`;
  const reads = items.filter((item) => fileOf(item) !== undefined).length;
  const searches = items.length - reads;
  const looked = `looked ${searches === 1 ? "once" : `${searches} times`}`;
  return reads === 0 ? `Looked ${searches} times` : `Read ${plural(reads, "file")}, ${looked}`;
}

/** The file that a call reads, where it says `Read <name>`; a search looks in many. */
function fileOf({ words }: ToolItem): string | undefined {
  return /^Read (?!the )(.+)$/s.exec(words)?.[1];
}

function nameOf(item: ToolItem): string {
  return cleanLine(fileOf(item) ?? item.words);
}
