// A command line as a list of findings: everything in it that needs permission, and how much.
//
// - `read`: it only reads, and what it reads is listed as paths of their own.
// - `other`: what it does is not known here; a sandbox can hold it.
// - `danger`: it is asked for wherever a person wants to be asked at all.

import { dangerOf } from "./dangerous-commands.ts";
import { type Inner, innerCommands } from "./inner-commands.ts";
import { type PathKind, type Place, placePath, placeWord, secretsOnTheWay } from "./place.ts";
import { isKnownCommand, readOnlyCommand } from "./read-only-commands.ts";
import { shellCommands } from "./shell-commands.ts";
import { type Folders, literalOf, type ShellStep, type ShellWord, sourceOf } from "./shell-step.ts";
import { assignmentRisk, isSecretVariable } from "./variables.ts";

export type Risk = "read" | "other" | "danger";

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
  readonly place: Place;
  /** Where the command would run, from the root. */
  readonly folder: string;
  readonly hasSandbox: boolean;
}

export type Examined =
  | { readonly kind: "parsed"; readonly findings: readonly Finding[] }
  | { readonly kind: "unparsed"; readonly why: string };

const maxDepth = 6;

export function examineCommand(command: string, setting: CommandSetting): Examined {
  const examiner = new Examiner(setting);
  examiner.readStart();
  const why = examiner.readLine(command, ["."], 0);
  return why === undefined ? { kind: "parsed", findings: examiner.findings } : { kind: "unparsed", why };
}

class Examiner {
  readonly findings: Finding[] = [];
  private readonly setting: CommandSetting;

  constructor(setting: CommandSetting) {
    this.setting = setting;
  }

  /** Where the shell is counts, too: `ls` and `rg foo` read it without naming it. */
  readStart(): void {
    const { place, folder } = this.setting;
    const { kind, names } = placePath(place, ".", folder === "" ? "." : folder);
    if (kind === "inside" || kind === "nowhere") return;
    this.findings.push({ kind: "path", source: folder, access: "read", place: kind, names });
  }

  /** Why the line cannot be understood. */
  readLine(line: string, start: Folders, depth: number): string | undefined {
    if (depth > maxDepth) return "commands in it run commands, too deeply";
    const parsed = shellCommands(line);
    if (parsed.kind === "unparsed") return parsed.why;
    for (const step of parsed.steps) {
      const why = this.readStep(step, start, depth);
      if (why !== undefined) return why;
    }
    return undefined;
  }

  private readStep(step: ShellStep, start: Folders, depth: number): string | undefined {
    switch (step.kind) {
      case "command":
        return this.readCommand(step.words, within(start, step.folders), depth);
      case "redirection":
        this.readPath(step.target, step.access, within(start, step.folders), step.source);
        return undefined;
      case "assignment":
        this.assign(step.name, step.source, step.isLasting);
        return undefined;
      case "variable":
        if (isSecretVariable(step.name)) this.unsure(step.source, "it uses a variable that holds a secret");
        return undefined;
      case "function":
        if (isKnownCommand(step.name)) this.unsure(step.source, "it gives a known command another meaning");
        return undefined;
      default:
        this.unsure(step.source, step.why, "other");
        return undefined;
    }
  }

  private readCommand(words: readonly ShellWord[], folders: Folders, depth: number): string | undefined {
    const source = sourceOf(words);
    const name = literalOf(words[0]);
    if (name === undefined || name === "" || name.startsWith("!") || name.startsWith("-")) {
      this.unsure(source, "it is not clear which command this is");
      return undefined;
    }
    const inner = innerCommands(words);
    if (inner !== undefined) {
      const why = this.readInner(inner, words, folders, depth);
      if (why !== undefined || inner.isJudged !== true) return why;
    }
    const command = { kind: "command", source, words, isWrapper: inner !== undefined } as const;
    const danger = dangerOf(words);
    const reads = danger === undefined || isKnownGit(words) ? readOnlyCommand(words) : undefined;
    if (reads !== undefined && !(reads.isGit === true && this.isForeignRepository(folders))) {
      this.findings.push({ ...command, risk: "read", why: "it only reads" });
      for (const path of reads.paths) this.readPath(path, "read", folders, source);
      if (reads.searches !== undefined) this.readFolders(reads.paths, reads.searches.only, folders, source);
      return undefined;
    }
    if (danger !== undefined) this.findings.push({ ...command, risk: "danger", why: danger });
    else if (reads !== undefined) {
      const why = "git runs what the configuration of this folder names";
      this.findings.push({ ...command, risk: "other", why });
    } else this.findings.push({ ...command, risk: "other", why: "it is not known to only read" });
    return undefined;
  }

  private readInner(
    inner: Inner,
    words: readonly ShellWord[],
    folders: Folders,
    depth: number,
  ): string | undefined {
    const source = sourceOf(words);
    if (inner.unsure !== undefined) this.unsure(source, inner.unsure);
    if (inner.danger !== undefined) {
      this.findings.push({
        kind: "command",
        source,
        words,
        risk: "danger",
        why: inner.danger,
        isWrapper: true,
      });
    } else if (inner.unsure === undefined && inner.isJudged !== true) {
      // It does nothing itself, but a rule may forbid it.
      const why = "it passes on to what it runs";
      this.findings.push({ kind: "command", source, words, risk: "read", why, isWrapper: true });
    }
    // What is set before a command is set for it alone.
    const isLasting = inner.commands === undefined;
    for (const { name, source: text } of inner.assigned ?? []) this.assign(name, text, isLasting);
    for (const path of inner.reads ?? []) this.readPath(path, "read", folders, source);
    for (const path of inner.writes ?? []) this.readPath(path, "write", folders, source);
    if (depth >= maxDepth) return "commands in it run commands, too deeply";
    for (const command of inner.commands ?? []) {
      if (command.length === 0) this.unsure(source, "it is not clear what it runs");
      else {
        const why = this.readCommand(command, folders, depth + 1);
        if (why !== undefined) return why;
      }
    }
    for (const script of inner.scripts ?? []) {
      const why = this.readLine(script, folders, depth + 1);
      if (why !== undefined) return why;
    }
    return undefined;
  }

  private readPath(word: ShellWord, access: "read" | "write", folders: Folders, source: string): void {
    const { place, folder } = this.setting;
    const absolute = literalOf(word)?.startsWith("/") === true || literalOf(word)?.startsWith("~") === true;
    const starts = folders ?? (absolute ? ["."] : undefined);
    const found = starts?.map((start) => placeWord(place, joinFolder(folder, start), word));
    if (found === undefined || found.includes(undefined)) {
      const isReading = access === "read";
      const why = `it is not clear which file it ${isReading ? "reads" : "writes"}`;
      this.unsure(source, why, isReading ? "other" : "danger");
      return;
    }
    for (const path of found) {
      if (path === undefined || path.kind === "nowhere") continue;
      this.findings.push({ kind: "path", source, access, place: path.kind, names: path.names });
    }
  }

  private readFolders(
    paths: readonly ShellWord[],
    only: readonly string[],
    folders: Folders,
    source: string,
  ): void {
    const { place, folder } = this.setting;
    for (const start of folders ?? []) {
      const found = secretsOnTheWay(place, joinFolder(folder, start), { paths, only });
      for (const secret of found) this.readPath(secret, "read", [start], source);
    }
  }

  private assign(name: string, source: string, isLasting: boolean): void {
    const risk = assignmentRisk(name, source, isLasting);
    if (risk === "none") return;
    const why =
      risk === "danger"
        ? `${name} changes which programs are run, or what they do`
        : `it sets ${name} ${isLasting ? "for what follows" : "for the command"}`;
    this.findings.push({ kind: "assignment", name, source, risk, why });
  }

  /** In any other folder there may be a repository, or what looks like one, that was made to run something. */
  private isForeignRepository(folders: Folders): boolean {
    const { hasSandbox, folder, place } = this.setting;
    if (hasSandbox) return false;
    const isAtRoot = (folder === "." || folder === "") && folders?.every((start) => start === ".") === true;
    return !(isAtRoot && place.isRepository);
  }

  private unsure(source: string, why: string, risk: "other" | "danger" = "danger"): void {
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
