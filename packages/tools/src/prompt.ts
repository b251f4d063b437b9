// Prompts are files beside the tools that they describe.

import { readFileSync } from "node:fs";

/** The text of `<name>.md` beside the module whose `import.meta.url` is given. */
export function prompt(module: string, name: string): string {
  return readFileSync(new URL(`./${name}.md`, module), "utf8").trim();
}
