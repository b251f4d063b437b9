// Prompts are files beside the code that uses them. `{{name}}` stands for a value.

import { readFileSync } from "node:fs";

const read = new Map<string, string>();

export function filledPrompt(name: string, values: Readonly<Record<string, string>> = {}): string {
  let text = read.get(name);
  if (text === undefined) {
    text = readFileSync(new URL(name, import.meta.url), "utf8").trim();
    read.set(name, text);
  }
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? "");
}
