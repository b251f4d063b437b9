// What a person does at the keyboard, after escape sequences are put together: keys by their ids, and pasted text.

export interface KeyInput {
  readonly kind: "key";
  /** `ctrl+c`, `shift+tab`, `pageUp`, `f5`, `a`, `é`; modifiers in the order shift, alt, ctrl. */
  readonly id: string;
  /** What the key types; undefined where it types nothing. */
  readonly text: string | undefined;
  readonly isRelease: boolean;
}

export interface PasteInput {
  readonly kind: "paste";
  /** As it came, with its line ends. */
  readonly text: string;
}

export type Input = KeyInput | PasteInput;
