// What a subagent of the practice model is given, and what it gives back.

export interface SubagentMaterial {
  readonly task: Readonly<Record<string, unknown>>;
  readonly context: string;
  readonly document: string;
}

/** A result, or a sentence that says why there is none. */
export type SubagentResult = Record<string, unknown> | string;

/** What the practice model says to what it cannot do. */
export function declined(what: string): string {
  return `I am Stet's built-in practice model, a small program and no AI, and cannot ${what}. Connect a real model for this; \`stet models\` lists what can be used.`;
}
