// Patterns as models write them: braces that cannot be a repetition are meant as they are, so `${name}` and `if {` need no
// escaping. `{3}`, `{3,}`, `{3,5}`, `\p{L}` and `\x{41}` stay what they are. An open brace of a glob is closed.

const repetition = /^\{\d+(?:,\d*)?\}/;

export function tolerantRegex(pattern: string): string {
  let result = "";
  let isInClass = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? "";
    if (character === "\\") {
      const escaped = /^\\(?:[pPxuU]\{[^}]*\}|.)/s.exec(pattern.slice(at))?.[0] ?? "\\";
      result += escaped;
      at += escaped.length - 1;
      continue;
    }
    if (character === "[" && !isInClass) isInClass = true;
    else if (character === "]") isInClass = false;
    if (isInClass || (character !== "{" && character !== "}")) {
      // No line goes on behind its end, least of all with a brace.
      const isText = character === "$" && !isInClass && /^\$\{(?!\d+(?:,\d*)?\})/.test(pattern.slice(at));
      result += isText ? "\\$" : character;
      continue;
    }
    const counted = character === "{" ? repetition.exec(pattern.slice(at))?.[0] : undefined;
    // A repetition needs something to repeat.
    const isRepetition = counted !== undefined && result !== "" && !/(?:^|[^\\])[(|]$/.test(result);
    result += isRepetition ? counted : `\\${character}`;
    if (isRepetition) at += counted.length - 1;
  }
  return result;
}

export function tolerantGlob(glob: string): string {
  const slashed = glob.replaceAll("\\", "/");
  const open = slashed.split("{").length - slashed.split("}").length;
  return open > 0 ? slashed + "}".repeat(open) : slashed;
}
