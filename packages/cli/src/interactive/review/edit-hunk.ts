// A person's own lines in the place of a hunk's, as a change of the document like one that is typed in the browser: it is
// made on the revision that the lines were taken from, and mapped over everything since. The hunk stays open, with both
// origins; accepting it keeps the person's lines, and rejecting it keeps them in a checkpoint.

import { randomUUID } from "node:crypto";
import { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { commonEnds } from "@stet/text/common-ends";
import { changeOf, withLineEnds, withoutReturn } from "@stet/text/lines";
import { type HunkInFile, nameOf } from "../../hunk-lines.ts";
import type { ReviewApi } from "./review-session.ts";

export interface HunkEdit {
  readonly document: number;
  readonly hunkId: string;
  /** For an editor that looks at its end. */
  readonly name: string;
  readonly revision: number;
  readonly text: Text;
  /** Index of the first line, and how many lines. */
  readonly start: number;
  readonly lines: readonly string[];
}

/** The front end that a change is recorded under. */
const client = `terminal-${process.pid}`;
/** How often both are read until they are of the same revision. */
const maxReads = 5;

/** Undefined where the hunk is not open any more. */
export async function startEdit(
  api: ReviewApi,
  { file, hunk }: HunkInFile,
): Promise<HunkEdit | Fault | undefined> {
  const params = { document: file.document };
  for (let read = 0; read < maxReads; read += 1) {
    const review = await api.call("documentReview", { params, query: {} });
    if (isFault(review)) return review;
    const found = review.hunks.find(({ hunk_id }) => hunk_id === hunk.hunk_id);
    if (found === undefined) return undefined;
    const content = await api.call("getDocument", { params });
    if (isFault(content)) return content;
    if (content.revision !== review.revision) continue;
    return {
      ...params,
      hunkId: hunk.hunk_id,
      name: nameOf(file),
      revision: content.revision,
      text: Text.of(content.text.split("\n")),
      start: found.new_start - 1,
      lines: found.added.map(withoutReturn),
    };
  }
  return new Fault(
    "conflict",
    `${nameOf(file)} is being changed all the time.`,
    "Wait until the agent is done, and edit the hunk then.",
  );
}

/** What the person gets to edit. */
export function textOf({ lines }: HunkEdit): string {
  return lines.join("\n");
}

/** Whether anything is different. A text that is empty takes the lines away. */
export async function changeHunk(api: ReviewApi, edit: HunkEdit, text: string): Promise<boolean | Fault> {
  if (text === textOf(edit)) return false;
  const lines = text === "" ? [] : text.split(/\r?\n/);
  const { start, end } = commonEnds(edit.lines, lines);
  const splice = withLineEnds(edit.text, {
    at: edit.start + start,
    removed: edit.lines.length - start - end,
    lines: lines.slice(start, lines.length - end),
  });
  const reply = await api.call("changeDocument", {
    params: { document: edit.document },
    body: {
      revision: edit.revision,
      change: changeOf(edit.text, [splice]).toJSON(),
      client,
      change_id: randomUUID(),
    },
  });
  return isFault(reply) ? reply : true;
}
