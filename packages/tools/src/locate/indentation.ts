// Lines that are the same but for a uniform shift of their indentation, and how other lines are shifted with them.

export type Reindent = (line: string) => string;

const isBlank = (line: string) => line.trim() === "";
export const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? "";

/**
 * How the indentation of `written` becomes that of `found`, line for line: a prefix that all of them gain or lose, or spaces
 * that are tabs there. Undefined where no one way fits all of them.
 */
export function uniformShift(written: readonly string[], found: readonly string[]): Reindent | undefined {
  const indents = written.flatMap((line, index): [string, string][] =>
    isBlank(line) ? [] : [[indentOf(line), indentOf(found[index] ?? "")]],
  );
  const [first] = indents;
  if (first === undefined) return undefined;
  return prefixShift(indents, first) ?? tabShift(indents);
}

type Indents = readonly (readonly [written: string, found: string])[];

function prefixShift(indents: Indents, [written, found]: readonly [string, string]): Reindent | undefined {
  if (found.endsWith(written)) {
    const gained = found.slice(0, found.length - written.length);
    if (!indents.every(([one, other]) => other === gained + one)) return undefined;
    return (line) => (isBlank(line) ? line : gained + line);
  }
  if (!written.endsWith(found)) return undefined;
  const lost = written.slice(0, written.length - found.length);
  if (!indents.every(([one, other]) => one === lost + other)) return undefined;
  return (line) => (line.startsWith(lost) ? line.slice(lost.length) : line.slice(indentOf(line).length));
}

function tabShift(indents: Indents): Reindent | undefined {
  for (const width of [4, 2, 8]) {
    const toTabs = (indent: string) => {
      const levels = Math.floor(indent.length / width);
      return "\t".repeat(levels) + " ".repeat(indent.length - levels * width);
    };
    const fits = indents.every(([one, other]) => /^ *$/.test(one) && toTabs(one) === other);
    if (!fits) continue;
    return (line) => {
      const indent = indentOf(line);
      return indent.includes("\t") ? line : toTabs(indent) + line.slice(indent.length);
    };
  }
  return undefined;
}
