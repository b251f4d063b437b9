// The description of the API, generated from the table of routes: OpenAPI 3.1.

import { faultReply, type RouteShape } from "@stet/protocol/api/route";
import { routes } from "@stet/protocol/api/routes";
import * as z from "zod";
import { loginPath } from "./gate.ts";
import { loginBody, logoutPath, signedIn } from "./sign-in.ts";

type Json = Record<string, unknown>;

/** Those that every server of ours has, beside the table. */
const own: Readonly<Record<string, RouteShape>> = {
  login: {
    method: "POST",
    path: loginPath,
    about: "Exchanges what a link carried for a session's cookie. Each link works once.",
    body: loginBody,
    reply: signedIn,
  },
  logout: {
    method: "POST",
    path: logoutPath,
    about: "Ends the session of the cookie.",
    body: z.object({}),
    reply: signedIn,
  },
};

let known: Json | undefined;

export function openApi(): Json {
  known ??= describe({ ...own, ...routes });
  return known;
}

function describe(all: Readonly<Record<string, RouteShape>>): Json {
  const schemas: Json = { Fault: schemaOf(faultReply, "output", "Fault", {}) };
  const paths: Record<string, Json> = {};
  for (const [name, shape] of Object.entries(all)) {
    const path = shape.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [shape.method.toLowerCase()]: operation(name, shape, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Stet",
      version: "1",
      description: "An agent edits documents; you review every change. Refusals are always a Fault.",
    },
    security: [{ bearer: [] }, { session: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The token that stet serve --json prints." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "stet-PORT",
          description: "What a browser gets for its link. Changes then need an Origin of ours.",
        },
      },
      responses: {
        Fault: {
          description: "What is wrong, and what to do next.",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Fault" } } },
        },
      },
    },
  };
}

function operation(name: string, shape: RouteShape, schemas: Json): Json {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const reply = put(schemas, `${title}${shape.isStream === true ? "Event" : "Reply"}`, shape.reply, "output");
  const type = shape.isStream === true ? "text/event-stream" : "application/json";
  const parameters = [
    ...parametersOf("path", shape.params, schemas),
    ...parametersOf("query", shape.query, schemas),
    ...(shape.isStream === true ? [lastEventId] : []),
  ];
  return {
    operationId: name,
    summary: shape.about,
    tags: [shape.path.split("/")[2] ?? "api"],
    ...(shape.path === loginPath ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(shape.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: put(schemas, `${title}Body`, shape.body, "input") } },
          },
        }),
    responses: {
      "200": {
        description:
          shape.isStream === true
            ? "Events, one JSON object each. Where the server ends it, the last is stream.closed with a reason."
            : "Done.",
        content: { [type]: { schema: reply } },
      },
      default: { $ref: "#/components/responses/Fault" },
    },
  };
}

const lastEventId = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The last event that was received; the stream goes on after it.",
  schema: { type: "integer", minimum: 0 },
};

function parametersOf(place: string, schema: z.ZodObject | undefined, schemas: Json): Json[] {
  if (schema === undefined) return [];
  return Object.entries(schema.shape).map(([name, part]) => ({
    name,
    in: place,
    // A part that takes undefined may be left out; coerced ones take anything until they are checked.
    required: place === "path" || !z.safeParse(part, undefined).success,
    schema: schemaOf(part as z.ZodType, "output", name, schemas),
  }));
}

function put(schemas: Json, name: string, schema: z.ZodType, io: "input" | "output"): Json {
  schemas[name] = schemaOf(schema, io, name, schemas);
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema that refers to itself has definitions of its own; they move to where all others are. */
function schemaOf(schema: z.ZodType, io: "input" | "output", name: string, schemas: Json): Json {
  const { $schema: _, $defs: definitions, ...made } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  if (definitions === undefined) return made;
  const moved = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', `"#/components/schemas/${name}.`));
  for (const [key, definition] of Object.entries(definitions)) schemas[`${name}.${key}`] = moved(definition);
  return moved(made);
}
