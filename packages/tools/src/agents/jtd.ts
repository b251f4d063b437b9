// The JSON Type Definition of an agent's result (RFC 8927), as a schema that arguments are checked with.
//
//   {}                                    anything
//   {"type": T}                           boolean, string, timestamp, float32 … uint32
//   {"enum": [S, …]}                      one of these strings
//   {"elements": F}  {"values": F}        a list, a map
//   {"properties": …, "optionalProperties": …, "additionalProperties": true}
//   {"discriminator": K, "mapping": {S: properties form, …}}
//   {"ref": NAME}                         a form of the root's "definitions"
//
// with "nullable" and "metadata" everywhere. A form of two kinds, an unknown keyword or a name that is not defined is no
// schema, and the problem says where.

import { isRecord } from "@stet/protocol/json-record";
import * as z from "zod";

export interface JtdProblem {
  readonly problem: string;
}

export function isJtdProblem(value: z.ZodType | JtdProblem): value is JtdProblem {
  return "problem" in value;
}

/** A schema's JSON text, as a model writes it. */
export function parseJtd(text: string): z.ZodType | JtdProblem {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { problem: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  return jtdSchema(parsed);
}

export function jtdSchema(root: unknown): z.ZodType | JtdProblem {
  try {
    return new Reader(isRecord(root) ? root.definitions : undefined).form(root, "the schema", true);
  } catch (error) {
    if (error instanceof NoSchema) return { problem: error.message };
    throw error;
  }
}

/** Never leaves this file. */
class NoSchema extends Error {}

const integers: Readonly<Record<string, readonly [number, number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32_768, 32_767],
  uint16: [0, 65_535],
  int32: [-2_147_483_648, 2_147_483_647],
  uint32: [0, 4_294_967_295],
};

/** What may stand in a form of each kind, beside `nullable` and `metadata`. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  ref: ["ref"],
  type: ["type"],
  enum: ["enum"],
  elements: ["elements"],
  values: ["values"],
  properties: ["properties", "optionalProperties", "additionalProperties"],
  optionalProperties: ["properties", "optionalProperties", "additionalProperties"],
  discriminator: ["discriminator", "mapping"],
};

const maxDepth = 32;

class Reader {
  readonly #definitions: Readonly<Record<string, unknown>>;
  readonly #open: string[] = [];
  #depth = 0;

  constructor(definitions: unknown) {
    if (definitions !== undefined && !isRecord(definitions)) throw new NoSchema("definitions is no object");
    this.#definitions = definitions ?? {};
  }

  form(given: unknown, where: string, isRoot = false): z.ZodType {
    if (!isRecord(given)) throw new NoSchema(`${where} is no object`);
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new NoSchema(`${where} is nested too deeply`);
    const { nullable, metadata, definitions, ...form } = given;
    if (definitions !== undefined && !isRoot)
      throw new NoSchema(`${where} has definitions, and is not the root`);
    const kind = Object.keys(kinds).find((name) => name in form);
    const strange = Object.keys(form).find((name) => !(kinds[kind ?? ""] ?? []).includes(name));
    if (strange !== undefined)
      throw new NoSchema(`${where} has ${JSON.stringify(strange)} where that cannot stand`);
    const schema = described(this.#ofKind(kind, form, where), metadata);
    this.#depth -= 1;
    return nullable === true ? schema.nullable() : schema;
  }

  #ofKind(kind: string | undefined, form: Readonly<Record<string, unknown>>, where: string): z.ZodType {
    switch (kind) {
      case undefined:
        return z.unknown();
      case "ref":
        return this.#ref(form.ref, where);
      case "type":
        return typeOf(form.type, where);
      case "enum":
        return enumOf(form.enum, where);
      case "elements":
        return z.array(this.form(form.elements, `${where}.elements`));
      case "values":
        return z.record(z.string(), this.form(form.values, `${where}.values`));
      case "discriminator":
        return this.#discriminated(form, where);
      default:
        return this.#object(form, where);
    }
  }

  #ref(name: unknown, where: string): z.ZodType {
    if (typeof name !== "string" || !Object.hasOwn(this.#definitions, name))
      throw new NoSchema(`${where} refers to ${JSON.stringify(name)}, which is not defined`);
    // A form that contains itself: what lies deeper is not checked.
    if (this.#open.includes(name)) return z.unknown();
    this.#open.push(name);
    const schema = this.form(this.#definitions[name], `definitions.${name}`);
    this.#open.pop();
    return schema;
  }

  #object(
    form: Readonly<Record<string, unknown>>,
    where: string,
    tag?: readonly [string, string],
  ): z.ZodObject {
    const { properties = {}, optionalProperties = {}, additionalProperties = false } = form;
    if (!isRecord(properties) || !isRecord(optionalProperties))
      throw new NoSchema(`${where} has properties that are no object`);
    const shape: Record<string, z.ZodType> = {};
    for (const [name, property] of Object.entries(properties))
      shape[name] = this.form(property, `${where}.${name}`);
    for (const [name, property] of Object.entries(optionalProperties)) {
      if (name in shape) throw new NoSchema(`${where}.${name} is both required and optional`);
      shape[name] = this.form(property, `${where}.${name}`).optional();
    }
    if (tag !== undefined) shape[tag[0]] = z.literal(tag[1]);
    return additionalProperties === true ? z.looseObject(shape) : z.strictObject(shape);
  }

  #discriminated({ discriminator, mapping }: Readonly<Record<string, unknown>>, where: string): z.ZodType {
    if (typeof discriminator !== "string" || !isRecord(mapping))
      throw new NoSchema(`${where} needs a discriminator and a mapping`);
    const members = Object.entries(mapping).map(([name, form]) => {
      if (!isRecord(form)) throw new NoSchema(`${where}.mapping.${name} is no object`);
      return this.#object(form, `${where}.mapping.${name}`, [discriminator, name]);
    });
    const [first, ...others] = members;
    if (first === undefined) throw new NoSchema(`${where} has an empty mapping`);
    return z.discriminatedUnion(discriminator, [first, ...others]);
  }
}

function typeOf(name: unknown, where: string): z.ZodType {
  const bounds = typeof name === "string" ? integers[name] : undefined;
  if (bounds !== undefined) return z.number().int().min(bounds[0]).max(bounds[1]);
  if (name === "boolean") return z.boolean();
  if (name === "string") return z.string();
  if (name === "timestamp") return z.iso.datetime({ offset: true });
  if (name === "float32" || name === "float64") return z.number();
  throw new NoSchema(`${where} has the type ${JSON.stringify(name)}, which there is not`);
}

function enumOf(values: unknown, where: string): z.ZodType {
  const isEnum = Array.isArray(values) && values.every((value) => typeof value === "string");
  const [first, ...others] = isEnum ? values : [];
  if (first === undefined) throw new NoSchema(`${where} has an enum that is no list of strings`);
  return z.enum([first, ...others]);
}

function described(schema: z.ZodType, metadata: unknown): z.ZodType {
  const text = isRecord(metadata) ? metadata.description : undefined;
  return typeof text === "string" ? schema.describe(text) : schema;
}
