// `stet://`: Stet's own documentation, as it came with this Stet.
//
//   stet://                     the pages, each with its title
//   stet://configuration        one of them; also configuration.md, and with #a-heading only from that heading on

import { readdirSync, readFileSync } from "node:fs";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { pagedText } from "./paged-text.ts";
import { parseSelector } from "./selector.ts";
import type { Source } from "./source.ts";

/** The same way from the sources and from the packed command, where this module counts as being in `bin/files/tools/code/read`. */
const folder = new URL("../../../../../docs/", import.meta.url);

export const docsSource: Source = {
  async read(path, context) {
    const selected = parseSelector(path);
    if (isFault(selected)) return selected;
    const [, rest] = /^stet:\/\/(.*)$/is.exec(selected.path) ?? [];
    if (rest === undefined) return undefined;
    const [given = "", heading = ""] = rest.replace(/^docs\//i, "").split("#", 2);
    const names = pageNames();
    if (isFault(names)) return names;
    const wanted = given.replace(/\/+$/, "").replace(/\.md$/i, "").toLowerCase();
    if (wanted === "") return { content: listing(names) };
    const name = names.find((each) => each.toLowerCase() === wanted);
    if (name === undefined) return unknown(given, names);
    const text = pageText(name);
    if (isFault(text)) return text;
    const part = heading === "" ? text : section(text, heading);
    return pagedText(context, part ?? text, { ...selected, source: `stet://${rest}` });
  },
};

function pageNames(): string[] | Fault {
  const files = attempt("listed", "stet://", () => readdirSync(folder));
  if (isFault(files)) return files;
  return files
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.slice(0, -".md".length))
    .sort();
}

function pageText(name: string): string | Fault {
  return attempt("read", `stet://${name}`, () => readFileSync(new URL(`${name}.md`, folder), "utf8"));
}

function listing(names: readonly string[]): string {
  const lines = names.map((name) => {
    const text = pageText(name);
    const title = isFault(text) ? undefined : /^# (.+)$/m.exec(text)?.[1];
    return `stet://${name}${title === undefined ? "" : `  ${title}`}`;
  });
  return ["The documentation of Stet:", "", ...lines].join("\n");
}

/** From the heading that a link names to the next one of its level; undefined where there is none. */
function section(text: string, anchor: string): string | undefined {
  const lines = text.split("\n");
  const levelOf = (line: string) => /^(#{1,6}) /.exec(line)?.[1]?.length;
  const from = lines.findIndex(
    (line) => levelOf(line) !== undefined && anchorOf(line) === anchor.toLowerCase(),
  );
  if (from < 0) return undefined;
  const level = levelOf(lines[from] ?? "") ?? 0;
  const length = lines.slice(from + 1).findIndex((line) => (levelOf(line) ?? 7) <= level);
  return lines.slice(from, length < 0 ? lines.length : from + 1 + length).join("\n");
}

/** As GitHub makes the name of a heading. */
function anchorOf(line: string): string {
  return line
    .replace(/^#+ /, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function unknown(name: string, names: readonly string[]): Fault {
  return new Fault(
    "unknown_address",
    `There is no page ${JSON.stringify(name.slice(0, 100))} in Stet's documentation.`,
    `There is: ${names.map((each) => `stet://${each}`).join(", ")}.`,
  );
}
