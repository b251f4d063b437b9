// What is sent when Enter is pressed: the text with what was pasted in it, and pictures.
//
// - A message: pictures behind `@` are attached, and files outside the workspace are quoted below it, as with `stet -p`. Files of
//   the workspace stay names: the agent reads them itself, and then knows which revision it saw.
// - A command (`/name`, `!`, `!!`) is the text as it stands.

import { relative } from "node:path";
import { isPromptProblem, promptOf } from "../../prompt-references.ts";
import type { SentImage } from "../app.ts";
import { parseCommand } from "../commands/run-command.ts";
import { sentImages } from "../sent-images.ts";
import type { Attachments } from "./attachments.ts";
import { isPictureName } from "./pasted.ts";

/** While a turn runs: heard after the running tool, or when the turn is done. */
export type SendMode = "steer" | "follow_up";

export interface Submission {
  readonly text: string;
  readonly images: readonly SentImage[];
}

/** `message` goes to the model, `command` to the shell and the model, `private` to the shell alone. */
export type PromptMode = "message" | "command" | "private";

export function modeOf(text: string): PromptMode {
  if (!text.startsWith("!")) return "message";
  return text.startsWith("!!") ? "private" : "command";
}

/** The most that a job's instruction takes. */
const maxCharacters = 1_000_000;

/** Or what is wrong, as a sentence. */
export async function submissionOf(
  text: string,
  attachments: Attachments,
  root: string,
): Promise<Submission | string> {
  const isMessage = modeOf(text) === "message" && parseCommand(text) === undefined;
  const referred = isMessage ? await withReferences(text, root) : { text, images: [] };
  if (typeof referred === "string") return referred;
  const expanded = await attachments.expand(referred.text);
  if (typeof expanded === "string") return expanded;
  if (expanded.text.length > maxCharacters) {
    const length = expanded.text.length.toLocaleString("en");
    return `This has ${length} characters, and a message can have ${maxCharacters.toLocaleString("en")}. Save the long part as a file and name it with @.`;
  }
  return { text: expanded.text.trim(), images: [...referred.images, ...expanded.images] };
}

/** Names are those of the completion and of the agent: from the root of the workspace. */
async function withReferences(text: string, root: string): Promise<Submission | string> {
  if (!text.includes("@")) return { text, images: [] };
  const isLeftAsName = (path: string) => isInside(path, root) && !isPictureName(path);
  const prompt = await promptOf([text], root, AbortSignal.timeout(60_000), isLeftAsName);
  if (isPromptProblem(prompt)) return prompt.problem;
  return { text: prompt.text, images: sentImages(prompt.images) };
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith("../");
}
