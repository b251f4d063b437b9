// How a question reads: its parts, its text and the texts of its options are derived from its data, and never parsed. Loads
// no schema.

import type { Permission, PermissionOption, Question } from "./question.ts";

/** The answer where the person skips a question, or no one is there. */
export const noAnswer = "no_user_answer";

export type QuestionPart =
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "command"; readonly text: string }
  /** Word for word: what would be sent. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "items"; readonly items: readonly string[] };

const maxReasons = 40;

export function questionParts(question: Question): QuestionPart[] {
  if (question.kind === "permission") return permissionParts(question);
  const texts = question.text.split(/\n\s*\n/).filter((text) => text.trim() !== "");
  return texts.map((text) => ({ kind: "words", text }));
}

function permissionParts({ tool, targets, reasons, running }: Permission): QuestionPart[] {
  const parts: QuestionPart[] = [];
  for (const target of targets) {
    if (target.kind === "command") {
      const where = target.folder === "." || target.folder === "" ? "" : ` in ${target.folder}`;
      parts.push({ kind: "words", text: `${tool} wants to run${where}:` });
      // All of it, however long: a person cannot knowingly allow what they do not see.
      parts.push({ kind: "command", text: target.command });
    } else if (target.kind === "url")
      parts.push({ kind: "words", text: `${tool} wants to fetch ${target.url}.` });
    else if (target.kind === "send") {
      parts.push({ kind: "words", text: `${tool} wants to send ${target.what} to ${target.url}:` });
      parts.push({ kind: "text", text: target.content });
    } else {
      const verb = target.access === "read" ? "read" : "change";
      parts.push({ kind: "words", text: `${tool} wants to ${verb} ${target.path}.` });
    }
  }
  const items = [...new Set(reasons.map(({ source, reason }) => `${source}: ${reason}`))];
  const more = items.length - maxReasons;
  if (more > 0) items.splice(maxReasons, more, `and ${more} more`);
  if (items.length > 0)
    parts.push({ kind: "words", text: "What needs permission:" }, { kind: "items", items });
  if (running !== null) {
    const where = running.sandbox ? "in the sandbox" : "without a sandbox";
    parts.push({
      kind: "words",
      text: `It would run ${where}, ${running.network ? "with" : "without"} the network.`,
    });
  }
  return parts;
}

/** The question in plain text, with commands indented. */
export function questionText(question: Question): string {
  if (question.kind === "clarification") return question.text;
  return questionParts(question).map(partText).join("\n");
}

function partText(part: QuestionPart): string {
  if (part.kind === "words") return part.text;
  if (part.kind === "items") return part.items.map((item) => `- ${item}`).join("\n");
  return `\n${part.text.replace(/^/gm, "    ")}\n`;
}

export function optionTexts({ options }: Question): string[] {
  return options.map((option) => (typeof option === "string" ? option : optionText(option)));
}

export function optionText({ kind, scope }: PermissionOption): string {
  switch (kind) {
    case "allow_once":
      return "Allow once";
    case "allow_session":
      return `Allow in this session: ${scope}`;
    case "allow_project":
      return `Allow in this project: ${scope}`;
    case "deny":
      return "Deny";
  }
}

/** The option of a permission that an answer chooses, by its id or by its exact text; other words choose none. */
export function optionOf(question: Question, answer: string): PermissionOption | undefined {
  if (question.kind === "clarification") return undefined;
  return question.options.find((option) => option.id === answer || optionText(option) === answer);
}
