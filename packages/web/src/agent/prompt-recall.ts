// Earlier prompts, brought back with the arrow keys from an empty field: up to older ones, down again, and out below the
// newest, where the field is empty as before.

export class PromptRecall {
  #prompts: readonly string[] = [];
  /** Which one is in the field; -1 for none. */
  #index = -1;

  get isBrowsing(): boolean {
    return this.#index >= 0;
  }

  /** The newest first; the same one after another is there once. */
  begin(prompts: readonly string[]): void {
    this.#prompts = prompts.filter((prompt, index) => prompt !== prompts[index - 1]);
    this.#index = -1;
  }

  /** Undefined where there is none older. */
  older(): string | undefined {
    const prompt = this.#prompts[this.#index + 1];
    if (prompt !== undefined) this.#index += 1;
    return prompt;
  }

  newer(): string {
    this.#index = Math.max(-1, this.#index - 1);
    return this.#prompts[this.#index] ?? "";
  }

  /** The person writes something of their own. */
  end(): void {
    this.#index = -1;
  }
}
