// Commands whose words are small programs of their own: sed, awk, jq, printf, find, test. Each is read-only only in the
// forms that are spelled out here.

import { namesOnly } from "./reach.ts";
import type { ReadOnly } from "./read-only-commands.ts";
import { literalOf, type ShellWord } from "./shell-step.ts";

// An address or two, then p, d, q, = or n; or a substitution with plain flags. No e, w, r, no blocks, no labels: those run
// commands and write files.
const sedAddress = String.raw`(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n]|\\[^\n])*\/)`;
const sedRange = `(?:${sedAddress}(?:\\s*,\\s*(?:${sedAddress}|\\+\\d+))?)?\\s*!?\\s*`;
const sedSubstitution = ["/", "\\|", "#", ",", "@"]
  .map(
    (mark) =>
      `s${mark}(?:[^${mark}\\\\\\n]|\\\\[^\\n])*${mark}(?:[^${mark}\\\\\\n]|\\\\[^\\n])*${mark}[gpiI0-9]*`,
  )
  .join("|");
const sedCommand = `${sedRange}(?:[pdq=nNDGhHx]|q\\d+|${sedSubstitution})\\s*`;
const sedScript = new RegExp(`^\\s*${sedCommand}(?:;\\s*${sedCommand})*;?\\s*$`);

export function isHarmlessSed(script: string | undefined): boolean {
  return script !== undefined && script.length < 1000 && !/\s{4}/.test(script) && sedScript.test(script);
}

const awkWords =
  /\b(?:system|getline|close|fflush|ENVIRON|ARGV|ARGC|PROCINFO|SYMTAB|FUNCTAB|include|load|namespace)\b/;

/** No pipe, no redirection, no other program or file. */
export function isHarmlessAwk(program: string | undefined): boolean {
  if (program === undefined || /[|<>@`]|\\\n/.test(program)) return false;
  return !awkWords.test(program);
}

/** Neither the environment nor modules from elsewhere. */
export function isHarmlessJq(filter: string | undefined): boolean {
  return filter !== undefined && !/\b(?:env|ENV|import|include|modulemeta|input_filename)\b/.test(filter);
}

/** printf without -v, and without `%n`: both assign to a variable, whose index can run commands. */
export function readOnlyPrintf(words: readonly ShellWord[]): ReadOnly | undefined {
  const format = literalOf(words[0]);
  if (format === undefined || format.startsWith("-")) return undefined;
  return /%[^a-zA-Z%]*[hlLjzt]*n/.test(format.replaceAll("%%", "")) ? undefined : { paths: [] };
}

const findTests = new Set(
  "-P -H -L -maxdepth -mindepth -name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -empty -newer -mtime -mmin -ctime -cmin -atime -amin -user -group -perm -not -and -or -a -o -prune -print -print0 -printf -ls -depth -d -xdev -mount -follow -links -inum -readable -writable -executable -true -false -quit -daystart -noleaf ! ( ) ,".split(
    " ",
  ),
);
const findFiles = new Set(["-newer"]);

/** find without actions that run, write or delete. */
export function readOnlyFind(words: readonly ShellWord[]): ReadOnly | undefined {
  const paths: ShellWord[] = [];
  let isExpression = false;
  for (const [index, word] of words.entries()) {
    const value = literalOf(word);
    // A pattern that begins with a wildcard could find a file called -delete.
    if (word.kind === "unknown" || (word.kind === "glob" && /^[*?[]/.test(word.value))) return undefined;
    if (value !== undefined && /^(?:-.|[!(),])/.test(value) && !isValue(words, index)) {
      isExpression = true;
      if (!findTests.has(value)) return undefined;
      continue;
    }
    if (!isExpression) paths.push(word);
    else if (findFiles.has(literalOf(words[index - 1]) ?? "")) paths.push(word);
  }
  return { paths, showsNames: true, walk: isShallow(words) ? undefined : namesOnly };
}

function isShallow(words: readonly ShellWord[]): boolean {
  const at = words.findIndex((word) => literalOf(word) === "-maxdepth");
  return at >= 0 && ["0", "1"].includes(literalOf(words[at + 1]) ?? "");
}

const findWithValue =
  /^-(?:maxdepth|mindepth|name|iname|path|ipath|wholename|iwholename|regex|iregex|regextype|type|xtype|size|newer|mtime|mmin|ctime|cmin|atime|amin|user|group|perm|printf|links|inum)$/;

/** Whether the word is what a test such as -mtime compares with: `-mtime -1`. */
function isValue(words: readonly ShellWord[], index: number): boolean {
  const before = literalOf(words[index - 1]);
  if (before === undefined || !findWithValue.test(before) || isValue(words, index - 1)) return false;
  return true;
}

const testOperators = new Set(
  "-a -b -c -d -e -f -g -h -k -n -o -p -r -s -t -u -w -x -z -G -L -N -O -S -nt -ot -ef -eq -ne -lt -le -gt -ge".split(
    " ",
  ),
);

/** test and [, with the operators that look and compare. `-v` and `-R` evaluate an index, and an unknown word could be one. */
export function readOnlyTest(words: readonly ShellWord[]): ReadOnly | undefined {
  const isPlain = words.every((word) => {
    const value = literalOf(word);
    return value !== undefined && (!/^-\D/.test(value) || testOperators.has(value));
  });
  return isPlain ? { paths: [] } : undefined;
}
