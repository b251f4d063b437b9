// Which symbol a name means: the full path, or as much of its end as tells it from all others.

import type { SymbolItem } from "../code/structure/symbols.ts";
import type { Miss } from "./miss.ts";
import { likeness, piecesOf } from "./nearest-place.ts";

const maxListed = 12;

/** `occurrence` counts from 1 among symbols of the same name, in the order of the file. */
export function findSymbol(
  path: string,
  symbols: readonly SymbolItem[],
  wanted: string,
  occurrence: number | undefined,
): SymbolItem | Miss {
  const name = plainName(wanted);
  const exact = symbols.filter(
    (item) => item.path === name || (item.aliases.length > 0 && item.aliases.includes(name)),
  );
  const found = exact.length > 0 ? exact : symbols.filter((item) => endsWith(item, name));
  if (found.length === 0) return unknownSymbol(path, symbols, wanted);
  if (occurrence !== undefined) {
    return found[occurrence - 1] ?? noSuchOccurrence(path, wanted, found, occurrence);
  }
  const [only] = found;
  if (found.length === 1 && only !== undefined) return only;
  return {
    code: "ambiguous_match",
    what: `${path} has ${found.length} symbols ${JSON.stringify(wanted)}.`,
    suggestion:
      "Use the full path of the one you mean; where paths are the same, add occurrence (1 is the first).",
    note: listed(found),
    facts: { symbols: linesOf(found) },
  };
}

/** `Class::method`, `Class#method`, `method()` and `## Heading` are understood. */
function plainName(wanted: string): string {
  const trimmed = wanted.trim();
  if (/^#+\s/.test(trimmed)) return trimmed.replace(/^#+\s+/, "");
  if (trimmed.startsWith("impl ")) return trimmed;
  return trimmed.replace(/\(\)$/, "").replace(/::|(?<=\w)#(?=\w)/g, ".");
}

function endsWith({ path, name, aliases }: SymbolItem, wanted: string): boolean {
  const isEnd = (whole: string) => whole.endsWith(`.${wanted}`) || whole.endsWith(` > ${wanted}`);
  return name === wanted || isEnd(path) || aliases.some(isEnd);
}

/** One line for each, with its lines. */
function listed(symbols: readonly SymbolItem[]): string {
  const lines = symbols
    .slice(0, maxListed)
    .map(
      ({ path, kind, from, to }) =>
        `- ${path} (${kind}, ${from === to ? `line ${from}` : `lines ${from}-${to}`})`,
    );
  if (symbols.length > maxListed) lines.push(`- and ${symbols.length - maxListed} more`);
  return lines.join("\n");
}

function linesOf(symbols: readonly SymbolItem[]): { symbol: string; start: number; end: number }[] {
  return symbols.slice(0, maxListed).map(({ path, from, to }) => ({ symbol: path, start: from, end: to }));
}

function unknownSymbol(path: string, symbols: readonly SymbolItem[], wanted: string): Miss {
  const code = "unknown_symbol";
  if (symbols.length === 0) {
    return {
      code,
      what: `No symbols were found in ${path}: it is empty, or not in a language whose structure is known.`,
      suggestion: "Use write to give the file its whole content.",
      facts: { symbol: wanted },
    };
  }
  const near = nearest(symbols, plainName(wanted));
  return {
    code,
    what: `${path} has no symbol ${JSON.stringify(wanted)}.`,
    suggestion: "Use one of these, or read the file to see what it has.",
    note: `Nearest:\n${listed(near)}`,
    facts: { symbol: wanted, nearest: linesOf(near) },
  };
}

function noSuchOccurrence(
  path: string,
  wanted: string,
  found: readonly SymbolItem[],
  occurrence: number,
): Miss {
  return {
    code: "unknown_symbol",
    what: `${path} has ${found.length} of ${JSON.stringify(wanted)}, so there is no occurrence ${occurrence}.`,
    suggestion: `Give an occurrence from 1 to ${found.length}, or the full path.`,
    note: listed(found),
    facts: { symbol: wanted, symbols: linesOf(found) },
  };
}

function nearest(symbols: readonly SymbolItem[], wanted: string): SymbolItem[] {
  const last = wanted.split(/[.>]/).at(-1)?.trim() ?? wanted;
  // Marks around it make pieces of short names, too.
  const like = (one: string, other: string) => likeness(piecesOf(`^^${one}$$`), piecesOf(`^^${other}$$`));
  const scored = symbols.map((item) => ({
    item,
    score: Math.max(like(item.name, last), like(item.path, wanted)),
  }));
  scored.sort((one, other) => other.score - one.score);
  return scored.slice(0, 5).map(({ item }) => item);
}
