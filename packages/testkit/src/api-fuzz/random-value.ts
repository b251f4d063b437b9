// Values for a JSON Schema as z.toJSONSchema writes it: mostly ones that fit, so that requests get behind the check of
// their form, and otherwise ones that a careless server falls over.

import type { Random } from "../random.ts";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly maxLength?: number;
}

export interface ValueSource {
  readonly random: Random;
  /** The schemas that a reference can name. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Ids, paths and numbers that the server has used before, by the name of their field. */
  readonly seen: ReadonlyMap<string, readonly unknown[]>;
}

const hostileTexts: readonly string[] = [
  "",
  "\0",
  "a\0b",
  "\ud800",
  "x\udfff",
  "\u202e\u200b",
  "\r\n",
  "\n".repeat(300),
  "../../etc/passwd",
  "/etc/passwd",
  ".git/config",
  "C:\\x",
  "a/".repeat(2000),
  "x".repeat(300),
  "x".repeat(5000),
  "é".repeat(2000),
  "%00",
  "'; DROP TABLE entries; --",
  "*",
  "[",
  "{a,".repeat(40),
  "(a+)+$",
  "\\",
  "__proto__",
  "constructor",
  "-1",
  "NaN",
  "1e309",
  "null",
];
const hostileNumbers: readonly number[] = [
  0,
  -1,
  1,
  0.5,
  -0,
  2 ** 31,
  2 ** 53,
  -(2 ** 53) - 2,
  1e21,
  1e308,
  Number.MAX_SAFE_INTEGER,
];
const plainTexts: readonly string[] = ["notes.md", "lighthouse", "docs/a.md", "line 1", "h_1_1", "x", "1"];

export function randomValue(schema: Schema, source: ValueSource, name = "", depth = 0): unknown {
  const { random } = source;
  if (depth > 12) return null;
  if (random.chance(0.1)) return wrongValue(source);
  const known = source.seen.get(name);
  if (known !== undefined && known.length > 0 && random.chance(0.7)) return random.pick(known);
  if (schema.$ref !== undefined) {
    const target = source.schemas[schema.$ref.replace("#/components/schemas/", "")];
    return target === undefined ? null : randomValue(target, source, name, depth + 1);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return randomValue(random.pick(choices), source, name, depth + 1);
  const type = typeof schema.type === "string" ? schema.type : random.pick(schema.type ?? ["string"]);
  if (type === "object") return randomObject(schema, source, depth);
  if (type === "array") return randomArray(schema, source, name, depth);
  if (type === "number" || type === "integer") return randomNumber(schema, random);
  if (type === "boolean") return random.chance(0.5);
  return type === "null" ? null : randomText(schema, random);
}

function randomObject(schema: Schema, source: ValueSource, depth: number): Record<string, unknown> {
  const { random } = source;
  const made: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(schema.properties ?? {})) {
    const isNeeded = schema.required?.includes(key) === true;
    if (random.chance(isNeeded ? 0.95 : 0.5)) made[key] = randomValue(part, source, key, depth + 1);
  }
  if (random.chance(0.05)) made[random.pick(hostileTexts)] = wrongValue(source);
  return made;
}

function randomArray(schema: Schema, source: ValueSource, name: string, depth: number): unknown[] {
  const { random } = source;
  const of = (items: Schema) => randomValue(items, source, name.replace(/s$/, ""), depth + 1);
  if (schema.prefixItems !== undefined) return schema.prefixItems.map(of);
  const { items = {} } = schema;
  return Array.from({ length: random.chance(0.03) ? 500 : random.below(4) }, () => of(items));
}

function randomNumber({ minimum, exclusiveMinimum, maximum }: Schema, random: Random): number {
  if (random.chance(0.2)) return random.pick(hostileNumbers);
  const low = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  if (random.chance(0.2)) return random.pick([low, low - 1, maximum ?? low, (maximum ?? low) + 1]);
  return low + random.below(20);
}

function randomText({ maxLength }: Schema, random: Random): string {
  if (maxLength !== undefined && random.chance(0.05)) return "y".repeat(Math.min(200_000, maxLength + 1));
  return random.chance(0.35) ? random.pick(hostileTexts) : random.pick(plainTexts);
}

/** Of any type at all. */
export function wrongValue({ random }: ValueSource): unknown {
  const kinds: readonly (() => unknown)[] = [
    () => random.pick(hostileTexts),
    () => random.pick(hostileNumbers),
    () => null,
    () => random.chance(0.5),
    () => [],
    () => ({}),
    () => [[[[[[1]]]]]],
    () => ({ __proto__: null, toString: 1, valueOf: 2 }),
    () => Array.from({ length: 2000 }, (_, index) => index),
  ];
  return random.pick(kinds)();
}

/** Bodies that are no JSON, or JSON that is hard to take. */
export const hostileBodies: readonly string[] = [
  "",
  "{",
  "null",
  "[]",
  '"text"',
  "1e999",
  '{"a":1,"a":2}',
  '{"__proto__":{"isFault":true}}',
  "[".repeat(20_000),
  `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`,
  "\ufeff{}",
  "{}\0",
  `{"path":"${"\\u0000".repeat(50)}"}`,
];
