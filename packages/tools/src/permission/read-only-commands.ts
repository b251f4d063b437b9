// The commands that only read, with the options under which that is so.
//
// A command is in this table only if none of the options listed for it writes, runs a program, or reaches another machine.
// What is not listed is not read-only: that costs a question, never a file.

import { group } from "./dangerous-commands.ts";
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

interface Entry extends OptionTable {
  /** What its operands are: files, text, a pattern and then files, or nothing at all. */
  readonly operands: "files" | "text" | "pattern" | "none";
  readonly maxOperands?: number;
  readonly isHarmless?: (read: ReadOptions) => boolean;
}

function entry(operands: Entry["operands"], options: string, more: Partial<Entry> = {}): Entry {
  return { operands, options, ...more };
}

/** None of their options does more than change what is shown. */
const plainPrograms: Readonly<Record<string, Entry["operands"]>> = {
  ...group(
    "files",
    "cat cksum cmp column comm df expand fmt fold head join ls nl od paste readlink realpath rev stat tac tail unexpand",
  ),
  ...group("text", "basename dirname echo false id seq sleep tr true : type which"),
  ...group("none", "arch groups nproc pwd tty uname uptime users whoami"),
};

const awk = entry("pattern", "-Fv=", { isHarmless: harmlessAwk });
const checksum = entry("files", "-btz", { isForgiving: true });
const grep = entry(
  "pattern",
  "-abcEFGHhiIlLnoPqRrsTUvVwxyzZ -ABCDdem= -f=file -# extended-regexp fixed-strings basic-regexp perl-regexp regexp= file=file ignore-case no-ignore-case word-regexp line-regexp null-data no-messages invert-match version help max-count= byte-offset line-number line-buffered with-filename no-filename label= only-matching quiet silent binary-files= text directories= devices= recursive dereference-recursive include= exclude= exclude-from=file exclude-dir= files-without-match files-with-matches count initial-tab null before-context= after-context= context= color? colour? binary",
  { isForgiving: true },
);

const table: Readonly<Record<string, Entry>> = {
  awk,
  // Without a name it leads home, with `-` to wherever the shell was before.
  cd: entry("files", "-LP", {
    isHarmless: ({ operands }) => operands.length === 1 && literalOf(operands[0]) !== "-",
  }),
  cut: entry(
    "files",
    "-nsz -bcdf= bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated",
    { isForgiving: true },
  ),
  date: entry("text", "-uR -d= -r=file utc universal date= iso-8601? rfc-3339= rfc-email", {
    isHarmless: ({ operands }) => operands.every((word) => literalOf(word)?.startsWith("+") === true),
  }),
  diff: entry(
    "files",
    "-abBcdeEiNnpqrstTuwyZ -CFILSUWx= -X=file -# normal brief report-identical-files context? unified? ed rcs side-by-side width= left-column suppress-common-lines show-c-function show-function-line= label= expand-tabs initial-tab tabsize= recursive no-dereference new-file unidirectional-new-file ignore-file-name-case exclude= exclude-from=file starting-file= ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr minimal speed-large-files color? help version",
  ),
  du: entry(
    "files",
    "-abcDhHkLlmPsSx0 -Bdt= -X=file all apparent-size bytes total dereference human-readable max-depth= summarize threshold= exclude= one-file-system si time? block-size= null",
    { isForgiving: true },
  ),
  egrep: grep,
  fgrep: grep,
  file: entry(
    "files",
    "-bhiLNnrsS0kE brief mime mime-type mime-encoding dereference no-dereference help version",
  ),
  gawk: awk,
  grep,
  hexdump: entry("files", "-bcCdovx -ns= canonical length= skip= no-squeezing"),
  hostname: entry("none", "-fsiId fqdn short"),
  jq: entry(
    "pattern",
    "-acCejMnrRsS ascii-output compact-output color-output monochrome-output exit-status null-input raw-output raw-output0 join-output raw-input slurp sort-keys tab stream seq unbuffered help version indent=",
    { isHarmless: ({ operands }) => isHarmlessJq(literalOf(operands[0])) },
  ),
  mawk: awk,
  md5sum: checksum,
  rg: entry(
    "pattern",
    "-abcFhHiIlLnNoPpqsSuUvVwx0 -ABCeEgmMrtTjd= -f=file -# after-context= before-context= context= color= colors= column no-column count count-matches case-sensitive crlf debug dfa-size-limit= encoding= engine= file=file files files-with-matches files-without-match fixed-strings follow glob= glob-case-insensitive heading no-heading help hidden no-hidden iglob= ignore-case invert-match json line-buffered line-number no-line-number line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= multiline multiline-dotall no-config no-ignore no-ignore-vcs no-messages null null-data one-file-system only-matching passthru path-separator= pcre2 pretty quiet regexp= replace= smart-case sort= sortr= stats text threads= trim type= type-not= type-list unrestricted version vimgrep with-filename no-filename word-regexp",
  ),
  sed: entry(
    "pattern",
    "-nErsuz -e= quiet silent regexp-extended expression= separate unbuffered null-data posix sandbox debug",
    { isHarmless: harmlessSed },
  ),
  sha1sum: checksum,
  sha256sum: checksum,
  sha512sum: checksum,
  sort: entry(
    "files",
    "-bdfgiMhnrRVcCmsuz -kt= ignore-leading-blanks dictionary-order ignore-case general-numeric-sort month-sort human-numeric-sort numeric-sort random-sort reverse sort= version-sort check? key= merge stable field-separator= unique zero-terminated help version",
  ),
  strings: entry("files", "-afw -nte= all bytes= radix= encoding="),
  tree: entry(
    "files",
    "-adfilsFhnNpQrStuvUxCDgJX -LIP= noreport dirsfirst filelimit= gitignore prune du si inodes device matchdirs ignore-case charset= sort= help version",
  ),
  // The second one is written to.
  uniq: entry(
    "files",
    "-cdDiuz -fsw= count repeated all-repeated? skip-fields= group? ignore-case skip-chars= unique zero-terminated check-chars= help version",
    { endsAtOperand: true, maxOperands: 1 },
  ),
  wc: entry("files", "-clLmw bytes chars lines max-line-length words total= help version", {
    isForgiving: true,
  }),
  // To it, an option behind the file is a second file, and written to.
  xxd: entry("files", "-bepu", { endsAtOperand: true, maxOperands: 1 }),
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
    Object.hasOwn(plainPrograms, name) ||
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
  const known = Object.hasOwn(table, name) ? table[name] : undefined;
  const operands = known?.operands ?? (Object.hasOwn(plainPrograms, name) ? plainPrograms[name] : undefined);
  if (operands === undefined) return undefined;
  const read = known === undefined ? readAny(rest) : readOptions(rest, known);
  if (read === undefined || known?.isHarmless?.(read) === false) return undefined;
  const maxOperands = operands === "none" ? 0 : (known?.maxOperands ?? Number.POSITIVE_INFINITY);
  if (read.operands.length > maxOperands) return undefined;
  if (operands === "text" || operands === "none") return { paths: read.files };
  const hasPattern = operands === "pattern" && !isPatternGiven(read);
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
