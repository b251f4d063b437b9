// What a person is asked, and what their answer means.
//
// The question shows exactly what would be allowed: the command as it will run, with everything visible that could hide
// something, each part that needs permission and why, and what "always" would mean in words.

import type { JudgedPart, Judgement } from "./judge.ts";
import type { PermissionRequest, PermissionRule } from "./permission-rule.ts";
import { ruleInWords } from "./remembered-rules.ts";
import { visible } from "./shell-text.ts";

export interface Question {
  readonly text: string;
  readonly options: readonly string[];
}

export type Answer = "once" | "session" | "project" | "deny";

const maxShownParts = 40;
const once = "Allow once";
const deny = "Deny";

export function questionOf(
  request: PermissionRequest,
  { parts }: Judgement,
  rules: readonly PermissionRule[] | undefined,
  running: Running | undefined,
): Question {
  const asked = parts.filter((part) => part.effect === "ask");
  const lines = request.targets.flatMap((target) => {
    if (target.kind === "command") {
      const place = target.folder === "." || target.folder === "" ? "" : ` in ${visible(target.folder)}`;
      return [`${request.tool} wants to run${place}:`, "", indented(target.command), ""];
    }
    if (target.kind === "url") return [`${request.tool} wants to fetch ${visible(target.url)}.`];
    const verb = target.access === "read" ? "read" : "change";
    return [`${request.tool} wants to ${verb} ${visible(target.path)}.`];
  });
  // Of a plain edit of a file the first line has said everything.
  const needs = [...new Set(asked.filter((part) => part.class !== "writeInside").map(shownPart))];
  const more = needs.length - maxShownParts;
  if (needs.length > 0) lines.push("What needs permission:", ...needs.slice(0, maxShownParts));
  if (more > 0) lines.push(`- and ${more} more`);
  if (running !== undefined) lines.push(whereItRuns(running));
  const words = rules === undefined || rules.length === 0 ? undefined : rules.map(ruleInWords).join(", and ");
  const always =
    words === undefined
      ? []
      : [`Allow in this session: ${visible(words)}`, `Allow in this project: ${visible(words)}`];
  return { text: lines.join("\n"), options: [once, ...always, deny] };
}

export interface Running {
  readonly isSandboxed: boolean;
  readonly network: boolean;
}

function whereItRuns({ isSandboxed, network }: Running): string {
  const place = isSandboxed ? "in the sandbox" : "without a sandbox";
  return `It would run ${place}, ${network ? "with" : "without"} the network.`;
}

function shownPart({ source, subject, why }: JudgedPart): string {
  if (subject.kind === "network") return `- the network: ${why}`;
  const text = visible(source).replace(/\s+/g, " ");
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return `- ${short}: ${visible(why)}`;
}

/** All of it, however long: what is not shown is not allowed knowingly. */
function indented(command: string): string {
  return visible(command)
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
}

/** Only the options themselves allow anything. */
export function answerOf(answer: string, { options }: Question): Answer {
  if (answer === once) return "once";
  const isOffered = options.includes(answer);
  if (isOffered && answer.startsWith("Allow in this session: ")) return "session";
  if (isOffered && answer.startsWith("Allow in this project: ")) return "project";
  return "deny";
}

/** Whether these are the options of a permission. */
export function isPermissionQuestion(options: readonly string[]): boolean {
  return options[0] === once && options.at(-1) === deny;
}

/** The option of a permission that a short word stands for, as people type it; nothing typed allows nothing. */
export function optionFor(typed: string, options: readonly string[]): string | undefined {
  if (!isPermissionQuestion(options)) return undefined;
  const word = typed.trim().toLowerCase();
  if (["y", "yes", "allow", "ok"].includes(word)) return once;
  return ["", "n", "no", "deny"].includes(word) ? deny : undefined;
}

/** What the person said instead of choosing; undefined when they only denied. */
export function wordsOf(answer: string): string | undefined {
  return answer === deny || answer.trim() === "" ? undefined : answer.trim();
}
