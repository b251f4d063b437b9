// What a request brings, as the schemas of its route give it.

import type { RouteShape } from "@stet/protocol/api/route";
import { Fault, isFault } from "@stet/protocol/fault";
import type { HonoRequest } from "hono";
import type * as z from "zod";
import { readBody } from "./request-body.ts";

interface Parts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export async function receive(
  request: HonoRequest,
  shape: RouteShape,
  limit: number,
): Promise<Parts | Fault> {
  const sent = shape.method === "GET" ? {} : await readBody(request.raw, limit);
  if (isFault(sent)) return sent;
  const params = shape.params === undefined ? {} : parsed("path", shape.params, request.param());
  if (isFault(params)) return params;
  const query = shape.query === undefined ? {} : parsed("query", shape.query, request.query());
  if (isFault(query)) return query;
  const body = shape.body === undefined ? {} : parsed("body", shape.body, sent);
  if (isFault(body)) return body;
  return { params, query, body };
}

/** A fault passes as it is, so that what could not be read needs no second check. */
export function parsed<Schema extends z.ZodObject>(
  part: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> | Fault {
  if (isFault(value)) return value;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues
    .slice(0, 20)
    .map(({ path, message }) => ({ at: path.join("."), message }));
  const problems = issues.map(({ at, message }) => (at === "" ? message : `${at}: ${message}`)).join("; ");
  return new Fault(
    "invalid_arguments",
    `The ${part} of the request does not fit: ${problems}.`,
    "See /api/openapi.json for what is expected.",
    { part, issues },
  );
}

/** Where a reader of events goes on. */
export function cursorOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
