// Which nodes of a language's tree are symbols, what they are called, and where their bodies are.
//
// One rule per language finds all of them in a single pass. Nesting follows from where they lie (code-symbols.ts), so a
// shape knows nothing of its surroundings but what tells a symbol from a local detail: a constant counts where it stands
// at the top, a closure wherever it has a name.

import type { Rule } from "@ast-grep/napi";
import type { Node } from "./languages.ts";

export type SymbolKind =
  | "function"
  | "method"
  | "class"
  | "interface"
  | "type"
  | "enum"
  | "field"
  | "constant"
  | "module"
  | "struct"
  | "trait"
  | "impl"
  | "macro"
  | "rule"
  | "imports"
  | "section"
  | "key";

export interface SymbolShape {
  readonly as: SymbolKind;
  /** What else must be true of the node. */
  readonly where?: Rule;
  /** The text of the field `name` unless given. */
  readonly name?: (node: Node) => string | undefined;
  /** The field `body` unless given. */
  readonly body?: (node: Node) => Node | null;
  /** What names inside it begin with: its own name unless given. */
  readonly scope?: (node: Node) => string | undefined;
  /** Stands in a list whose members have commas between them. */
  readonly isListed?: boolean | ((node: Node) => boolean);
}

export interface Shapes {
  readonly symbols: Readonly<Record<string, SymbolShape>>;
  /** Comments, and attributes that are nodes of their own: in front of a symbol they belong to it. */
  readonly comments: readonly string[];
  readonly attributes: readonly string[];
  readonly imports: readonly string[];
  /** Nodes around a symbol that are part of it, such as `export`. */
  readonly wrappers: readonly string[];
  /** Wrappers only while they hold a single symbol, such as `const a = 1, b = 2`. */
  readonly lists: readonly string[];
  /** Whether bodies are told by their indentation and not by brackets. */
  readonly isIndented?: boolean;
}

export const anyKind = (...kinds: string[]): Rule => ({ any: kinds.map((kind) => ({ kind })) });

export const named = (kind: string, as: SymbolKind): Readonly<Record<string, SymbolShape>> => ({
  [kind]: { as },
});
