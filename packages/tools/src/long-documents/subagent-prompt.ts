// What a subagent is sent: the task as one line of JSON, then the material between marks.
//
//   <task>{"old_name":"Ahab"}</task>
//   <context-3f2a9c01d4e7> … </context-3f2a9c01d4e7>     what stands before, to understand and not to work on
//   <document-3f2a9c01d4e7> … </document-3f2a9c01d4e7>   the material
//
// The marks carry a hash of the material, so a document cannot close them and speak as if it were us. Nothing in here
// depends on where in the document a chunk stands unless lines are numbered: the same text gives the same prompt, and a
// kept result stays good when other chapters change.

import { hashText } from "@stet/text/hash";
import { prompt } from "../prompt.ts";

export interface Material {
  readonly task: Readonly<Record<string, unknown>>;
  readonly context?: string;
  readonly document: string;
}

export function promptOf({ task, context = "", document }: Material): string {
  const mark = hashText(`${context}\0${document}`).slice("sha256:".length, "sha256:".length + 12);
  const before = context === "" ? [] : [`<context-${mark}>\n${context}\n</context-${mark}>`];
  return [
    `<task>${JSON.stringify(task)}</task>`,
    ...before,
    `<document-${mark}>\n${document}\n</document-${mark}>`,
  ].join("\n\n");
}

/** The rules that hold for every subagent, and the words for this one. */
export function systemOf(names: readonly string[]): string {
  return ["rules", ...names].map((name) => prompt(import.meta.url, `subagent-${name}`)).join("\n\n");
}
