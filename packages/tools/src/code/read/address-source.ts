// Internal addresses: kept outputs, and what the context's addresses resolve. All of them can only be read.

import type { ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { CodeContext } from "../code-context.ts";
import { pageSpan } from "./page.ts";
import { pagedLines, pagedText } from "./paged-text.ts";
import { parseSelector, type SelectedPath } from "./selector.ts";
import type { Source } from "./source.ts";

const form = /^([a-z][a-z0-9+.-]*):\/\//i;

export const addressSource: Source = {
  async read(path, context) {
    const scheme = form.exec(path)?.[1]?.toLowerCase();
    if (scheme === undefined) return undefined;
    const selected = parseSelector(path);
    if (isFault(selected)) return selected;
    if (scheme === "artifact") return readArtifact(context, selected);
    if (selected.selector !== undefined && context.addresses?.isExtract?.(selected.path)) {
      return new Fault(
        "invalid_arguments",
        "Cannot combine query extraction with offset/limit.",
        "Read the part as a whole, or lines of the whole.",
      );
    }
    const found = await context.addresses?.resolve(selected.path);
    if (found === undefined) return unknownScheme(context, path);
    if (isFault(found)) return found;
    return pagedText(context, found.text, { ...selected, source: selected.path });
  },
  async write({ path }) {
    if (!form.test(path)) return undefined;
    return new Fault("not_allowed", `${path} can only be read.`, "Write to a path in the workspace.", {
      address: path,
    });
  },
};

function readArtifact(context: CodeContext, { path, selector, isRaw }: SelectedPath): ToolOutcome | Fault {
  const number = Number(/^artifact:\/\/(\d+)\/?$/i.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(number) || context.readArtifact === undefined) {
    return new Fault(
      "unknown_address",
      `There is no ${path}: kept outputs have numbers, such as artifact://1.`,
      "Use the address that a tool gave for its full output.",
      { address: path },
    );
  }
  const { from, to } = pageSpan({ selector, isRaw, limit: context.settings.readLimit });
  const kept = context.readArtifact(number, { line: from, column: 1 }, { maxLines: to - from + 1 });
  if (isFault(kept)) return kept;
  const lines = kept.text.replace(/\n$/, "").split("\n");
  return pagedLines(
    context,
    { total: kept.totalLines, content: (line) => lines[line - from] ?? "" },
    { selector, isRaw, source: path },
  );
}

function unknownScheme({ addresses }: CodeContext, path: string): Fault {
  const names = ["artifact", "conflict", "issue", "local", "pr", "stet", ...(addresses?.schemes ?? [])];
  const known = names.map((scheme) => `${scheme}://`);
  return new Fault(
    "unknown_address",
    `${path} is not an address that read knows. There are: ${known.join(", ")}, and pages at https://.`,
    "Use one of these, or a path from the root.",
    { address: path },
  );
}
