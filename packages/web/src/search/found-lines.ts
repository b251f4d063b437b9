// What a search found, line by line under its files. The server gives neighbouring lines of a file as one snippet.

export interface FoundSnippet {
  readonly file_path: string;
  readonly start_line: number;
  readonly snippet: string;
}

export interface FoundLine {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly marks: readonly (readonly [number, number])[];
}

export interface FileMatches {
  readonly path: string;
  readonly lines: readonly FoundLine[];
}

/** Characters that are shown before the first place, so that it is in sight in a narrow panel. */
const lead = 12;
/** A place that ends before this is in sight without that. */
const inSight = 26;
const maxShown = 300;

export function foundFiles(results: readonly FoundSnippet[], query: string): FileMatches[] {
  const files = new Map<string, FoundLine[]>();
  const parts = query.split("\n");
  for (const { file_path: path, start_line, snippet } of results) {
    const lines = files.get(path) ?? [];
    files.set(path, lines);
    snippet.split(/\r?\n/).forEach((text, index) => {
      const marks = parts.flatMap((part) => placesOf(text, part));
      const line = start_line + index;
      if (marks.length > 0) lines.push({ path, line, ...shortened(text, marks) });
    });
    // Found in a part of a line that the snippet does not show: the line itself is still worth going to.
    if (lines.length === 0) {
      lines.push({ path, line: start_line, ...shortened(snippet.split("\n")[0] ?? "", []) });
    }
  }
  return [...files].map(([path, lines]) => ({ path, lines }));
}

/** Capitals only count where what is searched for has one, as in the search itself. */
function placesOf(line: string, part: string): [number, number][] {
  const places: [number, number][] = [];
  if (part === "") return places;
  const folded = line.toLowerCase();
  // Where small letters take another number of characters, places in them would be others in the line.
  const isFolded = !/\p{Lu}/u.test(part) && folded.length === line.length;
  const text = isFolded ? folded : line;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    places.push([at, at + part.length]);
  }
  return places;
}

/** Without the space before it, and from shortly before the first place where that is far along. */
function shortened(
  text: string,
  marks: readonly (readonly [number, number])[],
): { text: string; marks: readonly (readonly [number, number])[] } {
  const [first, end] = marks[0] ?? [0, 0];
  const indent = text.length - text.trimStart().length;
  const isFar = first - indent > lead && end - indent > inSight;
  const cut = isFar ? wordAt(text, first - lead, first) : Math.min(indent, first);
  const dots = cut > indent ? "…" : "";
  const shown = dots + text.slice(cut, cut + maxShown);
  const by = cut - dots.length;
  return {
    text: shown,
    marks: marks
      .map(([from, to]) => [from - by, Math.min(to - by, shown.length)] as const)
      .filter(([from, to]) => from < to),
  };
}

/** Where the next word begins, unless that is the place itself. */
function wordAt(text: string, from: number, place: number): number {
  const space = text.indexOf(" ", from);
  return space !== -1 && space < place - 1 ? space + 1 : from;
}
