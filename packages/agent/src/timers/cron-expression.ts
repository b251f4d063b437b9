// A cron expression: five fields in local time, checked against a closed grammar before anybody computes with it.
//
//   expression = minute " " hour " " day-of-month " " month " " day-of-week
//   field      = item *( "," item )
//   item       = "*" [ "/" n ]  |  value  |  value "-" value [ "/" n ]
//
// Values are numbers; day-of-week is 0 or 7 for Sunday up to 6 for Saturday. Names, L, W, ?, # and further fields, which
// other crons know, are refused: they would mean something else in one of them. The next run is croner's.

import { Fault } from "@stet/protocol/fault";
import { Cron } from "croner";

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
}

export const cronFields: readonly Field[] = [
  { name: "minute", least: 0, most: 59 },
  { name: "hour", least: 0, most: 23 },
  { name: "day-of-month", least: 1, most: 31 },
  { name: "month", least: 1, most: 12 },
  { name: "day-of-week", least: 0, most: 7 },
];

export interface CronExpression {
  /** With single spaces. */
  readonly text: string;
  readonly fields: readonly string[];
  /** The first run after a time, both in milliseconds since 1970; undefined where there is none. */
  next(after: number): number | undefined;
}

export function parseCron(given: string, now: number): CronExpression | Fault {
  const fields = given.trim().split(/\s+/);
  if (fields.length !== cronFields.length || given.trim() === "") {
    const count = given.trim() === "" ? 0 : fields.length;
    return invalid(`it has ${count} ${count === 1 ? "field" : "fields"}, and needs five`);
  }
  for (const [index, field] of cronFields.entries()) {
    const problem = problemOf(fields[index] ?? "", field);
    if (problem !== undefined) return invalid(`${field.name} ${problem}`);
  }
  const text = fields.join(" ");
  const cron = new Cron(text, { paused: true, mode: "5-part" });
  const next = (after: number) => cron.nextRun(new Date(after))?.getTime();
  if (next(now) === undefined)
    return invalid(`${text} never comes: there is no such day in any of the next years`);
  return { text, fields, next };
}

function problemOf(text: string, { least, most }: Field): string | undefined {
  for (const item of text.split(",")) {
    const [, all, from, to, step] = /^(?:(\*)|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,4}))?$/.exec(item) ?? [];
    if (all === undefined && from === undefined) return `cannot be ${JSON.stringify(item)}`;
    for (const value of [from, to]) {
      if (value !== undefined && (Number(value) < least || Number(value) > most))
        return `goes from ${least} to ${most}, and ${value} is not in that`;
    }
    if (to !== undefined && Number(to) < Number(from)) return `has a range that runs backwards: ${item}`;
    if (step === undefined) continue;
    if (all === undefined && to === undefined) return `has a step behind a single value: ${item}`;
    if (Number(step) < 1) return "has a step of 0";
    if (Number(step) > most) return `has a step of ${step}, and goes to ${most} only`;
  }
  return undefined;
}

function invalid(why: string): Fault {
  return new Fault(
    "invalid_arguments",
    `Invalid cron expression: ${why}.`,
    'Write five fields: minute hour day-of-month month day-of-week, as in "*/15 9-17 * * 1-5".',
  );
}
