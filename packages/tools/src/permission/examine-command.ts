// A command line as a list of findings: everything in it that needs permission, and how much.
//
// - `read`: it only reads, and what it reads is listed as paths of their own.
// - `configured`: it only reads, but may run what files of the folder name, and no sandbox holds that.
// - `other`: what it does is not known here; a sandbox can hold it.
// - `danger`: it is asked for wherever a person wants to be asked at all.

import { dangerOf } from "./dangerous-commands.ts";
import { type Inner, innerCommands } from "./inner-commands.ts";
import {
  absolutePath,
  judgePath,
  judgeWord,
  type PathContext,
  type PathKind,
  shownPath,
} from "./path-context.ts";
import { expandPattern, type Walk, walkedPaths } from "./reach.ts";
import { type GitContents, isKnownCommand, readOnlyCommand } from "./read-only-commands.ts";
import type { ReadRules } from "./read-rules.ts";
import { shellCommands } from "./shell-commands.ts";
import {
  type Folders,
  literalOf,
  literalWord,
  type ShellKind,
  type ShellStep,
  type ShellWord,
  sourceOf,
} from "./shell-step.ts";
import { assignmentRisk, isSecretVariable } from "./variables.ts";

export type Risk = "read" | "configured" | "other" | "danger";

interface Judged {
  readonly risk: Risk;
  readonly why: string;
}

export type Finding =
  | {
      readonly kind: "command";
      /** As written. */
      readonly source: string;
      readonly words: readonly ShellWord[];
      readonly risk: Risk;
      readonly why: string;
      /** Whether it passes on commands or code, so that no rule may remember it. */
      readonly isWrapper: boolean;
    }
  | {
      readonly kind: "path";
      readonly source: string;
      readonly access: "read" | "write";
      readonly place: PathKind;
      readonly names: readonly string[];
    }
  | {
      readonly kind: "assignment";
      readonly source: string;
      readonly name: string;
      readonly risk: Risk;
      readonly why: string;
    }
  /** Nothing is known, so it counts as dangerous, unless it can at most read something else. */
  | {
      readonly kind: "unsure";
      readonly source: string;
      readonly why: string;
      readonly risk: "other" | "danger";
    };

export interface CommandSetting {
  readonly place: PathContext;
  /** Where the command would run, from the root. */
  readonly folder: string;
  readonly hasSandbox: boolean;
  /** The rules that something reached has to be held against. */
  readonly readRules: ReadRules;
}

export type Examined =
  | { readonly kind: "parsed"; readonly findings: readonly Finding[] }
  | { readonly kind: "unparsed"; readonly why: string };

export type ExamineCommand = (command: string, setting: CommandSetting) => Examined;

const maxDepth = 6;

export function examineCommand(command: string, setting: CommandSetting): Examined {
  const examiner = new Examiner(setting);
  examiner.readStart();
  examiner.readLine(command, ["."], 0);
  const { findings, problem: why } = examiner;
  return why === undefined ? { kind: "parsed", findings } : { kind: "unparsed", why };
}

class Examiner {
  readonly findings: Finding[] = [];
  /** Why the line, or one in it, cannot be understood. */
  problem: string | undefined;
  readonly #setting: CommandSetting;
  /** Which shell reads the line that is looked at. */
  #shell: ShellKind;

  constructor(setting: CommandSetting) {
    this.#setting = setting;
    this.#shell = setting.place.shell;
  }

  /** Where the shell is counts, too: `ls` and `rg foo` read it without naming it. */
  readStart(): void {
    const { place, folder } = this.#setting;
    const { kind, names } = judgePath(place, ".", folder === "" ? "." : folder);
    if (kind === "inside" || kind === "nowhere") return;
    this.findings.push({ kind: "path", source: folder, access: "read", place: kind, names });
  }

  readLine(line: string, start: Folders, depth: number): void {
    const parsed = shellCommands(line, this.#shell);
    if (parsed.kind === "unparsed") this.problem ??= parsed.why;
    else for (const step of parsed.steps) this.#readStep(step, start, depth);
  }

  #readStep(step: ShellStep, start: Folders, depth: number): void {
    switch (step.kind) {
      case "command":
        this.#readCommand(step.words, within(start, step.folders), depth);
        return;
      case "redirection":
        this.#readPath(step.target, step.access, within(start, step.folders), step.source);
        return;
      case "assignment":
        this.#assign(step.name, step.source, step.isLasting);
        return;
      case "variable":
        if (isSecretVariable(step.name)) this.#unsure(step.source, "it uses a variable that holds a secret");
        return;
      case "function":
        if (isKnownCommand(step.name)) this.#unsure(step.source, "it gives a known command another meaning");
        return;
      default:
        this.#unsure(step.source, step.why, "other");
    }
  }

  #readCommand(words: readonly ShellWord[], folders: Folders, depth: number): void {
    const source = sourceOf(words);
    const name = literalOf(words[0]);
    if (name === undefined || name === "" || name.startsWith("!") || name.startsWith("-")) {
      this.#unsure(source, "it is not clear which command this is");
      return;
    }
    const inner = innerCommands(words);
    const isWrapper = inner !== undefined;
    if (inner !== undefined) {
      this.#readInner(inner, words, folders, depth);
      if (inner.isJudged !== true) return;
    }
    const danger = dangerOf(words);
    const reads = danger === undefined || isKnownGit(words) ? readOnlyCommand(words) : undefined;
    if (reads === undefined) {
      const why = danger ?? "it is not known to only read";
      this.#command(words, { risk: danger === undefined ? "other" : "danger", why }, isWrapper);
      return;
    }
    this.#command(words, this.#riskOfReading(name, reads.isConfigured === true, "it only reads"), isWrapper);
    for (const path of reads.paths) this.#readPath(path, "read", folders, source, reads.showsNames);
    if (reads.walk !== undefined) this.#readFolders(reads.paths, reads.walk, folders, source);
    if (reads.gitContents !== undefined) this.#readGit(reads.gitContents, folders, source);
  }

  #command(words: readonly ShellWord[], judged: Judged, isWrapper: boolean): void {
    this.findings.push({ kind: "command", source: sourceOf(words), words, ...judged, isWrapper });
  }

  /** What a program that only reads may be nevertheless. */
  #riskOfReading(name: string, isConfigured: boolean, otherwise: string): Judged {
    const { place, hasSandbox } = this.#setting;
    if (place.isWritableProgram(name)) {
      return { risk: "other", why: `${name} is a program that commands can have written` };
    }
    if (!isConfigured || hasSandbox) return { risk: "read", why: otherwise };
    return {
      risk: "configured",
      why: "it may run what files of the folder name, and no sandbox holds that",
    };
  }

  #readInner(inner: Inner, words: readonly ShellWord[], folders: Folders, depth: number): void {
    const source = sourceOf(words);
    const { commands, scripts = [], unsure, danger, walked } = inner;
    if (unsure !== undefined) this.#unsure(source, unsure);
    if (danger !== undefined) this.#command(words, { risk: "danger", why: danger }, true);
    else if (unsure === undefined && inner.isJudged !== true) {
      // It does nothing itself, but a rule may forbid it.
      const name = literalOf(words[0]) ?? "";
      const isConfigured = inner.isConfigured === true;
      this.#command(words, this.#riskOfReading(name, isConfigured, "it passes on to what it runs"), true);
    }
    // What is set before a command is set for it alone.
    for (const { name, source: text } of inner.assigned ?? [])
      this.#assign(name, text, commands === undefined);
    for (const path of [...(inner.reads ?? []), ...(walked?.paths ?? [])])
      this.#readPath(path, "read", folders, source);
    for (const path of inner.writes ?? []) this.#readPath(path, "write", folders, source);
    if (walked !== undefined) this.#readFolders(walked.paths, walked.walk, folders, source);
    if (depth >= maxDepth) {
      this.problem ??= "commands in it run commands, too deeply";
      return;
    }
    for (const command of commands ?? []) {
      if (command.length === 0) this.#unsure(source, "it is not clear what it runs");
      else this.#readCommand(command, folders, depth + 1);
    }
    for (const { text, shell = this.#shell } of scripts) {
      const outer = this.#shell;
      this.#shell = shell;
      this.readLine(text, folders, depth + 1);
      this.#shell = outer;
    }
  }

  #readPath(
    word: ShellWord,
    access: "read" | "write",
    folders: Folders,
    source: string,
    showsNames = false,
  ): void {
    const { place, folder, readRules } = this.#setting;
    const absolute = literalOf(word)?.startsWith("/") === true || literalOf(word)?.startsWith("~") === true;
    const starts = folders ?? (absolute ? ["."] : undefined);
    const reached = starts?.map((start) => judgeWord(place, joinFolder(folder, start), word));
    if (reached === undefined || reached.includes(undefined)) {
      this.#unclearFile(access, source);
      return;
    }
    for (const found of reached) {
      if (found === "too many") this.#tooMany(source);
      if (found === undefined || found === "too many") continue;
      for (const [index, { kind, names }] of found.entries()) {
        if (kind === "nowhere") continue;
        // The name of what a pattern finds tells nothing of what is in it.
        if (index > 0 && showsNames && !names.some(readRules.isAbout)) continue;
        this.findings.push({ kind: "path", source, access, place: kind, names });
      }
    }
  }

  #unclearFile(access: "read" | "write", source: string): void {
    const isReading = access === "read";
    const why = `it is not clear which file it ${isReading ? "reads" : "writes"}`;
    this.#unsure(source, why, isReading ? "other" : "danger");
  }

  #tooMany(source: string): void {
    this.#unsure(source, "it reads more files than can be looked at; it can name fewer");
  }

  /** What it comes by on its way through folders. */
  #readFolders(paths: readonly ShellWord[], walk: Walk, folders: Folders, source: string): void {
    const { place, folder, readRules } = this.#setting;
    const tree = {
      entriesIn: place.entriesIn,
      shown: (absolute: string) => shownPath(place, absolute),
      isRuled: readRules.isAbout,
      hasRules: readRules.targets.length > 0,
    };
    for (const start of folders ?? []) {
      const at = absolutePath(place, place.root, joinFolder(folder, start));
      for (const path of this.#folderPaths(paths, at)) {
        const found = walkedPaths(tree, place.realPath(path), walk);
        if (found === "too many") this.#tooMany(source);
        else {
          const reached = walk.ignores && !this.#isIgnored(path) ? this.#unignored(found) : found;
          for (const each of reached) this.#readPath(literalWord(each), "read", ["."], source);
        }
      }
    }
  }

  /** The folders that are walked, absolute: those that are named, or the one that the command runs in. */
  #folderPaths(paths: readonly ShellWord[], at: string): readonly string[] {
    const { place } = this.#setting;
    if (paths.length === 0) return [at];
    return paths.flatMap((word) => {
      if (word.kind === "unknown") return [];
      const path = absolutePath(place, at, word.value);
      const found = word.kind === "glob" ? expandPattern(place.entriesIn, path) : [path];
      // Reading the word itself has told of too many.
      return found === "too many" ? [] : found;
    });
  }

  /** Without those that a program passes by because git ignores them. */
  #unignored(paths: readonly string[]): readonly string[] {
    const { place } = this.#setting;
    if (paths.length === 0) return paths;
    const inside = paths.filter((path) => !shownPath(place, path).startsWith("/"));
    const kept = new Set(place.git.unignored(inside.map((path) => shownPath(place, path))));
    return paths.filter((path) => !inside.includes(path) || kept.has(shownPath(place, path)));
  }

  /** A folder that is named is searched, also where git ignores it. */
  #isIgnored(folder: string): boolean {
    const { place } = this.#setting;
    const path = shownPath(place, place.realPath(folder));
    return path !== "." && !path.startsWith("/") && place.git.unignored([path]).length === 0;
  }

  /** Lines of tracked files, also of those that are only in the history any more. */
  #readGit({ limits, excluded }: GitContents, folders: Folders, source: string): void {
    const { place, folder, readRules } = this.#setting;
    if (readRules.targets.length === 0) return;
    const pathspecs = this.#gitScope(limits, folders)?.flatMap(readRules.pathspecsIn) ?? readRules.pathspecs;
    if (pathspecs.length === 0) return;
    // Those that are written are relative to the folder that git runs in.
    const isAtRoot = (folder === "." || folder === "") && folders?.every((start) => start === ".") === true;
    const known = place.git.known([...pathspecs, ...(isAtRoot ? excluded : [])]);
    if (known === undefined) {
      this.#unsure(source, "it cannot be told whether git would show what a rule is about");
      return;
    }
    for (const path of known.slice(0, 20)) {
      const { kind, names } = judgePath(place, ".", path);
      this.findings.push({ kind: "path", source, access: "read", place: kind, names });
    }
  }

  /** The paths from the root that a command of git is limited to; undefined where that is not certain. */
  #gitScope(limits: readonly ShellWord[], folders: Folders): readonly string[] | undefined {
    const { place, folder } = this.#setting;
    const isPlain = limits.every((word) => !/^:|[*?[\\]/.test(literalOf(word) ?? "*"));
    if (limits.length === 0 || !isPlain) return undefined;
    return folders?.flatMap((start) => {
      return limits.flatMap((word) => {
        return judgePath(place, joinFolder(folder, start), literalOf(word) ?? "").names.slice(0, 1);
      });
    });
  }

  #assign(name: string, source: string, isLasting: boolean): void {
    const risk = assignmentRisk(name, source, isLasting);
    if (risk === "none") return;
    const why =
      risk === "danger"
        ? `${name} changes which programs are run, or what they do`
        : `it sets ${name} ${isLasting ? "for what follows" : "for the command"}`;
    this.findings.push({ kind: "assignment", name, source, risk, why });
  }

  #unsure(source: string, why: string, risk: "other" | "danger" = "danger"): void {
    this.findings.push({ kind: "unsure", source, why, risk });
  }
}

/** Some commands of git are dangerous in most forms, and read in a few that are spelled out. */
function isKnownGit(words: readonly ShellWord[]): boolean {
  return literalOf(words[0]) === "git" && ["config", "stash", "reflog"].includes(literalOf(words[1]) ?? "");
}

/** Folders of an inner line, which begins where the outer one is. */
function within(start: Folders, folders: Folders): Folders {
  if (start === undefined) return folders?.every((folder) => /^[/~]/.test(folder)) ? folders : undefined;
  return folders?.flatMap((folder) => start.map((first) => joinFolder(first, folder)));
}

function joinFolder(first: string, then: string): string {
  if (then === "." || then === "") return first === "" ? "." : first;
  if (/^[/~]/.test(then) || first === "." || first === "") return then;
  return `${first}/${then}`;
}
