// Globs, matched in linear time: `*` and `?` stay within a name, `**` crosses folders, `{a,b}` and `[a-z]` as usual.
//
// Not Node's `path.matchesGlob`, which can take for ever on `*a*a*a…b`, and not ripgrep's `-g`, which brings back files
// that are ignored or hidden.

import { Fault } from "@stet/protocol/fault";

const maxGlobLength = 1000;
const maxAlternatives = 100;

/** Whether a path is one that the glob means. Takes time in proportion to both, whatever the glob. */
export function compileGlob(glob: string): ((path: string) => boolean) | Fault {
  const isNegated = glob.startsWith("!");
  const body = glob.slice(isNegated ? 1 : 0).replace(/^\.\//, "");
  if (body === "" || glob.length > maxGlobLength) {
    const problem = body === "" ? "is empty" : `is longer than ${maxGlobLength} characters`;
    return globFault(glob, problem);
  }
  const whole = body.endsWith("/") ? `${body}**` : body;
  const anchored = whole.includes("/") ? whole.replace(/^\//, "") : `**/${whole}`;
  const alternatives = expandBraces(anchored);
  if (typeof alternatives === "string") return globFault(glob, alternatives);
  const steps: Step[][] = [];
  for (const alternative of alternatives) {
    const compiled = compileAlternative(alternative);
    if (compiled === undefined) return globFault(glob, 'has a "[" without its "]"');
    steps.push(compiled);
  }
  return (path) => steps.some((alternative) => matches(alternative, path)) !== isNegated;
}

function globFault(glob: string, problem: string): Fault {
  return new Fault(
    "invalid_regex",
    `The glob ${JSON.stringify(glob.slice(0, 100))} ${problem}.`,
    'Write it like "*.md", "notes/**" or "src/**/*.{ts,tsx}"; put "\\" before a character that is meant as it is.',
    { glob: glob.slice(0, maxGlobLength) },
  );
}

/** All globs that the braces stand for, or what is wrong with them. */
function expandBraces(glob: string): string[] | string {
  const open = findUnescaped(glob, "{", 0);
  if (open < 0) return [glob];
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < glob.length; at += 1) {
    const character = glob[at];
    if (character === "\\") at += 1;
    else if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    if ((character === "," && depth === 1) || (character === "}" && depth === 0)) {
      parts.push(glob.slice(from, at));
      from = at + 1;
    }
    if (character === "}" && depth === 0) break;
  }
  if (depth > 0) return 'has a "{" without its "}"';
  const expanded: string[] = [];
  for (const part of parts) {
    const alternatives = expandBraces(glob.slice(0, open) + part + glob.slice(from));
    if (typeof alternatives === "string") return alternatives;
    expanded.push(...alternatives);
    if (expanded.length > maxAlternatives) return `stands for more than ${maxAlternatives} globs`;
  }
  return expanded;
}

function findUnescaped(glob: string, wanted: string, from: number): number {
  for (let at = from; at < glob.length; at += 1) {
    if (glob[at] === wanted) return at;
    if (glob[at] === "\\") at += 1;
  }
  return -1;
}

/** What may come next in a path: one such character, any number of them, or any number of whole folders. */
interface Step {
  readonly kind: "one" | "many" | "folders";
  readonly accepts: (character: string) => boolean;
}

const anything = () => true;
const withinName = (character: string) => character !== "/";

function compileAlternative(glob: string): Step[] | undefined {
  const steps: Step[] = [];
  for (let at = 0; at < glob.length; ) {
    const rest = glob.slice(at);
    const startsName = at === 0 || glob[at - 1] === "/";
    const stars = /^\*+/.exec(rest)?.[0].length ?? 0;
    if (startsName && stars === 2 && rest[2] === "/") {
      steps.push({ kind: "folders", accepts: anything });
      at += 3;
    } else if (startsName && rest === "**") {
      steps.push({ kind: "one", accepts: anything }, { kind: "many", accepts: anything });
      at += 2;
    } else if (stars > 0) {
      steps.push({ kind: "many", accepts: withinName });
      at += stars;
    } else if (rest.startsWith("?")) {
      steps.push({ kind: "one", accepts: withinName });
      at += 1;
    } else if (rest.startsWith("[")) {
      const set = /^\[([!^]?)(\]?[^\]]*)\]/u.exec(rest);
      if (set === null) return undefined;
      steps.push({ kind: "one", accepts: characterSet(set[2] ?? "", set[1] !== "") });
      at += set[0].length;
    } else {
      const [literal = ""] = rest.startsWith("\\") ? rest.slice(1) : rest;
      steps.push({ kind: "one", accepts: (character) => character === literal });
      at += literal.length + (rest.startsWith("\\") ? 1 : 0);
    }
  }
  return steps;
}

function characterSet(set: string, isNegated: boolean): (character: string) => boolean {
  const ranges = [...set.matchAll(/(.)-(.)|(.)/gsu)].map(
    ([, first, last, only]) => [only ?? first ?? "", only ?? last ?? ""] as const,
  );
  return (character) =>
    withinName(character) &&
    ranges.some(([first, last]) => first <= character && character <= last) !== isNegated;
}

/** Follows all ways through the steps at once: trying them one after the other can take forever. */
function matches(steps: readonly Step[], path: string): boolean {
  let reached = withSkipped(steps, new Set([0]), true);
  for (const character of path) {
    const next = new Set<number>();
    for (const index of reached) {
      const step = steps[index];
      if (step?.accepts(character)) next.add(step.kind === "one" ? index + 1 : index);
    }
    if (next.size === 0) return false;
    reached = withSkipped(steps, next, character === "/");
  }
  return reached.has(steps.length);
}

/** Adds what is reached without another character. The set grows while it is walked. */
function withSkipped(steps: readonly Step[], reached: Set<number>, startsName: boolean): Set<number> {
  for (const index of reached) {
    const kind = steps[index]?.kind;
    if (kind === "many" || (kind === "folders" && startsName)) reached.add(index + 1);
  }
  return reached;
}
