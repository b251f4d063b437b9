// Tool parameters: from a zod schema to the JSON schema that is sent, and back to checked arguments.
//
// What is sent is the least that weak local models and strict servers all take: objects with `additionalProperties: false`,
// arrays, strings, numbers, booleans and enumerations, each property with a description. No `$ref`, no `pattern` or
// `format`, no `const`; a union becomes one object with the properties of all its members, or an enumeration, where that
// loses nothing but strictness. What comes back is checked against the whole schema, so what the sent form does not say is
// still enforced, and the model gets the list of problems.

import { cutText } from "@stet/protocol/cut-text";
import { isRecord } from "@stet/protocol/json-record";
import * as z from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** How often a model may try again to write arguments that fit. */
export const maxSchemaRetries = 5;

export type CheckedArguments<T> =
  | { readonly valid: true; readonly value: T }
  | {
      readonly valid: false;
      readonly message: string;
      /** What does not fit, a line each. */
      readonly problems: readonly string[];
      readonly issues: readonly { readonly path: string; readonly message: string }[];
    };

const sentForms = new WeakMap<z.ZodType, JsonSchema>();

/** The same value for the same schema: every request of a turn names its tools. */
export function toolParameters(schema: z.ZodType): JsonSchema {
  const known = sentForms.get(schema);
  if (known !== undefined) return known;
  const form = sentForm(schema);
  sentForms.set(schema, form);
  return form;
}

function sentForm(schema: z.ZodType): JsonSchema {
  const full = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    reused: "inline",
    unrepresentable: "any",
  });
  const flat = flatten(full);
  // Providers want an object at the top, also for a tool without parameters.
  return flat.type === "object" ? flat : { type: "object", properties: {}, additionalProperties: false };
}

export function checkArguments<T>(
  schema: z.ZodType<T>,
  given: Readonly<Record<string, unknown>>,
): CheckedArguments<T> {
  const first = schema.safeParse(given);
  if (first.success) return { valid: true, value: first.data };
  // The sent form cannot say "or null", and models write null for what they leave out.
  const second = schema.safeParse(withoutRefusedNulls(given, first.error.issues));
  if (second.success) return { valid: true, value: second.data };
  const problems = explain(first.error, given);
  const message = `The arguments do not fit, and nothing was done:\n${problems.join("\n")}\nWrite the call again with this put right.`;
  const issues = first.error.issues.map(({ path, message: why }) => ({ path: path.join("."), message: why }));
  return { valid: false, message, problems, issues };
}

const sentKeywords = ["type", "description", "enum", "minimum", "maximum", "minItems", "maxItems"] as const;

function flatten(node: unknown): Record<string, unknown> {
  if (!isRecord(node)) return {};
  const whole = combined(node);
  const result: Record<string, unknown> = {};
  for (const word of sentKeywords) if (whole[word] !== undefined) result[word] = whole[word];
  if (whole.const !== undefined) result.enum = [whole.const];
  if (Array.isArray(result.enum)) result.type ??= jsonType(result.enum[0]);
  // The bounds of every whole number say nothing to a model.
  if (result.minimum === Number.MIN_SAFE_INTEGER) delete result.minimum;
  if (result.maximum === Number.MAX_SAFE_INTEGER) delete result.maximum;
  if (whole.type === "array")
    result.items = flatten(Array.isArray(whole.items) ? whole.items[0] : whole.items);
  if (whole.type === "object") Object.assign(result, flattenObject(whole));
  if (result.type === undefined && Array.isArray(whole.anyOf)) result.anyOf = whole.anyOf.map(flatten);
  return result;
}

function flattenObject(node: JsonSchema): Record<string, unknown> {
  const given = isRecord(node.properties) ? node.properties : {};
  const isOpen = isRecord(node.additionalProperties) && Object.keys(given).length === 0;
  const properties = Object.fromEntries(
    Object.entries(given).map(([name, property]) => [name, described(name, flatten(property))]),
  );
  const required = Array.isArray(node.required) ? node.required : [];
  return {
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: isOpen ? flatten(node.additionalProperties) : false,
  };
}

/** Resolves unions and intersections of this one node into a node of a single type, where that is possible. */
function combined(node: JsonSchema): JsonSchema {
  if (Array.isArray(node.allOf)) {
    const { allOf, ...rest } = node;
    return mergeObjects([rest, ...allOf.filter(isRecord).map(combined)], "all");
  }
  const choices = Array.isArray(node.anyOf) ? node.anyOf : Array.isArray(node.oneOf) ? node.oneOf : undefined;
  if (choices === undefined)
    return Array.isArray(node.type) ? { ...node, type: withoutNull(node.type) } : node;
  const members = choices
    .filter(isRecord)
    .map(combined)
    .filter((member) => member.type !== "null");
  const { anyOf: _, oneOf: __, ...rest } = node;
  const [only] = members;
  if (members.length === 1 && only !== undefined) return { ...only, ...rest };
  if (members.every((member) => Array.isArray(member.enum) || member.const !== undefined)) {
    const values = members.flatMap((member) => (Array.isArray(member.enum) ? member.enum : [member.const]));
    return { ...rest, type: jsonType(values[0]), enum: [...new Set(values)] };
  }
  if (members.every((member) => member.type === "object"))
    return { ...mergeObjects(members, "any"), ...rest };
  return { ...rest, anyOf: members };
}

/** `all`: every member holds, so what one requires is required. `any`: only what each requires is. */
function mergeObjects(members: readonly JsonSchema[], mode: "all" | "any"): JsonSchema {
  const properties: Record<string, unknown> = {};
  const requiredBy = new Map<string, number>();
  let result: Record<string, unknown> = {};
  for (const member of members) {
    result = { ...result, ...member };
    for (const name of Array.isArray(member.required) ? member.required : []) {
      requiredBy.set(String(name), (requiredBy.get(String(name)) ?? 0) + 1);
    }
    for (const [name, property] of Object.entries(isRecord(member.properties) ? member.properties : {})) {
      const known = properties[name];
      properties[name] = isRecord(known) && isRecord(property) ? widened(known, property) : property;
    }
  }
  const required = [...requiredBy]
    .filter(([, count]) => mode === "all" || count === members.length)
    .map(([name]) => name);
  return { ...result, type: "object", properties, required };
}

function widened(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  return combined({ ...describedBy(one), ...describedBy(other), anyOf: [one, other] });
}

function describedBy(node: JsonSchema): JsonSchema {
  return node.description === undefined ? {} : { description: node.description };
}

function described(name: string, node: Record<string, unknown>): Record<string, unknown> {
  if (node.description !== undefined) return node;
  const words = name
    .replace(/_/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return { ...node, description: `The ${words}.` };
}

function explain(error: z.ZodError, given: unknown): string[] {
  const lines = error.issues
    .slice(0, 8)
    .map((issue) => `- ${pathName(issue.path)}: ${issue.message}${seen(issue.path, given)}`);
  return error.issues.length > 8 ? [...lines, `- and ${error.issues.length - 8} more`] : lines;
}

function pathName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the arguments";
  return path
    .map((step, index) =>
      typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`,
    )
    .join("");
}

function seen(path: readonly PropertyKey[], given: unknown): string {
  let value = given;
  for (const step of path) {
    if (!isRecord(value) && !Array.isArray(value)) return "";
    value = Reflect.get(value, step);
  }
  if (value === undefined) return " (it is missing)";
  const text = JSON.stringify(value) ?? "";
  return ` (got ${cutText(text, 60)})`;
}

/** The nulls that were refused are left out; one that is data, such as a cell of a row, is not. */
function withoutRefusedNulls(given: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  return issues.reduce((value, { path }) => withoutNullsAt(value, path), given);
}

function withoutNullsAt(value: unknown, path: readonly PropertyKey[]): unknown {
  const [step, ...rest] = path;
  // Of a union, only the path is known.
  if (step === undefined) return withoutNulls(value);
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? withoutNullsAt(item, rest) : item));
  if (!isRecord(value) || typeof step !== "string") return value;
  const { [step]: item, ...others } = value;
  return item === null || item === undefined ? others : { ...value, [step]: withoutNullsAt(item, rest) };
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const present = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(present.map(([name, item]) => [name, withoutNulls(item)]));
}

function withoutNull(types: readonly unknown[]): unknown {
  return types.find((type) => type !== "null");
}

function jsonType(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : "string";
}
