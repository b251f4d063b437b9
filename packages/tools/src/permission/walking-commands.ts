// Commands that go through whole folders, and how: which names they pass by, and whether they follow links.

import type { ReadOptions } from "./options.ts";
import { everything, namesOnly, type Walk } from "./reach.ts";
import { literalOf, type ShellWord } from "./shell-step.ts";

/** Undefined for a command that only reads what it is given. */
export function walkOf(name: string, words: readonly ShellWord[], read: ReadOptions): Walk | undefined {
  switch (name) {
    case "grep":
    case "egrep":
    case "fgrep":
      return walkOfGrep(read);
    case "rg":
      return walkOfRipgrep(read);
    case "diff":
      return { ...everything, followsLinks: true };
    case "ls":
      return words.some(isRecursive) ? namesOnly : undefined;
    case "tree":
      return namesOnly;
    case "du":
      return ["-s", "--summarize"].some((option) => read.names.has(option)) ? undefined : namesOnly;
    default:
      return undefined;
  }
}

function isRecursive(word: ShellWord): boolean {
  const value = literalOf(word) ?? "";
  return /^-[A-Za-z0-9]*R/.test(value) || /^--rec/.test(value);
}

function walkOfGrep({ names, values }: ReadOptions): Walk | undefined {
  const given = (option: string) => textsOf(values.get(option));
  const followsLinks = names.has("-R") || names.has("--dereference-recursive");
  const isNamed = [...given("-d"), ...given("--directories")].some((value) => value !== "skip");
  if (!followsLinks && !names.has("-r") && !names.has("--recursive") && !isNamed) return undefined;
  return {
    ...everything,
    only: given("--include"),
    excludedFiles: given("--exclude"),
    excludedFolders: given("--exclude-dir"),
    followsLinks,
  };
}

/** Kinds of files in which nobody keeps keys. */
const plainTypes =
  /^(?:ts|js|tsx|jsx|py|python|rust|go|java|kotlin|scala|c|cpp|cs|h|swift|ruby|rb|php|css|sass|html|md|markdown|sql|proto|vue|svelte|dart|elixir|haskell|lua|r|perl|zig)$/;

function walkOfRipgrep({ names, values }: ReadOptions): Walk | undefined {
  if (["--type-list", "--version", "--help", "-V", "-h"].some((option) => names.has(option)))
    return undefined;
  const given = [
    ...textsOf(values.get("-g")),
    ...textsOf(values.get("--glob")),
    ...textsOf(values.get("--iglob")),
  ];
  const wanted = given.filter((glob) => !glob.startsWith("!"));
  // The last glob wins, so that one that excludes is only certain where none includes.
  const excluded = wanted.length > 0 ? [] : given.map((glob) => glob.slice(1));
  const types = [...textsOf(values.get("-t")), ...textsOf(values.get("--type"))];
  const isUnrestricted = names.has("-u") || names.has("--unrestricted");
  return {
    shows: names.has("--files") ? "names" : "contents",
    only: wanted.map((glob) => glob.slice(glob.lastIndexOf("/") + 1)),
    excludedFiles: excluded,
    excludedFolders: excluded,
    // A glob that includes brings back what is hidden or ignored.
    hidden: wanted.length > 0 || isUnrestricted || names.has("--hidden") || names.has("-."),
    ignores:
      wanted.length === 0 && !isUnrestricted && !names.has("--no-ignore") && !names.has("--no-ignore-vcs"),
    followsLinks: names.has("-L") || names.has("--follow"),
    findsSecrets: types.length === 0 || !types.every((type) => plainTypes.test(type)),
  };
}

function textsOf(words: readonly ShellWord[] = []): readonly string[] {
  return words.map((word) => (word.kind === "unknown" ? "*" : word.value));
}
