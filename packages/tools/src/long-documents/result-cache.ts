// Results of subagents, kept for the next time that the same thing is asked.
//
// The key is everything that the result depends on: the model, the tool with its schema, the instructions and the prompt with
// its text. A changed prompt, another model or another word in the chunk is therefore another key, and nothing is ever stale.

import { hashText } from "@stet/text/hash";

export interface ResultCache {
  get(key: string): unknown;
  set(key: string, result: unknown): void;
}

export interface KeyParts {
  readonly modelId: string;
  readonly tool: { readonly name: string; readonly description: string };
  readonly system: string;
  readonly prompt: string;
}

export function keyOf({ modelId, tool, system, prompt }: KeyParts): string {
  return hashText(JSON.stringify([modelId, tool.name, tool.description, system, prompt]));
}

const maxLength = 16 * 1024 * 1024;

/** Keeps what was used last, up to a limit in characters. */
export class MemoryResultCache implements ResultCache {
  readonly #results = new Map<string, string>();
  readonly #limit: number;
  #length = 0;

  constructor(limit = maxLength) {
    this.#limit = limit;
  }

  get(key: string): unknown {
    const json = this.#results.get(key);
    if (json === undefined) return undefined;
    this.#results.delete(key);
    this.#results.set(key, json);
    return JSON.parse(json);
  }

  set(key: string, result: unknown): void {
    const json = JSON.stringify(result);
    this.#length += json.length - (this.#results.get(key)?.length ?? 0);
    this.#results.delete(key);
    this.#results.set(key, json);
    for (const [oldest, kept] of this.#results) {
      if (this.#length <= this.#limit) break;
      this.#results.delete(oldest);
      this.#length -= kept.length;
    }
  }
}
