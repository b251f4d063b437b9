// git, as far as it only reads.
//
// Before the name of its command almost any option lets git run something else (-c, --exec-path, --git-dir, -p), so hardly
// any is known here. Behind it, options that write a file, run a program or talk to another machine are left out.

import { readOptions } from "./options.ts";
import { everything } from "./reach.ts";
import type { GitContents, ReadOnly } from "./read-only-commands.ts";
import { literalOf, literalWord, type ShellWord } from "./shell-step.ts";

const before = new Set(["--no-pager", "--no-optional-locks", "--literal-pathspecs", "-P"]);

const shown =
  "oneline pretty? format= abbrev? no-abbrev abbrev-commit no-abbrev-commit date= graph decorate? no-decorate all branches? tags? remotes? merges no-merges first-parent reverse follow author= committer= grep= invert-grep all-match since= after= until= before= max-count= skip= reflog walk-reflogs cherry-pick cherry cherry-mark left-right boundary topo-order date-order source full-history simplify-merges ancestry-path notes? no-notes parents children left-only right-only relative-date name-only name-status";
const differences =
  "patch no-patch raw stat? numstat shortstat dirstat? summary name-only name-status unified? color? no-color word-diff? word-diff-regex= minimal patience histogram diff-algorithm= find-renames? find-copies? no-renames diff-filter= pickaxe-all pickaxe-regex ignore-space-change ignore-all-space ignore-blank-lines ignore-space-at-eol ignore-cr-at-eol inter-hunk-context= function-context exit-code quiet text cached staged merge-base relative? binary full-index compact-summary no-ext-diff no-textconv no-prefix src-prefix= dst-prefix= check cc combined-all-paths submodule? ignore-submodules? abbrev? diff-merges= color-moved? ita-invisible-in-index exit-code";
const log = `-abcgimpqrstuwWzR -nSGL= -UMBC? -# ${shown} ${differences} help`;

const harmlessKey =
  /^(?:user\.(?:name|email)|(?:core|init|push|pull|merge|diff|commit|rebase)\.\w+|branch\.[\w./-]+\.(?:remote|merge)|remote\.[\w.-]+\.(?:url|fetch))$/i;

/** The options of each that only change what is shown. */
const commands: Readonly<Record<string, string>> = {
  blame: "-bcefklnpstw -L= -MC? porcelain line-porcelain show-email date= root since= abbrev=",
  branch:
    "-arvqi list all remotes verbose show-current contains= no-contains= merged= no-merged= points-at= sort= format= color? no-color column? no-column abbrev? no-abbrev ignore-case",
  "cat-file": "-tspe",
  "check-ignore": "-qvnz quiet verbose no-index non-matching",
  config: "-z get get-all local show-origin show-scope type= null default=",
  "count-objects": "-vH",
  describe: "all tags contains abbrev= exact-match always long match= exclude= first-parent dirty? broken?",
  diff: log,
  "diff-tree": log,
  "for-each-ref": "count= sort= format= points-at= merged= no-merged= contains= no-contains= ignore-case",
  grep: "-aEFGhHilLnopPqvwWcz -ABCem= -# cached untracked no-index text ignore-case word-regexp invert-match extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match count color? no-color break heading show-function context= after-context= before-context= function-context and or not all-match quiet max-count= max-depth= recursive no-recursive",
  log,
  "ls-files":
    "-cdmosuikztvf -x= cached deleted modified others ignored stage unmerged killed exclude= exclude-standard error-unmatch full-name recurse-submodules abbrev? eol deduplicate directory no-empty-directory",
  "ls-tree": "-drtlz name-only name-status long full-name full-tree abbrev? object-only format=",
  "merge-base": "-a all octopus independent is-ancestor fork-point",
  "name-rev": "tags refs= exclude= all name-only no-undefined always",
  reflog: log,
  remote: "-v verbose",
  "rev-list": `${log} count objects use-bitmap-index disk-usage`,
  "rev-parse":
    "-q abbrev-ref? short? verify quiet show-toplevel show-prefix show-cdup git-dir git-common-dir absolute-git-dir is-inside-work-tree is-inside-git-dir is-bare-repository symbolic symbolic-full-name all branches? tags? remotes? show-superproject-working-tree",
  shortlog: "-nsec -w? numbered summary email group= all since= until= no-merges",
  show: log,
  "show-ref": "-hdsq head heads tags branches dereference hash? verify quiet abbrev? exists",
  stash: log,
  status:
    "-sbvz -u? short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? column? no-column ahead-behind no-ahead-behind renames no-renames find-renames?",
  tag: "-li -n? list contains= no-contains= merged= no-merged= points-at= sort= format= color? column? ignore-case",
  version: "build-options",
  whatchanged: log,
  worktree: "-vz porcelain verbose",
};

/** Of those that do more than read with other operands: which make them read. */
const isReading: Readonly<
  Record<string, (operands: readonly string[], names: ReadonlySet<string>) => boolean>
> = {
  branch: (operands, names) => operands.length === 0 || names.has("--list"),
  // One key that holds no secret. All of them would show the machine's configuration, and tokens in it.
  config: (operands) => operands.length === 1 && harmlessKey.test(operands[0] ?? ""),
  reflog: ([first]) => !["expire", "delete", "drop", "exists", "write", "list"].includes(first ?? ""),
  // `show` asks the other machine.
  remote: (operands) => operands.length === 0 || (operands[0] === "get-url" && operands.length === 2),
  stash: ([first]) => first === "list" || first === "show",
  tag: (operands, names) => operands.length === 0 || names.has("-l") || names.has("--list"),
  worktree: (operands) => operands.join() === "list",
};

export function readOnlyGit(words: readonly ShellWord[]): ReadOnly | undefined {
  let at = 0;
  while (before.has(literalOf(words[at]) ?? "")) at += 1;
  const name = literalOf(words[at]);
  const options = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (name === undefined || options === undefined) return undefined;
  const read = readOptions(words.slice(at + 1), { options });
  if (read === undefined) return undefined;
  const operands = read.operands.map((word) => literalOf(word) ?? "");
  if (isReading[name]?.(operands, read.names) === false) return undefined;
  if (name === "config") return { paths: [], isConfigured: true };
  // git compares any two files of the machine when they are outside of its folder, so operands count as paths.
  const isPattern = name === "grep" && !read.names.has("-e");
  const named = read.operands.slice(isPattern ? 1 : 0);
  const paths = named.flatMap(withPathOfRevision);
  const isWalk = ["--no-index", "--untracked"].some((option) => read.names.has(option));
  if (isWalk) {
    // A pattern of git's own may be about any file.
    const isAny = named.some((word) => /[*?[\\]|^:/.test(literalOf(word) ?? ""));
    const walk = { ...everything, ignores: !read.names.has("--no-index") };
    return { paths: isAny ? [literalWord("."), ...paths] : paths, isConfigured: true, walk };
  }
  const gitContents = showsContents(name, read.names) ? contentsOf(words) : undefined;
  return { paths, isConfigured: true, gitContents };
}

const summaries =
  "--stat --numstat --shortstat --dirstat --summary --name-only --name-status --raw --no-patch --quiet -s".split(
    " ",
  );
const patches = "-p -u --patch -U --unified -c --cc -W --function-context -L --word-diff --binary".split(" ");

/** Whether it shows lines of files, whichever those are. */
function showsContents(name: string, names: ReadonlySet<string>): boolean {
  const hasPatch = patches.some((option) => names.has(option));
  switch (name) {
    case "diff":
    case "show":
      return hasPatch || !summaries.some((option) => names.has(option));
    case "grep":
    case "cat-file":
      return true;
    default:
      return hasPatch;
  }
}

/** Behind `--` stand the paths that it is limited to, or that it leaves out. */
function contentsOf(words: readonly ShellWord[]): GitContents {
  const at = words.findIndex((word) => literalOf(word) === "--");
  const named = at === -1 ? [] : words.slice(at + 1);
  const isExclusion = (word: ShellWord) => /^:(?:[!^]|\(exclude\))/.test(literalOf(word) ?? "");
  return {
    limits: named.filter((word) => !isExclusion(word)),
    excluded: named.filter(isExclusion).flatMap((word) => literalOf(word) ?? []),
  };
}

/** The word itself, and in `HEAD:src/a.ts` the path, too. */
function withPathOfRevision(word: ShellWord): readonly ShellWord[] {
  if (word.kind === "unknown") return [word];
  const colon = word.value.indexOf(":");
  if (colon === -1) return [word];
  return [word, { ...word, value: word.value.slice(colon + 1) || "." }];
}
