// The commands that only read, with the options under which that is so.
//
// A command is in this table only if none of the options listed for it writes, runs a program, or reaches another machine.
// What is not listed is not read-only: that costs a question, never a file.

import { type OptionTable, type ReadOptions, readOptions } from "./options.ts";
import type { Walk } from "./reach.ts";
import { readOnlyGit } from "./read-only-git.ts";
import {
  isHarmlessAwk,
  isHarmlessJq,
  isHarmlessSed,
  readOnlyFind,
  readOnlyPrintf,
  readOnlyTest,
} from "./read-only-programs.ts";
import { literalOf, type ShellWord } from "./shell-step.ts";
import { walkOf } from "./walking-commands.ts";

export interface ReadOnly {
  /** The files and folders that it reads. */
  readonly paths: readonly ShellWord[];
  /** Whether it runs what the configuration of the folder names, so that only a sandbox makes it harmless. */
  readonly isConfigured?: boolean;
  /** How it goes through the folders among its paths, or through the one it runs in where it has none. */
  readonly walk?: Walk | undefined;
  /** Whether it shows which files there are, and nothing of what is in them. */
  readonly showsNames?: boolean;
  /** Files of git's history and index that it shows. */
  readonly gitContents?: GitContents | undefined;
}

/** What a command of git shows of the repository's files. */
export interface GitContents {
  /** The paths that it is limited to; all where there are none. */
  readonly limits: readonly ShellWord[];
  /** Pathspecs that it leaves out, as git reads them. */
  readonly excluded: readonly string[];
}

interface Entry {
  /** "any": no option of it does more than change what is shown. */
  readonly options: OptionTable | "any";
  /** What its operands are: files, text, a pattern and then files, or nothing at all. */
  readonly operands: "files" | "text" | "pattern" | "none";
  readonly maxOperands?: number;
  readonly isHarmless?: (read: ReadOptions) => boolean;
}

const files: Entry = { options: "any", operands: "files" };
const text: Entry = { options: "any", operands: "text" };
const plain: Entry = { options: "any", operands: "none" };

const grep: Entry = {
  options: {
    flags: "abcEFGHhiIlLnoPqRrsTUvVwxyzZ",
    values: "ABCDdem",
    files: "f",
    numbers: true,
    isForgiving: true,
    long: "extended-regexp fixed-strings basic-regexp perl-regexp regexp= file=file ignore-case no-ignore-case word-regexp line-regexp null-data no-messages invert-match version help max-count= byte-offset line-number line-buffered with-filename no-filename label= only-matching quiet silent binary-files= text directories= devices= recursive dereference-recursive include= exclude= exclude-from=file exclude-dir= files-without-match files-with-matches count initial-tab null before-context= after-context= context= color? colour? binary",
  },
  operands: "pattern",
};

const table: Readonly<Record<string, Entry>> = {
  arch: plain,
  awk: { options: { values: "Fv" }, operands: "pattern", isHarmless: harmlessAwk },
  basename: text,
  cat: files,
  cd: {
    options: { flags: "LP" },
    operands: "files",
    // Without a name it leads home, with `-` to wherever the shell was before.
    isHarmless: ({ operands }) => operands.length === 1 && literalOf(operands[0]) !== "-",
  },
  cksum: files,
  cmp: files,
  column: files,
  comm: files,
  cut: {
    options: {
      flags: "nsz",
      values: "bcdf",
      isForgiving: true,
      long: "bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated",
    },
    operands: "files",
  },
  date: {
    options: {
      flags: "uR",
      values: "d",
      files: "r",
      long: "utc universal date= iso-8601? rfc-3339= rfc-email",
    },
    operands: "text",
    isHarmless: ({ operands }) => operands.every((word) => literalOf(word)?.startsWith("+") === true),
  },
  df: files,
  diff: {
    options: {
      flags: "abBcdeEiNnpqrstTuwyZ",
      values: "CFILSUWx",
      files: "X",
      numbers: true,
      long: "normal brief report-identical-files context? unified? ed rcs side-by-side width= left-column suppress-common-lines show-c-function show-function-line= label= expand-tabs initial-tab tabsize= recursive no-dereference new-file unidirectional-new-file ignore-file-name-case exclude= exclude-from=file starting-file= ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr minimal speed-large-files color? help version",
    },
    operands: "files",
  },
  dirname: text,
  du: {
    options: {
      flags: "abcDhHkLlmPsSx0",
      values: "Bdt",
      files: "X",
      isForgiving: true,
      long: "all apparent-size bytes total dereference human-readable max-depth= summarize threshold= exclude= one-file-system si time? block-size= null",
    },
    operands: "files",
  },
  echo: text,
  egrep: grep,
  expand: files,
  false: text,
  fgrep: grep,
  file: {
    options: {
      flags: "bhiLNnrsS0kE",
      long: "brief mime mime-type mime-encoding dereference no-dereference help version",
    },
    operands: "files",
  },
  fmt: files,
  fold: files,
  gawk: { options: { values: "Fv" }, operands: "pattern", isHarmless: harmlessAwk },
  grep,
  groups: plain,
  head: files,
  hexdump: {
    options: { flags: "bcCdovx", values: "ns", long: "canonical length= skip= no-squeezing" },
    operands: "files",
  },
  hostname: { options: { flags: "fsiId", long: "fqdn short" }, operands: "none" },
  id: text,
  join: files,
  jq: {
    options: {
      flags: "acCejMnrRsS",
      long: "ascii-output compact-output color-output monochrome-output exit-status null-input raw-output raw-output0 join-output raw-input slurp sort-keys tab stream seq unbuffered help version indent=",
    },
    operands: "pattern",
    isHarmless: ({ operands }) => isHarmlessJq(literalOf(operands[0])),
  },
  ls: files,
  mawk: { options: { values: "Fv" }, operands: "pattern", isHarmless: harmlessAwk },
  md5sum: { options: { flags: "btz", isForgiving: true }, operands: "files" },
  nl: files,
  nproc: plain,
  od: files,
  paste: files,
  pwd: plain,
  readlink: files,
  realpath: files,
  rev: files,
  rg: {
    options: {
      flags: "abcFhHiIlLnNoPpqsSuUvVwx0",
      values: "ABCeEgmMrtTjd",
      files: "f",
      numbers: true,
      long: "after-context= before-context= context= color= colors= column no-column count count-matches case-sensitive crlf debug dfa-size-limit= encoding= engine= file=file files files-with-matches files-without-match fixed-strings follow glob= glob-case-insensitive heading no-heading help hidden no-hidden iglob= ignore-case invert-match json line-buffered line-number no-line-number line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= multiline multiline-dotall no-config no-ignore no-ignore-vcs no-messages null null-data one-file-system only-matching passthru path-separator= pcre2 pretty quiet regexp= replace= smart-case sort= sortr= stats text threads= trim type= type-not= type-list unrestricted version vimgrep with-filename no-filename word-regexp",
    },
    operands: "pattern",
  },
  sed: {
    options: {
      flags: "nErsuz",
      values: "e",
      long: "quiet silent regexp-extended expression= separate unbuffered null-data posix sandbox debug",
    },
    operands: "pattern",
    isHarmless: harmlessSed,
  },
  seq: text,
  sha1sum: { options: { flags: "btz", isForgiving: true }, operands: "files" },
  sha256sum: { options: { flags: "btz", isForgiving: true }, operands: "files" },
  sha512sum: { options: { flags: "btz", isForgiving: true }, operands: "files" },
  sleep: text,
  sort: {
    options: {
      flags: "bdfgiMhnrRVcCmsuz",
      values: "kt",
      long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort month-sort human-numeric-sort numeric-sort random-sort reverse sort= version-sort check? key= merge stable field-separator= unique zero-terminated help version",
    },
    operands: "files",
  },
  stat: files,
  strings: {
    options: { flags: "afw", values: "nte", long: "all bytes= radix= encoding=" },
    operands: "files",
  },
  tac: files,
  tail: files,
  tr: text,
  tree: {
    options: {
      flags: "adfilsFhnNpQrStuvUxCDgJX",
      values: "LIP",
      long: "noreport dirsfirst filelimit= gitignore prune du si inodes device matchdirs ignore-case charset= sort= help version",
    },
    operands: "files",
  },
  true: text,
  ":": text,
  tty: plain,
  type: text,
  uname: plain,
  unexpand: files,
  uniq: {
    options: {
      flags: "cdDiuz",
      values: "fsw",
      endsAtOperand: true,
      long: "count repeated all-repeated? skip-fields= group? ignore-case skip-chars= unique zero-terminated check-chars= help version",
    },
    operands: "files",
    // The second one is written to.
    maxOperands: 1,
  },
  uptime: plain,
  users: plain,
  wc: {
    options: {
      flags: "clLmw",
      isForgiving: true,
      long: "bytes chars lines max-line-length words total= help version",
    },
    operands: "files",
  },
  which: text,
  whoami: plain,
  // To it, an option behind the file is a second file, and written to.
  xxd: { options: { flags: "bepu", endsAtOperand: true }, operands: "files", maxOperands: 1 },
};

// Programs that are only asked for their revision. What they are asked with must be all there is.
const askedForVersion = new Set(
  "node npm npx bun deno python python3 pip pip3 ruby gem perl java javac gcc g++ clang make cmake tsc git docker jq rg bash zsh ffmpeg sqlite3 psql mysql eslint biome prettier vim code curl wget ssh".split(
    " ",
  ),
);
// They choose another program by what files of the folder say before they tell: a toolchain, a release, a plugin.
const configuredForVersion = new Set(
  "pnpm yarn go cargo rustc rustup php gh kubectl terraform swift dotnet uv poetry pytest".split(" "),
);

/** Names that only ever read, so that a function of that name would be something else than it seems. */
export function isKnownCommand(name: string): boolean {
  return (
    Object.hasOwn(table, name) ||
    ["git", "find", "printf", "test", "["].includes(name) ||
    askedForVersion.has(name) ||
    configuredForVersion.has(name)
  );
}

export function readOnlyCommand(words: readonly ShellWord[]): ReadOnly | undefined {
  const name = programName(literalOf(words[0]));
  if (name === undefined) return undefined;
  const rest = words.slice(1);
  if (rest.length === 1 && asksForVersion(name, literalOf(rest[0]))) {
    return { paths: [], isConfigured: configuredForVersion.has(name) };
  }
  if (name === "git") return readOnlyGit(rest);
  if (name === "find") return readOnlyFind(rest);
  if (name === "printf") return readOnlyPrintf(rest);
  if (name === "test" || name === "[") return readOnlyTest(rest);
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry === undefined) return undefined;
  const read = entry.options === "any" ? readAny(rest) : readOptions(rest, entry.options);
  if (read === undefined) return undefined;
  if (entry.isHarmless?.(read) === false) return undefined;
  if (read.operands.length > (entry.maxOperands ?? Number.POSITIVE_INFINITY)) return undefined;
  if (entry.operands === "none") return read.operands.length === 0 ? { paths: [] } : undefined;
  if (entry.operands === "text") return { paths: read.files };
  const hasPattern = entry.operands === "pattern" && !isPatternGiven(read);
  const paths = [...read.files, ...read.operands.slice(hasPattern ? 1 : 0)];
  return { paths, walk: walkOf(name, rest, read), showsNames: nameTellers.has(name) };
}

/** Programs that tell names, sizes and kinds of files. */
const nameTellers = new Set("ls stat du df tree readlink realpath".split(" "));

function asksForVersion(name: string, option: string | undefined): boolean {
  if (!askedForVersion.has(name) && !configuredForVersion.has(name)) return false;
  if (option === "-v") return ["node", "npm", "pnpm", "yarn", "bun", "tsc"].includes(name);
  return option === "--version" || (option === "version" && name === "go");
}

/** The program that a name means: bare, or in a folder of the system. Anything else is a file of somebody. */
export function programName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const bare = /^(?:\/usr)?\/bin\/([^/]+)$/.exec(name)?.[1] ?? name;
  return bare.includes("/") ? undefined : bare;
}

/** Any option is fine, but none that carries a path. */
function readAny(words: readonly ShellWord[]): ReadOptions | undefined {
  const operands: ShellWord[] = [];
  let isOver = false;
  for (const word of words) {
    const value = literalOf(word);
    if (isOver || value === undefined || !value.startsWith("-") || value === "-") operands.push(word);
    else if (value === "--") isOver = true;
    else if (/[/~]|from|file/.test(value)) return undefined;
  }
  return { operands, files: [], names: new Set(), values: new Map() };
}

/** Whether the pattern is an option's value, so that every operand is a file. */
function isPatternGiven({ names }: ReadOptions): boolean {
  return ["-e", "--regexp", "--expression", "-f", "--file", "--files"].some((name) => names.has(name));
}

function harmlessSed({ operands, values }: ReadOptions): boolean {
  const given = [...(values.get("-e") ?? []), ...(values.get("--expression") ?? [])];
  const scripts = given.length > 0 ? given : operands.slice(0, 1);
  return scripts.length > 0 && scripts.every((script) => isHarmlessSed(literalOf(script)));
}

function harmlessAwk({ operands, values }: ReadOptions): boolean {
  const assigned = values.get("-v") ?? [];
  const isPlain = assigned.every((word) => /^\w+=[^\\]*$/.test(literalOf(word) ?? ""));
  return isPlain && isHarmlessAwk(literalOf(operands[0]));
}
