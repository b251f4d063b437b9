// The symbols of every language that has some.

import type { Language, Node } from "./languages.ts";
import { c, go, java, rust } from "./shapes-compiled.ts";
import { script, typed } from "./shapes-script.ts";
import { named, type Shapes } from "./symbol-shapes.ts";

const python: Shapes = {
  symbols: {
    ...named("function_definition", "function"),
    ...named("class_definition", "class"),
    assignment: {
      as: "constant",
      where: {
        inside: {
          kind: "expression_statement",
          inside: { any: [{ kind: "module" }, { kind: "block", inside: { kind: "class_definition" } }] },
        },
      },
      name: (node) => node.field("left")?.text(),
      body: (node) => {
        const value = node.field("right");
        return /^(?:dictionary|list|set|tuple)$/.test(String(value?.kind())) ? value : null;
      },
    },
  },
  comments: ["comment"],
  attributes: [],
  imports: ["import_statement", "import_from_statement", "future_import_statement"],
  wrappers: ["decorated_definition", "expression_statement"],
  lists: [],
  isIndented: true,
};

const css: Shapes = {
  symbols: {
    rule_set: { as: "rule", name: textBeforeBlock, body: blockOf },
    media_statement: { as: "rule", name: textBeforeBlock, body: blockOf },
    supports_statement: { as: "rule", name: textBeforeBlock, body: blockOf },
    keyframes_statement: { as: "rule", name: textBeforeBlock, body: blockOf },
  },
  comments: ["comment"],
  attributes: [],
  imports: ["import_statement"],
  wrappers: [],
  lists: [],
};

function blockOf(node: Node): Node | null {
  return node.children().find((child) => /block/.test(String(child.kind()))) ?? null;
}

function textBeforeBlock(node: Node): string | undefined {
  return node.text().split("{", 1)[0]?.trim().replace(/\s+/g, " ");
}

export const shapesOf: Readonly<Record<Language, Shapes | undefined>> = {
  typescript: typed,
  tsx: typed,
  javascript: script,
  python,
  go,
  rust,
  java,
  c,
  css,
  html: undefined,
};
