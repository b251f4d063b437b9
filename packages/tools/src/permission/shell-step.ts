// What a command line does, one step after another, as far as its text tells.

/** Whose language a line is read in: bash's, or only what every shell that is called sh reads in the same way. */
export type ShellKind = "bash" | "sh";

export type ShellWord =
  /** Known: what the program gets. A `~` at its beginning may be the person's home. */
  | { readonly kind: "literal"; readonly value: string; readonly source: string }
  /** The names of files that a pattern finds. */
  | { readonly kind: "glob"; readonly value: string; readonly source: string }
  /** Depends on an expansion: may be anything, also several words or none. */
  | { readonly kind: "unknown"; readonly source: string };

/** The folders in which a step may happen, each as a path from where the line begins, absolute, or with `~`. Undefined
 * when that cannot be told. */
export type Folders = readonly string[] | undefined;

export type ShellStep =
  | { readonly kind: "command"; readonly words: readonly ShellWord[]; readonly folders: Folders }
  | {
      readonly kind: "redirection";
      readonly access: "read" | "write";
      readonly target: ShellWord;
      readonly source: string;
      readonly folders: Folders;
    }
  | {
      readonly kind: "assignment";
      readonly name: string;
      readonly source: string;
      /** Whether later commands see it, too. */
      readonly isLasting: boolean;
    }
  /** A variable whose value becomes part of a word. */
  | { readonly kind: "variable"; readonly name: string; readonly source: string }
  | { readonly kind: "function"; readonly name: string; readonly source: string }
  /** Something whose effect the text does not tell. */
  | { readonly kind: "caution"; readonly why: string; readonly source: string };

export type ShellLine =
  | { readonly kind: "parsed"; readonly steps: readonly ShellStep[] }
  | { readonly kind: "unparsed"; readonly why: string };

export function literalOf(word: ShellWord | undefined): string | undefined {
  return word?.kind === "literal" ? word.value : undefined;
}

export function sourceOf(words: readonly ShellWord[]): string {
  return words.map((word) => word.source).join(" ");
}

export function literalWord(value: string): ShellWord {
  return { kind: "literal", value, source: value };
}
