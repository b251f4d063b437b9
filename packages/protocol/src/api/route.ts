// One route of the API as data. The server implements it, the client calls it, the description is generated from it.

import * as z from "zod";
import { type FaultCode, faultCodes } from "../fault.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export interface RouteShape {
  readonly method: Method;
  /** With `:name` for each parameter. */
  readonly path: string;
  /** One sentence for readers of the API description. */
  readonly about: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly reply: z.ZodType;
  /** Whether the reply is a stream of events; `reply` is then one event. */
  readonly isStream?: boolean;
  /** When a stream ends, as a sentence. */
  readonly ends?: string;
}

/** Keeps the exact types of the schemas. */
export function route<const Shape extends RouteShape>(shape: Shape): Shape {
  return shape;
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<never, never>;
type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

/** What a handler is given. */
export interface Received<Shape extends RouteShape> {
  readonly params: Output<Shape["params"]>;
  readonly query: Output<Shape["query"]>;
  readonly body: Output<Shape["body"]>;
}

/** What a caller gives who knows what the schemas would make of it: the parts that the route has, with their defaults. */
export type Given<Shape extends RouteShape> = {
  readonly [Part in keyof Received<Shape> as Shape[Part] extends z.ZodType
    ? Part
    : never]: Received<Shape>[Part];
};

/** What a caller gives over HTTP. */
export interface Sent<Shape extends RouteShape> {
  readonly params?: Input<Shape["params"]>;
  readonly query?: Input<Shape["query"]>;
  readonly body?: Input<Shape["body"]>;
}

export type Reply<Shape extends RouteShape> = z.output<Shape["reply"]>;

export const faultCode = z.enum(Object.keys(faultCodes) as [FaultCode, ...FaultCode[]]);

/** A fault as every route tells it. */
export const faultReply = z.object({
  error: faultCode,
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
  suggestion: z.string(),
});
