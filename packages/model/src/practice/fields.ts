// What goes into a call and what comes out of it: arguments named as a tool's schema names them, and fields of results.

import type { ToolDescription } from "@stet/protocol/model-stream";
import { type Fields, isFields, Obstacle, type Steps } from "./steps.ts";

/** Other names that a parameter may have in a schema. */
export type OtherNames = Readonly<Record<string, readonly string[]>>;

/** Makes a call, or says that the tool is not offered. */
export type Call<Name extends string> = (
  name: Name,
  thought: string,
  values: Fields,
) => Steps<Fields | Obstacle>;

/** `toolNames` says what the tool is called that a name stands for; `isText` that all of them answer in plain text. */
export function callsTo<Name extends string>(
  tools: readonly ToolDescription[],
  toolNames: Readonly<Record<Name, string>>,
  otherNames: OtherNames = {},
  isText = false,
): Call<Name> {
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  return function* (name, thought, values) {
    const tool = offered.get(toolNames[name]);
    if (tool === undefined) return notOffered(toolNames[name]);
    const step = { thought, tool: tool.name, arguments: argumentsFor(tool, values, otherNames) };
    return yield isText ? { ...step, isText } : step;
  };
}

export function notOffered(tool: string): Obstacle {
  return new Obstacle("not_offered", `The tool ${tool} is not offered here.`);
}

/** A tool is given only what its schema has, under the name that its schema uses. */
function argumentsFor(tool: ToolDescription, values: Fields, otherNames: OtherNames): Fields {
  const properties = tool.parameters.properties;
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  if (!isFields(properties)) return Object.fromEntries(given);
  const chosen: Record<string, unknown> = {};
  for (const [name, value] of given) {
    const known = [name, ...(otherNames[name] ?? [])].find((candidate) => candidate in properties);
    if (known !== undefined) chosen[known] = withinMaximum(properties[known], value);
  }
  return chosen;
}

function withinMaximum(property: unknown, value: unknown): unknown {
  const maximum = isFields(property) ? property.maximum : undefined;
  return typeof value === "number" && typeof maximum === "number" ? Math.min(value, maximum) : value;
}

export function textIn(value: Fields, name: string): string | undefined {
  const text = value[name];
  return typeof text === "string" ? text : undefined;
}

export function numberIn(value: Fields, name: string): number | undefined {
  const number = value[name];
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export function fieldsIn(value: Fields, name: string): Fields {
  const fields = value[name];
  return isFields(fields) ? fields : {};
}

/** The objects of a list; anything else in it is left out. */
export function itemsIn(value: Fields, name: string): readonly Fields[] {
  const items = value[name];
  return Array.isArray(items) ? items.filter(isFields) : [];
}
