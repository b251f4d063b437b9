// `@file` in a request: what it names is sent along with it.
//
//   word       "@" path                  a whole word of the command line, which may have blanks in it
//   in a text  "@" path, "@" in quotes   behind a blank, a bracket or the beginning; punctuation behind it is not part of it
//
// A text file is quoted below the request; a request that is nothing but one file is that file's text. A picture is
// attached. Anything else that is there (a folder, other bytes) is refused, since nobody wants to send it. What is not there
// is text: people are written to with @, too; only a whole word that looks like a path is taken for a mistake.

import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { ImageContent } from "@stet/protocol/message";

export interface Prompt {
  readonly text: string;
  readonly images: readonly ImageContent[];
}

export interface PromptProblem {
  readonly problem: string;
}

interface Reference {
  /** As it was written, without the @. */
  readonly name: string;
  readonly path: string;
}

type Attached =
  | { readonly kind: "text"; readonly name: string; readonly text: string }
  | { readonly kind: "picture"; readonly name: string; readonly image: ImageContent };

/** What is sent word by word; the agent can read a longer file in parts. */
const maxTextBytes = 1024 ** 2;
const maxPictureBytes = 20 * 1024 ** 2;
const inText = /(?<=^|[\s("'[{])@(?:"([^"\n]+)"|(\S+))/g;
const punctuation = /[.,;:!?)\]}'"…]+$/;

export function isPromptProblem(value: Prompt | PromptProblem): value is PromptProblem {
  return "problem" in value;
}

/** The request that the words of a command line make, read from `folder`. A path that is `isLeftAsName` stays text. */
export async function promptOf(
  words: readonly string[],
  folder: string,
  signal: AbortSignal,
  isLeftAsName: (path: string) => boolean = () => false,
): Promise<Prompt | PromptProblem> {
  const references: Reference[] = [];
  for (const word of words) {
    const found = referencesIn(word, folder);
    if ("problem" in found) return found;
    references.push(...found.references);
  }
  const attached: Attached[] = [];
  for (const reference of unique(references)) {
    if (isLeftAsName(reference.path)) continue;
    const one = await attach(reference, signal);
    if ("problem" in one) return one;
    attached.push(one);
  }
  const [only] = attached;
  const isFileAlone = words.length === 1 && words[0] === `@${only?.name}` && only?.kind === "text";
  const images = attached.flatMap((one) => (one.kind === "picture" ? one.image : []));
  if (isFileAlone) return { text: only.text.trim(), images };
  const quoted = attached.flatMap((one) => (one.kind === "text" ? `\n\n${one.name}:\n${one.text}` : []));
  return { text: `${words.join(" ").trim()}${quoted.join("")}`, images };
}

function referencesIn(word: string, folder: string): { references: Reference[] } | PromptProblem {
  const whole = word.startsWith("@") ? word.slice(1) : "";
  if (whole !== "" && existsSync(resolve(folder, whole)))
    return { references: [{ name: whole, path: resolve(folder, whole) }] };
  if (whole !== "" && !/\s/.test(whole) && looksLikePath(whole)) {
    return { problem: `There is no file ${resolve(folder, whole)}. Leave out the @ where none is meant.` };
  }
  const references: Reference[] = [];
  for (const [, quoted, plain = ""] of word.matchAll(inText)) {
    const names = quoted === undefined ? [plain, plain.replace(punctuation, "")] : [quoted];
    const name = names.find((candidate) => candidate !== "" && existsSync(resolve(folder, candidate)));
    if (name !== undefined) references.push({ name, path: resolve(folder, name) });
  }
  return { references };
}

/** `@notes.md` and `@src/a` are meant as files, `@alice` may be anyone. */
function looksLikePath(name: string): boolean {
  return name.includes("/") || /\.\w{1,5}$/.test(name);
}

function unique(references: readonly Reference[]): Reference[] {
  return [...new Map(references.map((reference) => [reference.path, reference])).values()];
}

async function attach({ name, path }: Reference, signal: AbortSignal): Promise<Attached | PromptProblem> {
  const stats = statSync(path);
  if (stats.isDirectory())
    return {
      problem: `@${name} is a folder. Name files of it, or write it without the @: the agent can look into it.`,
    };
  if (!stats.isFile()) return { problem: `@${name} is not a regular file, so it was not read.` };
  if (stats.size > maxPictureBytes) return tooLarge(name, stats.size);
  const bytes = readFileSync(path);
  const picture = await pictureIn(bytes, signal);
  if (typeof picture === "string")
    return { problem: `@${name} is a picture, but it cannot be attached: ${picture}.` };
  if (picture !== undefined) return { kind: "picture", name, image: picture };
  if (stats.size > maxTextBytes) return tooLarge(name, stats.size);
  const text = textOf(bytes);
  if (text !== undefined) return { kind: "text", name, text };
  return {
    problem: `@${name} is neither UTF-8 text nor a picture, so it was not sent. Write its name without the @ to have the agent look at it.`,
  };
}

async function pictureIn(bytes: Buffer, signal: AbortSignal): Promise<ImageContent | string | undefined> {
  const { imageHeader } = await import("@stet/tools/code/read/image-header");
  const header = imageHeader(bytes);
  if (header === undefined) return undefined;
  const { pictureOf } = await import("@stet/tools/code/read/picture");
  const picture = await pictureOf(bytes, header, signal);
  return typeof picture === "string" ? picture : picture.image;
}

function textOf(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function tooLarge(name: string, size: number): PromptProblem {
  const megabytes = (size / 1024 ** 2).toFixed(1);
  return {
    problem: `@${name} has ${megabytes} MB, which is too much for one request. Write its name without the @: the agent can read it in parts.`,
  };
}
