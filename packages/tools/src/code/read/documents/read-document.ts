// Documents of offices and libraries, read as text. They cannot be written.

import { extname } from "node:path";
import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Location } from "@stet/workspace/files/containment";
import { readBytes } from "@stet/workspace/files/files";
import type { CodeContext } from "../../code-context.ts";
import { type ApartEnd, workApart } from "../apart.ts";
import { pagedText } from "../paged-text.ts";
import type { SelectedPath } from "../selector.ts";
import { type DocumentExtension, documentExtensions } from "./convert-document.ts";

const maxBytes = 64 * 1024 * 1024;
/** Milliseconds for one document. */
export const conversionTime = 20_000;
const maxConverted = 8;

/** Texts of documents that a turn has read: reading on does not convert once more. */
const convertedBy = new WeakMap<CodeContext["turn"], Map<string, string>>();

/** A document as a page of its text, or a notice where it cannot be converted. */
export async function readDocument(
  context: CodeContext,
  location: Location,
  selected: SelectedPath,
  call: ToolContext,
): Promise<ToolOutcome | Fault> {
  const { path } = location;
  const extension = extname(path).toLowerCase();
  const kind = documentExtensions.find((known) => known === extension);
  if (kind === undefined) return olderKind(path, `${extension}x`);
  const content = readBytes(context.workspace.root, location, { maxBytes });
  if (isFault(content)) return content.error === "unsupported_file_type" ? tooLarge(path) : content;
  const converted = convertedBy.get(context.turn) ?? new Map<string, string>();
  convertedBy.set(context.turn, converted);
  const key = `${path} ${content.hash}`;
  const known = converted.get(key);
  if (known !== undefined) return pagedText(context, known, { ...selected, source: path });
  const options = { signal: call.signal, milliseconds: conversionTime };
  const end = await workApart("document", { extension: kind, bytes: content.bytes }, options);
  if (end.kind === "stopped" && end.by === "signal") {
    return new Fault("aborted", `${path} was not read to the end.`, "Wait for the next message.", { path });
  }
  if (end.kind !== "done") {
    const notice = documentNotice(kind, end);
    return { content: notice, details: { path, notice } };
  }
  const [oldest] = converted.keys();
  if (converted.size >= maxConverted && oldest !== undefined) converted.delete(oldest);
  converted.set(key, end.value);
  return pagedText(context, end.value, { ...selected, source: path });
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

/** Kinds that only their own programs read well. */
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
