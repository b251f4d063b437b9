// Symbols of TypeScript and JavaScript.

import type { Rule } from "@ast-grep/napi";
import type { Node } from "./languages.ts";
import { anyKind, type Shapes } from "./symbol-shapes.ts";

const valueBody = (node: Node): Node | null => {
  const value = node.field("value") ?? node.field("right");
  if (value === null) return null;
  const kind = value.kind();
  return kind === "object" || kind === "array" ? value : value.field("body");
};

const functionValue = anyKind("arrow_function", "function_expression", "generator_function", "class");
const closure = { has: { field: "value", ...functionValue } };

const atTop: Rule = {
  inside: {
    ...anyKind("lexical_declaration", "variable_declaration"),
    inside: {
      any: [
        ...["program", "export_statement", "ambient_declaration"].map((kind) => ({ kind })),
        { kind: "statement_block", inside: anyKind("internal_module", "module") },
      ],
    },
  },
};

const atTopOfScript: Rule = {
  inside: {
    ...anyKind("lexical_declaration", "variable_declaration"),
    inside: anyKind("program", "export_statement"),
  },
};

const scriptSymbols: Shapes["symbols"] = {
  function_declaration: { as: "function" },
  generator_function_declaration: { as: "function" },
  class_declaration: { as: "class" },
  method_definition: { as: "method", isListed: (node) => node.parent()?.kind() === "object" },
  variable_declarator: { as: "constant", where: { any: [atTopOfScript, closure] }, body: valueBody },
  pair: {
    as: "method",
    where: closure,
    name: (node) => node.field("key")?.text(),
    body: valueBody,
    isListed: true,
  },
  assignment_expression: {
    as: "function",
    where: {
      inside: { kind: "expression_statement", inside: { kind: "program" } },
      has: { field: "right", any: [...(functionValue.any ?? []), { kind: "object" }] },
    },
    name: (node) => node.field("left")?.text(),
    body: valueBody,
  },
  export_statement: {
    as: "constant",
    where: { regex: "^export\\s+default\\b" },
    // A default export with a name is found by its own declaration.
    name: (node) => (node.field("declaration")?.field("name") == null ? "default" : undefined),
    body: (node) => {
      const value = node.field("value") ?? node.field("declaration");
      return value?.kind() === "object" ? value : (value?.field("body") ?? null);
    },
  },
};

export const script: Shapes = {
  symbols: { ...scriptSymbols, field_definition: { as: "field", name: propertyName, body: valueBody } },
  comments: ["comment"],
  attributes: ["decorator"],
  imports: ["import_statement"],
  wrappers: ["export_statement", "expression_statement"],
  lists: ["lexical_declaration", "variable_declaration"],
};

export const typed: Shapes = {
  ...script,
  symbols: {
    ...scriptSymbols,
    variable_declarator: { as: "constant", where: { any: [atTop, closure] }, body: valueBody },
    function_signature: { as: "function" },
    abstract_class_declaration: { as: "class" },
    method_signature: { as: "method", where: { inside: anyKind("class_body", "interface_body") } },
    abstract_method_signature: { as: "method" },
    public_field_definition: { as: "field", body: valueBody },
    property_signature: {
      as: "field",
      where: {
        inside: {
          any: [
            { kind: "interface_body" },
            { kind: "object_type", inside: { kind: "type_alias_declaration" } },
          ],
        },
      },
    },
    interface_declaration: { as: "interface" },
    type_alias_declaration: {
      as: "type",
      body: (node) => (node.field("value")?.kind() === "object_type" ? node.field("value") : null),
    },
    enum_declaration: { as: "enum" },
    enum_assignment: { as: "field", isListed: true },
    internal_module: { as: "module" },
    module: { as: "module" },
  },
  wrappers: ["export_statement", "expression_statement", "ambient_declaration"],
};

function propertyName(node: Node): string | undefined {
  return (node.field("property") ?? node.field("name"))?.text();
}
