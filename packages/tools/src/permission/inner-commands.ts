// Commands that run other commands: looked through, so that what they run is judged, too. Where that is not possible, it is
// said that nothing is known.

import { readOptions } from "./options.ts";
import { everything, type Walk } from "./reach.ts";
import { programName } from "./read-only-commands.ts";
import { readBuiltin } from "./shell-builtins.ts";
import { literalOf, literalWord, type ShellKind, type ShellWord } from "./shell-step.ts";

export interface InnerScript {
  readonly text: string;
  /** Undefined: the shell that runs the command itself. */
  readonly shell?: ShellKind;
}

/** What a command does besides being itself. */
export interface Inner {
  readonly commands?: readonly (readonly ShellWord[])[];
  /** Texts that a shell reads as commands. */
  readonly scripts?: readonly InnerScript[];
  /** Whether files of the person or of the folder decide what is run before it. */
  readonly isConfigured?: boolean;
  readonly assigned?: readonly { readonly name: string; readonly source: string }[];
  readonly reads?: readonly ShellWord[];
  readonly writes?: readonly ShellWord[];
  /** Folders whose files are handed to what it runs. */
  readonly walked?: { readonly paths: readonly ShellWord[]; readonly walk: Walk } | undefined;
  /** Why nothing can be said of what it runs. */
  readonly unsure?: string;
  /** Why it needs permission itself, whatever it runs. Undefined when it only passes on. */
  readonly danger?: string;
  /** Whether the command is of its own kind besides, and has to be judged as well. */
  readonly isJudged?: boolean;
}

interface Wrapper {
  readonly options: string;
  /** How many operands stand before the command. */
  readonly skipped?: number;
  /** A file that it writes itself. */
  readonly writes?: string;
  readonly danger?: string;
}

const sudo: Wrapper = {
  options: "-AbEHkKnPS -ugpCT=",
  danger: "it acts with more rights than you have",
};

const wrappers: Readonly<Record<string, Wrapper>> = {
  chronic: { options: "" },
  command: { options: "-p" },
  doas: sudo,
  env: { options: "-i0 -u= ignore-environment null unset=" },
  exec: { options: "-cl -a=" },
  ionice: { options: "-t -cn= class= classdata= ignore" },
  nice: { options: "-n= -# adjustment=" },
  // Where its output would be a terminal.
  nohup: { options: "", writes: "nohup.out" },
  setsid: { options: "-cfw ctty fork wait" },
  stdbuf: { options: "-ioe= input= output= error=" },
  sudo,
  time: { options: "-pv -f= portability verbose format=" },
  timeout: { options: "-v -ks= kill-after= signal= preserve-status foreground verbose", skipped: 1 },
  unbuffer: { options: "-p" },
};

/** Commands that do nothing but make or fill the files that they name, with their options. */
const writers: Readonly<Record<string, string>> = {
  mkdir: "-pv parents verbose",
  tee: "-aip append ignore-interrupts",
  touch: "-acm -dt= -r=file no-create date= reference=file",
};

const unknownOption: Inner = { unsure: "an option of it is not known here" };
const unclear: Inner = { unsure: "it is not clear what it runs" };
const anything: ShellWord = { kind: "unknown", source: "…" };

/** Undefined for a command that runs nothing else. */
export function innerCommands(words: readonly ShellWord[]): Inner | undefined {
  const name = programName(literalOf(words[0]));
  if (name === undefined) return undefined;
  const rest = words.slice(1);
  if (Object.hasOwn(wrappers, name)) return throughWrapper(name, rest, wrappers[name]);
  if (Object.hasOwn(writers, name)) return writing(rest, writers[name]);
  switch (name) {
    case "builtin":
      return rest.length === 0 ? {} : { commands: [rest] };
    case "xargs":
      return throughXargs(rest);
    case "find":
      return throughFind(rest);
    case "fd":
    case "fdfind":
      return throughFd(rest);
    case "sh":
    case "bash":
    case "dash":
      return throughShell(name === "bash" ? "bash" : "sh", rest);
    case "zsh":
    case "fish":
    case "ksh":
    case "csh":
    case "tcsh":
    case "pwsh":
    case "powershell":
      return { unsure: "it is another shell, whose language is not read here" };
    case "npx":
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      return throughPackages(name, rest);
    default:
      return readBuiltin(name, rest);
  }
}

function throughWrapper(name: string, rest: readonly ShellWord[], wrapper: Wrapper | undefined): Inner {
  // `command -v name` tells where a program is.
  if (wrapper === undefined || (name === "command" && /^-[vV]$/.test(literalOf(rest[0]) ?? ""))) return {};
  const { danger, options, skipped = 0, writes } = wrapper;
  const more = danger === undefined ? {} : { danger };
  const operands = readOptions(rest, { options, endsAtOperand: true })?.operands.slice(skipped);
  if (operands === undefined) return { ...unknownOption, ...more };
  const assigned: { name: string; source: string }[] = [];
  for (const word of name === "env" ? operands : []) {
    const variable = word.kind === "unknown" ? undefined : /^([A-Za-z_]\w*)=/.exec(word.value)?.[1];
    if (variable === undefined) break;
    assigned.push({ name: variable, source: word.source });
  }
  const command = operands.slice(assigned.length);
  if (command.length > 0) {
    return {
      ...more,
      assigned,
      commands: [command],
      writes: writes === undefined ? [] : [literalWord(writes)],
    };
  }
  return name === "env" ? { assigned, danger: "it shows all variables, secrets among them" } : more;
}

function throughXargs(rest: readonly ShellWord[]): Inner {
  const read = readOptions(rest, {
    options:
      "-0rtx -IndLPs= -il? -a=file null no-run-if-empty verbose delimiter= max-args= max-procs= max-lines? max-chars= arg-file=file replace? exit",
    endsAtOperand: true,
  });
  if (read === undefined) return unknownOption;
  if (read.operands.length === 0) return { reads: read.files };
  // With -I the words come wherever the mark is, also as the command's name.
  const marks = [...(read.values.get("-I") ?? []), ...(read.values.get("--replace") ?? [])];
  const mark =
    literalOf(marks[0]) ?? (read.names.has("-i") || read.names.has("--replace") ? "{}" : undefined);
  return { reads: read.files, commands: [[...withMark(read.operands, mark), anything]] };
}

/** Words that have a mark in them become what is found. */
function withMark(words: readonly ShellWord[], mark: string | undefined): readonly ShellWord[] {
  return words.map((word) =>
    mark !== undefined && word.source.includes(mark) ? { ...anything, source: word.source } : word,
  );
}

const findRuns = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const findWrites = new Set(["-fprint", "-fprint0", "-fls", "-fprintf"]);

/** find is judged itself as well, unless it has actions: those are what matters. */
function throughFind(rest: readonly ShellWord[]): Inner | undefined {
  const commands: (readonly ShellWord[])[] = [];
  const writes: ShellWord[] = [];
  let danger: string | undefined;
  for (let at = 0; at < rest.length; at += 1) {
    const action = literalOf(rest[at]) ?? "";
    if (action === "-delete") danger = "it deletes what it finds";
    if (findWrites.has(action)) writes.push(rest[at + 1] ?? anything);
    if (!findRuns.has(action)) continue;
    const from = at + 1;
    while (at < rest.length && ![";", "+"].includes(literalOf(rest[at]) ?? "")) at += 1;
    commands.push(withMark(rest.slice(from, at), "{}"));
  }
  if (commands.length === 0 && writes.length === 0 && danger === undefined) return undefined;
  const walked = commands.length === 0 ? undefined : { paths: findRoots(rest), walk: findWalk(rest) };
  return { commands, writes, walked, ...(danger === undefined ? {} : { danger }) };
}

/** The words before the expression. */
function findRoots(rest: readonly ShellWord[]): readonly ShellWord[] {
  const at = rest.findIndex((word, index) => index > 0 && /^(?:-.|[!(])/.test(word.source));
  const roots = rest.slice(0, at === -1 ? rest.length : at).filter((word) => !/^-[PHL]$/.test(word.source));
  return roots.filter((word) => !word.source.startsWith("-"));
}

function findWalk(rest: readonly ShellWord[]): Walk {
  const values = rest.map((word) => literalOf(word) ?? "");
  const isPlain = !values.some((value) => ["-o", "-or", "!", "-not", "(", ","].includes(value));
  const only = rest.flatMap((word, index) => {
    const isName = ["-name", "-iname"].includes(values[index - 1] ?? "");
    return isPlain && isName && word.kind !== "unknown" ? [word.value] : [];
  });
  return { ...everything, only, followsLinks: values.includes("-L") || values.includes("-follow") };
}

function throughFd(rest: readonly ShellWord[]): Inner | undefined {
  const at = rest.findIndex((word) =>
    /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)(?:=|$)/.test(literalOf(word) ?? ""),
  );
  if (at === -1) return undefined;
  if ((literalOf(rest[at]) ?? "").includes("=")) return { unsure: "it runs a command for each file" };
  const words = rest.slice(at + 1).filter((word) => literalOf(word) !== ";");
  return { commands: [[...words, anything]], walked: { paths: [], walk: everything } };
}

/** Letters that sh, bash and dash know before -c. */
const shellFlags = /^-[elxuiv]*c[elxuiv]*$/;

function throughShell(shell: ShellKind, rest: readonly ShellWord[]): Inner | undefined {
  const first = literalOf(rest[0]);
  if (rest.length === 0 || first === "-" || first === "-s") {
    return { danger: "it runs whatever it is sent" };
  }
  if (first === undefined) return unclear;
  if (first === "--version" && rest.length === 1) return undefined;
  if (shellFlags.test(first)) {
    const text = literalOf(rest[1]);
    if (text === undefined) return unclear;
    // A shell for a person reads their files first, and those may read others.
    return { scripts: [{ text, shell }], isConfigured: /[il]/.test(first) };
  }
  if (first.startsWith("-")) return unknownOption;
  // A file of commands: as much as any other program.
  return undefined;
}

function throughPackages(name: string, rest: readonly ShellWord[]): Inner | undefined {
  const verbs = name === "npx" ? rest : rest.slice(1);
  if (name !== "npx" && !["exec", "x", "dlx"].includes(literalOf(rest[0]) ?? "")) return undefined;
  const at = verbs.findIndex((word) => /^(?:-c|--call)(?:=|$)/.test(literalOf(word) ?? ""));
  if (at === -1) return undefined;
  const flag = literalOf(verbs[at]) ?? "";
  const script = flag.includes("=") ? flag.slice(flag.indexOf("=") + 1) : literalOf(verbs[at + 1]);
  return script === undefined ? unclear : { scripts: [{ text: script, shell: "sh" }], isJudged: true };
}

function writing(rest: readonly ShellWord[], options = ""): Inner {
  const read = readOptions(rest, { options });
  const isClear = read !== undefined && read.operands.length > 0;
  return isClear
    ? { reads: read.files, writes: read.operands }
    : { unsure: "it is not clear which files it writes" };
}
