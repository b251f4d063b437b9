// The files that a part of a conversation read and changed, as its calls name them and their tools' traits say.

import type { Message } from "@stet/protocol/message";

export interface TouchedFiles {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

const maxFiles = 200;

export function touchedFiles(messages: readonly Message[]): TouchedFiles {
  const read = new Set<string>();
  const modified = new Set<string>();
  const editing = new Set<string>();
  const failed = new Set(
    messages.flatMap((message) =>
      message.role === "toolResult" && message.isError ? [message.toolCallId] : [],
    ),
  );
  for (const message of messages) {
    if (message.role === "toolResult" && !message.isError && editing.has(message.toolCallId)) {
      for (const path of pathsOfResult(message.details)) modified.add(path);
    }
    if (message.role !== "assistant") continue;
    for (const part of message.content) {
      if (part.type !== "toolCall" || failed.has(part.id)) continue;
      if (part.traits?.includes("edits")) editing.add(part.id);
      const path = part.arguments.file_path ?? part.arguments.path;
      if (typeof path !== "string" || path === "") continue;
      if (part.traits?.includes("edits")) modified.add(path);
      else if (part.traits?.includes("reads")) read.add(path);
    }
  }
  return {
    readFiles: [...read].filter((path) => !modified.has(path)).slice(-maxFiles),
    modifiedFiles: [...modified].slice(-maxFiles),
  };
}

/** Edits of several files say in their details which ones. */
function pathsOfResult(details: unknown): string[] {
  if (typeof details !== "object" || details === null || !("perFileResults" in details)) return [];
  const { perFileResults } = details;
  if (!Array.isArray(perFileResults)) return [];
  return perFileResults.flatMap((file: unknown) => {
    const path = typeof file === "object" && file !== null && "path" in file ? file.path : undefined;
    return typeof path === "string" ? [path] : [];
  });
}
