// Which folders the person trusts. Nothing in a folder configures or runs anything before.

import { existsSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { whatIsLost, writeMark } from "@stet/storage/mark";
import { tellNoticeOnce } from "@stet/storage/notices";
import { makePrivateFolder, writePrivateFile } from "@stet/storage/private-files";
import { setAside } from "@stet/storage/set-aside";
import { dataFolder } from "@stet/workspace/files/state-folder";

function trustFile(environment: NodeJS.ProcessEnv): string {
  return join(dataFolder(environment), "trusted.json");
}

/** Folders and the person's answers. A damaged file trusts no folder, with a notice. */
function answers(environment: NodeJS.ProcessEnv): Record<string, boolean> {
  const path = trustFile(environment);
  const lost = whatIsLost(path);
  if (lost !== undefined) return nobody(path, lost);
  if (!existsSync(path)) return {};
  const text = attempt("read", path, () => readFileSync(path, "utf8"));
  if (isFault(text)) return nobody(path, `cannot be read (${text.details.code})`, text.suggestion);
  try {
    const known: unknown = JSON.parse(text);
    if (typeof known !== "object" || known === null) return nobody(path, "does not hold what it should");
    const answered = Object.entries(known).filter(
      (entry): entry is [string, boolean] => typeof entry[1] === "boolean",
    );
    if (answered.length < Object.keys(known).length) nobody(path, "does not hold what it should");
    return Object.fromEntries(answered);
  } catch (error) {
    return nobody(path, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function nobody(path: string, how: string, first = ""): Record<string, boolean> {
  const message = `The list of trusted folders ${path} ${how}. No folder is trusted until you say so again.`;
  const advice = `${first} Trust a folder again with stet trust; the file that is there is then kept under another name.`;
  tellNoticeOnce(new Fault("store_damaged", message, advice.trim(), { path }));
  return {};
}

/** Why no answer can be read from the list. */
function isUnreadable(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    const known: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof known !== "object" || known === null;
  } catch {
    return true;
  }
}

export function isTrusted(folder: string, environment: NodeJS.ProcessEnv): boolean {
  return answers(environment)[folder] === true;
}

export function wasAsked(folder: string, environment: NodeJS.ProcessEnv): boolean {
  return answers(environment)[folder] !== undefined;
}

export function setTrusted(folder: string, trusted: boolean, environment: NodeJS.ProcessEnv): void {
  const path = trustFile(environment);
  makePrivateFolder(dirname(path));
  const content = JSON.stringify({ ...answers(environment), [folder]: trusted });
  if (isUnreadable(path)) setAside(path);
  writePrivateFile(`${path}.new`, content);
  renameSync(`${path}.new`, path);
  writeMark(path, "", 1);
}

export const trustMeaning =
  "Trusting a folder lets its .stet/config.json choose tools and limits, its .stet/agents be sent to work, and its AGENTS.md speak to the model for you. It never lets it choose a model, an address or a command.";
