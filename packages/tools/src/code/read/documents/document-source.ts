// Documents of offices and libraries, read as text. They cannot be written.

import { extname } from "node:path";
import type { ToolContext } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { readBytes } from "@stet/workspace/files/files";
import type { CodeContext } from "../../code-context.ts";
import { rootPath } from "../../root-path.ts";
import { type ApartEnd, workApart } from "../apart.ts";
import { pagedText } from "../paged-text.ts";
import { parseSelector } from "../selector.ts";
import type { Source } from "../source.ts";
import { type DocumentExtension, documentExtensions } from "./convert-document.ts";

const maxBytes = 64 * 1024 * 1024;
/** Milliseconds for one document. */
export const conversionTime = 20_000;
const maxConverted = 8;

/** Texts of documents that a turn has read: reading on does not convert once more. */
const convertedBy = new WeakMap<CodeContext["turn"], Map<string, string>>();

/** Kinds that only their own programs read well, and what to make of them. */
const older: Readonly<Record<string, string>> = { ".doc": ".docx", ".xls": ".xlsx", ".ppt": ".pptx" };

export const documentSource: Source = {
  name: "document",

  async read({ path }, context, call) {
    const selected = parseSelector(path);
    if (isFault(selected)) return documentExtension(path) === undefined ? undefined : selected;
    const name = rootPath(context.workspace, selected.path);
    const newer = older[extname(name).toLowerCase()];
    const extension = documentExtension(name);
    if (newer === undefined && extension === undefined) return undefined;
    const location = context.workspace.documents.locate(name);
    if (isFault(location)) return location.error === "not_a_file" ? undefined : location;
    // A missing document is missing like any other file.
    if (!location.exists) return undefined;
    if (extension === undefined) return olderKind(location.path, newer ?? "");
    const text = await documentText(context, location.path, extension, call);
    if (isFault(text)) return text;
    if (typeof text !== "string")
      return { content: text.notice, details: { path: location.path, notice: text.notice } };
    const { selector, isRaw } = selected;
    return pagedText(context, text, { selector, isRaw, source: location.path });
  },
};

export function documentExtension(path: string): DocumentExtension | undefined {
  const extension = extname(path).toLowerCase();
  return documentExtensions.find((candidate) => candidate === extension);
}

async function documentText(
  context: CodeContext,
  path: string,
  extension: DocumentExtension,
  call: ToolContext,
): Promise<string | { notice: string } | Fault> {
  const location = context.workspace.documents.locate(path);
  if (isFault(location)) return location;
  const content = readBytes(context.workspace.root, location, { maxBytes });
  if (isFault(content)) return content.error === "unsupported_file_type" ? tooLarge(path) : content;
  const converted = convertedBy.get(context.turn) ?? new Map<string, string>();
  convertedBy.set(context.turn, converted);
  const key = `${path} ${content.hash}`;
  const known = converted.get(key);
  if (known !== undefined) return known;
  const options = { signal: call.signal, milliseconds: conversionTime };
  const end = await workApart("document", { extension, bytes: content.bytes }, options);
  if (end.kind === "stopped" && end.by === "signal") {
    return new Fault("aborted", `${path} was not read to the end.`, "Wait for the next message.", { path });
  }
  if (end.kind !== "done") return { notice: documentNotice(extension, end) };
  const [oldest] = converted.keys();
  if (converted.size >= maxConverted && oldest !== undefined) converted.delete(oldest);
  converted.set(key, end.value);
  return end.value;
}

export function documentNotice(
  extension: DocumentExtension,
  end: Exclude<ApartEnd<"document">, { kind: "done" }>,
): string {
  const reason =
    end.kind === "failed"
      ? end.reason
      : end.by === "time"
        ? `it took longer than ${conversionTime / 1000} seconds`
        : "it was stopped";
  return `[Cannot read ${extension} file: ${reason}]`;
}

function olderKind(path: string, newer: string): Fault {
  return new Fault(
    "not_readable",
    `${path} is an older kind of document that cannot be read here.`,
    `Convert it to ${newer} and read that, for example with: soffice --headless --convert-to ${newer.slice(1)} ${JSON.stringify(path)}.`,
    { path, convertTo: newer },
  );
}

function tooLarge(path: string): Fault {
  return new Fault(
    "too_large",
    `${path} has more than ${maxBytes / 1024 / 1024} MB, more than a document may have to be converted.`,
    "Convert a part of it with bash.",
    { path, limit: maxBytes },
  );
}
