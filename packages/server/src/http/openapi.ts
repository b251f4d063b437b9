// The description of the API, generated from the table of routes: OpenAPI 3.1.

import { agentJob, diffBundle, diffHunk, jobStatus, jobSummary, proposedEdit } from "@stet/protocol/api/job";
import { checkpoint, fileReview, openTurn, reviewHunk } from "@stet/protocol/api/review";
import { faultCode, faultReply, type RouteShape } from "@stet/protocol/api/route";
import { routes } from "@stet/protocol/api/routes";
import { agentSession, contextRow, sessionMessage, sessionSummary } from "@stet/protocol/api/sessions";
import { listedTab } from "@stet/protocol/api/tabs";
import { chatEvent } from "@stet/protocol/events/chat-events";
import { logEvent } from "@stet/protocol/events/log-event";
import { question } from "@stet/protocol/question";
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

/** What several routes share, each under its name: a client that is generated has one type for it. */
const components: Readonly<Record<string, z.ZodType>> = {
  Fault: faultReply,
  ErrorCode: faultCode,
  Job: agentJob,
  JobSummary: jobSummary,
  JobStatus: jobStatus,
  ProposedEdit: proposedEdit,
  DiffBundle: diffBundle,
  DiffHunk: diffHunk,
  Question: question,
  Session: agentSession,
  SessionSummary: sessionSummary,
  SessionMessage: sessionMessage,
  ContextRow: contextRow,
  Hunk: reviewHunk,
  FileReview: fileReview,
  OpenTurn: openTurn,
  Checkpoint: checkpoint,
  Tab: listedTab,
  Event: logEvent,
  EventType: z.enum(logEvent.options.map(({ shape }) => shape.type.value)),
  ChatEvent: chatEvent,
};

let known: Json | undefined;

export function openApi(): Json {
  known ??= describe({ ...own, ...routes });
  return known;
}

function describe(all: Readonly<Record<string, RouteShape>>): Json {
  const schemas: Json = {};
  for (const [id, schema] of Object.entries(components))
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
  for (const [id, schema] of Object.entries(components)) put(schemas, id, schema, "output");
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
    servers: [{ url: "/", description: "The address that stet serve prints." }],
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
            // What is left out has a default, or may be left out: then there need not be a body.
            required: !shape.body.safeParse({}).success,
            content: { "application/json": { schema: put(schemas, `${title}Body`, shape.body, "input") } },
          },
        }),
    responses: {
      "200": {
        description:
          shape.isStream === true
            ? `Events, one JSON object each. ${shape.ends} Where the server ends it otherwise, the last is stream.closed with a reason.`
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

function parametersOf(location: string, schema: z.ZodObject | undefined, schemas: Json): Json[] {
  if (schema === undefined) return [];
  return Object.entries(schema.shape).map(([name, part]) => ({
    name,
    in: location,
    // A part that takes undefined may be left out; coerced ones take anything until they are checked.
    required: location === "path" || !z.safeParse(part, undefined).success,
    schema: schemaOf(part as z.ZodType, "output", name, schemas),
  }));
}

function put(schemas: Json, name: string, schema: z.ZodType, io: "input" | "output"): Json {
  const made = schemaOf(schema, io, name, schemas);
  // What is shared has its name already.
  if ("$ref" in made) return made;
  schemas[name] = made;
  return { $ref: `#/components/schemas/${name}` };
}

/** Definitions beside a schema move to where all others are; those that are not shared are named after the schema. */
function schemaOf(schema: z.ZodType, io: "input" | "output", name: string, schemas: Json): Json {
  const { $schema: _, $defs = {}, ...made } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  const nameOf = (key: string) => (key in components ? key : `${name}.${key}`);
  const moved = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value).replace(
        /"#\/\$defs\/([^"]+)"/g,
        (_match, key: string) => `"#/components/schemas/${nameOf(key)}"`,
      ),
    );
  for (const [key, definition] of Object.entries($defs)) schemas[nameOf(key)] ??= moved(definition);
  return moved(made);
}
