// `local://`: texts that agents keep for each other while a session lasts: a plan, notes, what one hands to the next. They are
// files beside the session's artifacts, no part of the project, and go with the session. An agent and those whom it sends
// share them. Of a session that leaves nothing behind, they are in memory.
//
//   local://           what there is
//   local://plan.md    one of them; written by `write`, whole

import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import { attempt } from "@stet/protocol/system-fault";
import { makeDurableFolder, replaceFile, writeAll } from "@stet/storage/durable-file";
import type { CodeContext } from "../code-context.ts";
import { pagedText } from "./paged-text.ts";
import { parseSelector } from "./selector.ts";
import { sizeName } from "./size-name.ts";
import type { Source } from "./source.ts";

/** Where a session keeps them. */
export interface LocalTexts {
  /** Its folder of artifacts; undefined for one that leaves nothing behind. */
  readonly folder: string | undefined;
  /** The id of the session that all of its agents work for. */
  readonly session: string;
}

const maxBytes = 1024 * 1024;
const maxTexts = 200;
const maxNameLength = 200;
/** What a name of a file begins with, so that it is none of an output or an agent. */
const prefix = "local.";

export const localSource: Source = {
  async read(path, context) {
    const selected = parseSelector(path);
    if (isFault(selected)) return selected;
    const name = nameIn(selected.path);
    if (name === undefined || isFault(name)) return name;
    if (name === "") return { content: listing(context.local) };
    const text = textsOf(context.local).read(name);
    if (isFault(text)) return text;
    return text === undefined
      ? unknown(name, context.local)
      : pagedText(context, text, { ...selected, source: `local://${name}` });
  },
  async write({ path, content }, { local }) {
    const name = nameIn(path);
    if (name === undefined || isFault(name)) return name;
    if (name === "") return badName(path);
    const texts = textsOf(local);
    const isNew = !texts.names().includes(name);
    const refusal = isNew && texts.names().length >= maxTexts ? tooMany() : tooLarge(content);
    const written = refusal ?? texts.write(name, content);
    if (isFault(written)) return written;
    return { content: `Successfully wrote ${Buffer.byteLength(content)} bytes to local://${name}` };
  },
};

interface Texts {
  names(): string[];
  read(name: string): string | Fault | undefined;
  write(name: string, text: string): Fault | undefined;
}

function textsOf({ folder, session }: CodeContext["local"]): Texts {
  return folder === undefined ? inMemory(session) : inFolder(folder);
}

function inFolder(folder: string): Texts {
  const pathOf = (name: string) => join(folder, prefix + encodeURIComponent(name));
  return {
    names() {
      const files = attempt("listed", folder, () => readdirSync(folder));
      const own = isFault(files) ? [] : files.filter((file) => file.startsWith(prefix));
      return own.flatMap((file) => decoded(file.slice(prefix.length)) ?? []).sort();
    },
    read(name) {
      const text = attempt("read", `local://${name}`, () => readPlain(pathOf(name)));
      return isFault(text) && text.error === "file_not_found" ? undefined : text;
    },
    write(name, text) {
      return attempt("written", `local://${name}`, () => {
        makeDurableFolder(folder);
        const path = pathOf(name);
        const temporary = join(folder, `${uniqueSuffix()}.tmp`);
        replaceFile(path, temporary, (descriptor) => writeAll(descriptor, Buffer.from(text)));
        return undefined;
      });
    },
  };
}

/** Never through a link: what is read here goes to the model. */
function readPlain(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
  try {
    const bytes = Buffer.alloc(Math.min(fstatSync(descriptor).size, maxBytes));
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** By session; the newest stay. */
const held = new Map<string, Map<string, string>>();
const maxHeldSessions = 20;

function inMemory(session: string): Texts {
  const texts = held.get(session) ?? new Map<string, string>();
  return {
    names: () => [...texts.keys()].sort(),
    read: (name) => texts.get(name),
    write(name, text) {
      texts.set(name, text);
      held.delete(session);
      held.set(session, texts);
      const [oldest] = held.keys();
      if (held.size > maxHeldSessions && oldest !== undefined) held.delete(oldest);
      return undefined;
    },
  };
}

/** Empty for the list; undefined where it is no such address. */
function nameIn(path: string): string | Fault | undefined {
  const [, rest] = /^local:\/\/(.*)$/is.exec(path) ?? [];
  if (rest === undefined) return undefined;
  const name = (decoded(rest) ?? rest).replace(/\/+$/, "");
  const isPlain =
    !/[\p{Cc}\\:?#]|^[/~]/u.test(name) &&
    !name.split("/").some((part) => /^\.*$/.test(part)) &&
    name.isWellFormed();
  if (name === "") return "";
  return isPlain && encodeURIComponent(name).length <= maxNameLength ? name : badName(path);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function listing(local: LocalTexts): string {
  const names = textsOf(local).names();
  if (names.length === 0) return "There is nothing at local:// yet. write puts a text there: local://plan.md";
  return names.map((name) => `local://${name}`).join("\n");
}

function unknown(name: string, local: LocalTexts): Fault {
  const names = textsOf(local).names().slice(0, 20);
  return new Fault(
    "unknown_address",
    `There is no local://${name} in this session.`,
    names.length === 0
      ? "Nothing was written to local:// yet."
      : `There is: ${names.map((each) => `local://${each}`).join(", ")}.`,
    { address: `local://${name}` },
  );
}

function badName(path: string): Fault {
  return new Fault(
    "invalid_path",
    `${path.slice(0, 200)} is not a name for a text of this session.`,
    "Use a plain name, such as local://plan.md or local://notes/parser.md.",
  );
}

function tooLarge(content: string): Fault | undefined {
  const bytes = Buffer.byteLength(content);
  if (bytes <= maxBytes) return undefined;
  return new Fault(
    "too_large",
    `A text at local:// has at most ${sizeName(maxBytes)}, and this one ${sizeName(bytes)}.`,
    "Write it in parts, or to a file of the project.",
  );
}

function tooMany(): Fault {
  return new Fault(
    "limit_reached",
    `There are ${maxTexts} texts at local:// already, and no more are kept.`,
    "Replace one that is not needed any more.",
  );
}
