// Whether something is allowed, has to be asked for, or is denied. A pure function of a request, the mode and the rules.
//
// - Everything is a list of parts. One part that is denied denies the whole; one that has to be asked for makes it asked for.
// - A mode is a table of effects. Rules come after it, in order, and the last that matches wins; nothing matching means what
//   the mode says. What the person's own rules deny stays denied, whatever was remembered later.
// - In plan, what the mode denies no rule allows. In full, only rules that deny are heeded.
// - A line leaves the sandbox only if each part that does more than read needs to, and was allowed. Otherwise it is asked for.
// - A remembered rule with a `*` never allows what is dangerous: it was given for something harmless.

import type { PermissionMode } from "@stet/protocol/permission-mode";
import { leavesSandbox } from "./dangerous-commands.ts";
import type { ExamineCommand, Finding } from "./examine-command.ts";
import { judgePath, type PathContext } from "./path-context.ts";
import type { PermissionEffect, PermissionRequest, PermissionRule } from "./permission-rule.ts";
import { readRules } from "./read-rules.ts";
import {
  type Match,
  matchAssignment,
  matchCommand,
  matchPath,
  matchSend,
  matchUrl,
  type Reading,
} from "./rule-match.ts";
import type { ShellWord } from "./shell-step.ts";

/** What a part is to a mode. */
export type PartClass =
  | "read"
  | "configured"
  | "other"
  | "danger"
  | "readInside"
  | "readOutside"
  | "writeInside"
  | "writeOutside"
  | "page"
  | "send"
  | "network";

type Effects = Readonly<Partial<Record<PartClass, PermissionEffect>>>;

interface Mode {
  /** What a part gets that is not among the exceptions. */
  readonly effect: PermissionEffect;
  readonly except: Effects;
}

const reads: Effects = { read: "allow", readInside: "allow" };

const modes: Readonly<Record<PermissionMode, Mode>> = {
  plan: { effect: "deny", except: { ...reads, configured: "ask", readOutside: "ask", page: "ask" } },
  ask: { effect: "ask", except: reads },
  // What is known to nobody needs no question where a sandbox holds it: see effectOf.
  "auto-edit": { effect: "ask", except: { ...reads, writeInside: "allow" } },
  full: { effect: "allow", except: {} },
};

export interface JudgeSetting {
  readonly mode: PermissionMode;
  /** The person's own rules. */
  readonly rules: readonly PermissionRule[];
  /** Rules that answers to questions made: of the project, then of the session. */
  readonly remembered: readonly PermissionRule[];
  readonly place: PathContext;
  readonly hasSandbox: boolean;
  /** Whether commands in the sandbox may use the network without a question. */
  readonly sandboxNetwork: boolean;
  /** Whether commands in the sandbox see a path outside of the root; without it they see everything. */
  readonly isShown?: ((path: string) => boolean) | undefined;
}

export type Subject =
  | { readonly kind: "finding"; readonly finding: Finding }
  | { readonly kind: "path"; readonly names: readonly string[]; readonly access: "read" | "write" }
  | { readonly kind: "page"; readonly url: string; readonly scope: string | undefined }
  | { readonly kind: "send"; readonly action: string; readonly url: string }
  | { readonly kind: "network"; readonly findings: readonly Finding[] };

interface Part {
  readonly class: PartClass;
  readonly subject: Subject;
  /** What it is about, as written. */
  readonly source: string;
  readonly why: string;
}

export interface JudgedPart extends Part {
  readonly effect: PermissionEffect;
  /** Whether it is asked for because another part takes it out of the sandbox with it, which no rule allows. */
  readonly isTakenAlong: boolean;
}

export interface Judgement {
  readonly effect: PermissionEffect;
  readonly parts: readonly JudgedPart[];
  /** Whether nothing in it changes anything, as far as is known. */
  readonly isReadOnly: boolean;
  /** Whether it cannot do its work in a sandbox. */
  readonly leavesSandbox: boolean;
}

const reading: ReadonlySet<PartClass> = new Set(["read", "readInside", "readOutside", "page"]);

/** Without an examiner, which brings a grammar of the shell with it, no command is understood. */
export function judge(
  request: PermissionRequest,
  setting: JudgeSetting,
  examine: ExamineCommand = () => ({ kind: "unparsed", why: "commands are not examined here" }),
): Judgement {
  const { mode, hasSandbox } = setting;
  const partsWhere = (where: JudgeSetting) =>
    request.targets.flatMap((target) => partsOf(request, target, where, examine));
  const held = partsWhere(setting);
  // In plan nothing leaves it.
  const leavesSandbox = mode !== "plan" && held.some((part) => isOutOfReach(part, setting));
  const isOutside = hasSandbox && leavesSandbox && mode !== "full";
  const where = isOutside ? { ...setting, hasSandbox: false } : setting;
  const network = held.filter((part) => part.class === "network");
  const parts = isOutside ? [...partsWhere(where), ...network] : held;
  const judged = parts.map((part): JudgedPart => {
    const effect = effectOf(request.tool, part, where);
    const mayLeave =
      reading.has(part.class) ||
      part.class === "network" ||
      isOutOfReach(part, setting) ||
      isFree(request.tool, where);
    if (!isOutside || mayLeave || effect === "deny") return { ...part, effect, isTakenAlong: false };
    const why = `${part.why}, and another part takes it out of the sandbox`;
    return { ...part, why, effect: "ask", isTakenAlong: true };
  });
  return {
    effect: judged.map((part) => part.effect).reduce(stricter, "allow"),
    parts: judged,
    isReadOnly: parts.every((part) => reading.has(part.class)),
    leavesSandbox,
  };
}

/** Whether the person's own rules allow the tool everything, wherever that runs. */
function isFree(tool: string, { rules }: JudgeSetting): boolean {
  return rules.some(
    (rule) => rule.effect === "allow" && rule.target === "*" && (rule.tool === "*" || rule.tool === tool),
  );
}

function partsOf(
  { tool }: PermissionRequest,
  target: PermissionRequest["targets"][number],
  setting: JudgeSetting,
  examine: ExamineCommand,
): readonly Part[] {
  const { place, hasSandbox, sandboxNetwork } = setting;
  if (target.kind === "url") {
    const { url, scope, why = "it is fetched" } = target;
    return [{ class: "page", subject: { kind: "page", url, scope }, source: url, why }];
  }
  if (target.kind === "send") {
    const { action, url } = target;
    return [
      { class: "send", subject: { kind: "send", action, url }, source: url, why: "it is sent in your name" },
    ];
  }
  if (target.kind === "path") {
    const { kind, names } = judgePath(place, ".", target.path);
    const subject: Subject = { kind: "path", names, access: target.access };
    const isInside = kind === "inside" || kind === "nowhere";
    return [pathPart(subject, names[0] ?? target.path, kind, isInside)];
  }
  const { command, folder, network } = target;
  const rules = readRules([...setting.rules, ...setting.remembered], place.home);
  const examined = examine(command, { place, folder, hasSandbox, readRules: rules });
  const findings: readonly Finding[] =
    examined.kind === "parsed"
      ? examined.findings
      : [
          {
            kind: "unsure",
            source: command,
            why: `it cannot be understood: ${examined.why}`,
            risk: "danger",
          },
        ];
  const parts = (target.writes ? findings.map(asWriting) : findings).map(partOf);
  // Without a sandbox nothing keeps a command from the network, so there is nothing to grant.
  if (!network || !hasSandbox || sandboxNetwork) return parts;
  const subject: Subject = { kind: "network", findings };
  return [...parts, { class: "network", subject, source: tool, why: "it wants to use the network" }];
}

/** What a part is taken for that says of itself that it writes. */
function asWriting(finding: Finding): Finding {
  if (finding.kind === "path" || finding.risk !== "read") return finding;
  return { ...finding, risk: "other", why: "it is to write in this folder" };
}

function partOf(finding: Finding): Part {
  const { source } = finding;
  const subject: Subject = { kind: "finding", finding };
  if (finding.kind === "path") {
    return pathPart(subject, source, finding.place, finding.place === "inside", finding);
  }
  return { class: finding.risk, subject, source, why: finding.why };
}

const placeWords = {
  inside: "in this folder",
  nowhere: "in this folder",
  outside: "outside of this folder",
  secret: "which may hold secrets",
  protected: "which belongs to git or to Stet",
  network: "which is another machine",
} as const;

function pathPart(
  subject: Subject,
  source: string,
  kind: keyof typeof placeWords,
  isInside: boolean,
  finding?: Extract<Finding, { kind: "path" }>,
): Part {
  const about = finding ?? (subject.kind === "path" ? subject : undefined);
  const verb = about?.access === "write" ? "writes" : "reads";
  const why = `it ${verb} ${about?.names[0] ?? source}, ${placeWords[kind]}`;
  const partClass = `${about?.access ?? "write"}${isInside ? "Inside" : "Outside"}` as const;
  return { class: kind === "network" ? "danger" : partClass, subject, source, why };
}

function effectOf(tool: string, part: Part, setting: JudgeSetting): PermissionEffect {
  const { mode, hasSandbox, rules, remembered } = setting;
  const isHeld = mode === "auto-edit" && part.class === "other" && hasSandbox;
  const base = isHeld ? "allow" : (modes[mode].except[part.class] ?? modes[mode].effect);
  if (mode === "plan" && base === "deny") return "deny";
  const own = lastOf(rules, tool, part, setting, false);
  if (own === "deny") return "deny";
  const effect = own === "unclear" ? own : (lastOf(remembered, tool, part, setting, true) ?? own);
  // A word that a shell will know may be what a rule denies: that is asked for in every mode.
  if (effect === "unclear") return stricter(base, "ask");
  return mode === "full" && effect !== "deny" ? "allow" : (effect ?? base);
}

type RuleEffect = PermissionEffect | "unclear";

/** What the last rule that matches says; "unclear" when one that denies may match. */
function lastOf(
  rules: readonly PermissionRule[],
  tool: string,
  part: Part,
  setting: JudgeSetting,
  isRemembered: boolean,
): RuleEffect | undefined {
  let effect: RuleEffect | undefined;
  for (const rule of rules) {
    if (isRemembered && part.class === "danger" && rule.effect === "allow" && rule.target.includes("*"))
      continue;
    const match = matches(rule, tool, part, setting);
    if (match === "yes") effect = rule.effect;
    if (match === "maybe" && rule.effect === "deny" && effect !== "deny") effect = "unclear";
    if (match === "maybe" && rule.effect === "ask" && effect === "allow") effect = undefined;
  }
  return effect;
}

function matches(rule: PermissionRule, tool: string, { subject }: Part, setting: JudgeSetting): Match {
  const { place } = setting;
  const reading: Reading = rule.effect === "allow" ? "strict" : "generous";
  const isTool = rule.tool === "*" || rule.tool === tool;
  if (subject.kind === "page") {
    // Whatever fetches it reads it: what forbids reading holds for each.
    const isReading = rule.tool === "read" && rule.effect !== "allow";
    return isTool || isReading ? matchUrl(rule.target, subject.url, reading) : "no";
  }
  if (subject.kind === "send") return isTool ? matchSend(rule.target, subject, reading) : "no";
  if (subject.kind === "path") {
    return isTool || isAccess(rule, subject.access)
      ? matchPath(rule.target, subject.names, place.home, reading)
      : "no";
  }
  if (subject.kind === "network") return matchNetwork(rule, subject.findings, reading);
  const { finding } = subject;
  if (isTool && rule.target === "*") return "yes";
  if (finding.kind === "path") {
    const isAbout = rule.tool === "*" || isAccess(rule, finding.access);
    return isAbout ? matchPath(rule.target, finding.names, place.home, reading) : "no";
  }
  if (!isTool) return finding.kind === "unsure" && mayRead(rule, setting) ? "maybe" : "no";
  if (finding.kind === "command") {
    const match = matchCommand(rule.target, finding.words, reading);
    if (match !== "no" || reading === "strict" || finding.risk === "read") return match;
    return mayPassOn(rule.target, finding.words) ? "maybe" : "no";
  }
  if (finding.kind === "assignment") return matchAssignment(rule.target, finding.source, reading);
  return "maybe";
}

/** Whether what is not understood may read what a rule denies: in the sandbox that is covered. */
function mayRead({ tool, effect }: PermissionRule, { hasSandbox, mode }: JudgeSetting): boolean {
  return tool === "read" && effect === "deny" && (!hasSandbox || mode === "full");
}

/** A program that is not known may run the words behind it. */
function mayPassOn(target: string, words: readonly ShellWord[]): boolean {
  return words.some((_, at) => at > 0 && matchCommand(target, words.slice(at), "generous") === "yes");
}

/** `read` and `edit` stand for every tool that reads or changes files, commands among them. */
function isAccess(rule: PermissionRule, access: "read" | "write"): boolean {
  return rule.tool === (access === "read" ? "read" : "edit");
}

/** Every command that does more than read has to be one that may use the network. */
function matchNetwork(rule: PermissionRule, findings: readonly Finding[], reading: Reading): Match {
  if (rule.tool !== "network" && rule.tool !== "*") return "no";
  if (rule.target === "*") return "yes";
  const found = findings.map((finding): Match => {
    if (finding.kind === "unsure") return "maybe";
    if (finding.kind !== "command" || finding.risk === "read") return reading === "strict" ? "yes" : "no";
    return matchCommand(rule.target, finding.words, reading);
  });
  if (reading === "generous") return found.includes("yes") ? "yes" : found.includes("maybe") ? "maybe" : "no";
  const isKnown = findings.some((finding) => finding.kind === "command" && finding.risk !== "read");
  return isKnown && found.every((match) => match === "yes") ? "yes" : "no";
}

function isOutOfReach({ subject }: Part, { isShown = () => true }: JudgeSetting): boolean {
  if (subject.kind !== "finding") return false;
  const { finding } = subject;
  if (finding.kind === "command") return finding.risk === "danger" && leavesSandbox(finding.words);
  if (finding.kind !== "path") return false;
  if (finding.place === "secret" || (finding.access === "write" && finding.place !== "inside")) return true;
  return finding.place === "outside" && !finding.names.filter((name) => name.startsWith("/")).every(isShown);
}

const order: readonly PermissionEffect[] = ["allow", "ask", "deny"];

function stricter(a: PermissionEffect, b: PermissionEffect): PermissionEffect {
  return order.indexOf(a) > order.indexOf(b) ? a : b;
}
