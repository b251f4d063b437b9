// Symbols of C, Go, Rust and Java.

import type { Rule } from "@ast-grep/napi";
import type { Node } from "./languages.ts";
import { named, type Shapes } from "./symbol-shapes.ts";

/** The name inside a declarator of C: `*f(int)`, `(*table)[3]`. */
function declaredName(node: Node): string | undefined {
  let at = node.field("declarator");
  for (let depth = 0; at !== null && depth < 20; depth += 1) {
    const next: Node | null = at.field("declarator") ?? innerDeclarator(at);
    if (next === null) return at.text();
    at = next;
  }
  return undefined;
}

function innerDeclarator(node: Node): Node | null {
  if (node.kind() !== "parenthesized_declarator") return null;
  return node.children().find((child) => child.isNamed()) ?? null;
}

const baseName = (text: string | undefined) => text?.replace(/^[&*\s]+/, "").replace(/[<[\s].*$/s, "");
const inTopOf = (kind: string): Rule => ({ inside: { kind, inside: { kind: "source_file" } } });

export const c: Shapes = {
  symbols: {
    function_definition: { as: "function", name: declaredName },
    declaration: {
      as: "constant",
      where: {
        inside: {
          any: [
            ...["translation_unit", "preproc_ifdef", "preproc_if", "preproc_else"].map((kind) => ({ kind })),
            { kind: "declaration_list", inside: { kind: "linkage_specification" } },
          ],
        },
      },
      name: declaredName,
    },
    struct_specifier: { as: "struct", where: { not: { inside: { kind: "type_definition" } } } },
    union_specifier: { as: "struct", where: { not: { inside: { kind: "type_definition" } } } },
    enum_specifier: { as: "enum", where: { not: { inside: { kind: "type_definition" } } } },
    type_definition: {
      as: "type",
      name: declaredName,
      body: (node) => node.field("type")?.field("body") ?? null,
    },
    field_declaration: { as: "field", name: declaredName },
    enumerator: { as: "field", isListed: true },
    preproc_def: { as: "macro" },
    preproc_function_def: { as: "macro" },
  },
  comments: ["comment"],
  attributes: [],
  imports: ["preproc_include"],
  wrappers: [],
  lists: [],
};

export const go: Shapes = {
  symbols: {
    function_declaration: { as: "function" },
    method_declaration: {
      as: "method",
      name: (node) => {
        const [, receiver = ""] = /([\w*[\], ]+)\)$/.exec(node.field("receiver")?.text() ?? "") ?? [];
        const type = baseName(receiver.trim().replace(/^\w+\s+(?=\S)/, ""));
        return `${type ?? ""}.${node.field("name")?.text() ?? ""}`;
      },
    },
    type_spec: {
      as: "type",
      where: inTopOf("type_declaration"),
      body: (node) => {
        const type = node.field("type");
        if (type?.kind() === "interface_type") return type;
        return type?.children().find((child) => child.kind() === "field_declaration_list") ?? null;
      },
    },
    type_alias: { as: "type", where: inTopOf("type_declaration") },
    const_spec: { as: "constant", where: inTopOf("const_declaration") },
    var_spec: {
      as: "constant",
      where: {
        any: [
          inTopOf("var_declaration"),
          { inside: { kind: "var_spec_list", ...inTopOf("var_declaration") } },
        ],
      },
    },
    field_declaration: {
      as: "field",
      name: (node) => (node.field("name") ?? node.field("type"))?.text(),
    },
    method_elem: { as: "method" },
  },
  comments: ["comment"],
  attributes: [],
  imports: ["import_declaration"],
  wrappers: [],
  lists: ["type_declaration", "const_declaration", "var_declaration"],
};

export const rust: Shapes = {
  symbols: {
    ...named("function_item", "function"),
    ...named("function_signature_item", "function"),
    ...named("struct_item", "struct"),
    ...named("union_item", "struct"),
    ...named("enum_item", "enum"),
    ...named("trait_item", "trait"),
    impl_item: {
      as: "impl",
      name: (node) => {
        const of = node.field("trait")?.text();
        return `impl ${of === undefined ? "" : `${of} for `}${node.field("type")?.text() ?? ""}`;
      },
      scope: (node) => baseName(node.field("type")?.text()),
    },
    ...named("mod_item", "module"),
    ...named("const_item", "constant"),
    ...named("static_item", "constant"),
    ...named("type_item", "type"),
    ...named("associated_type", "type"),
    ...named("macro_definition", "macro"),
    field_declaration: { as: "field", isListed: true },
    enum_variant: { as: "field", isListed: true },
  },
  comments: ["line_comment", "block_comment"],
  attributes: ["attribute_item"],
  imports: ["use_declaration"],
  wrappers: [],
  lists: [],
};

export const java: Shapes = {
  symbols: {
    ...named("class_declaration", "class"),
    ...named("interface_declaration", "interface"),
    ...named("enum_declaration", "enum"),
    ...named("record_declaration", "class"),
    ...named("annotation_type_declaration", "interface"),
    ...named("method_declaration", "method"),
    ...named("constructor_declaration", "method"),
    ...named("compact_constructor_declaration", "method"),
    field_declaration: { as: "field", name: (node) => node.field("declarator")?.field("name")?.text() },
    constant_declaration: { as: "field", name: (node) => node.field("declarator")?.field("name")?.text() },
    enum_constant: { as: "field", isListed: true },
  },
  comments: ["line_comment", "block_comment"],
  attributes: [],
  imports: ["import_declaration"],
  wrappers: [],
  lists: [],
};
