// A scripted model that keeps two notes in step: whatever number it is told, it writes into both.

import type { ScriptedModel } from "./scripted-model.ts";
import { startScriptedModel } from "./scripted-model.ts";
import type { ScriptedReply } from "./scripted-model-reply.ts";

export const notes = ["one.md", "two.md"] as const;

export function noteText(number: number): string {
  return `# Note\n\nThe number is ${number}.\n`;
}

/** The number that a note holds; undefined where it is not whole. */
export function numberIn(text: string): number | undefined {
  const match = /^# Note\n\nThe number is (\d+)\.\n$/.exec(text);
  return match === null ? undefined : Number(match[1]);
}

export function startNotesModel(): Promise<ScriptedModel> {
  return startScriptedModel((request): ScriptedReply => {
    const asked = request.messages.findLast(({ role }) => role === "user");
    const number = /number (\d+)/.exec(asked?.text ?? "")?.[1] ?? "0";
    const from = request.messages.findLastIndex(({ role }) => role === "user");
    const done = request.messages.slice(from).filter(({ role }) => role === "toolResult").length;
    if (done === 0)
      return { toolCalls: notes.map((file_path) => ({ name: "read_file", arguments: { file_path } })) };
    const note = notes[done - notes.length];
    if (note === undefined) return { text: `Both notes say ${number} now.` };
    return {
      text: `I write ${number} into ${note}.`,
      toolCalls: [
        {
          name: "edit_file",
          arguments: {
            file_path: note,
            operation: "replace",
            start_line: 3,
            end_line: 3,
            new_text: `The number is ${number}.`,
          },
        },
      ],
    };
  });
}
