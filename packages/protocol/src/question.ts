// A question to a person, as data: a clarification in the agent's words, or a permission with what would be done, why that
// needs permission, where it would run, and what each answer would allow. How it reads is in question-text.ts.

import * as z from "zod";

/** What a call would do. Characters that could hide or move other text on a screen are escaped as code points. */
const permissionTarget = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("command"),
    command: z.string(),
    folder: z.string().describe("Where it would run, from the root; . is the root itself"),
  }),
  z.object({ kind: z.literal("url"), url: z.string() }),
  z.object({
    kind: z.literal("send"),
    what: z.string().describe("What would be sent in the person's name, such as: a comment"),
    url: z.string().describe("Where it would appear"),
    content: z.string().describe("Exactly what would be sent"),
  }),
  z.object({ kind: z.literal("path"), path: z.string(), access: z.enum(["read", "write"]) }),
]);

export const permissionOption = z.object({
  id: z.string().describe("The answer that chooses it"),
  kind: z.enum(["allow_once", "allow_session", "allow_project", "deny"]),
  scope: z
    .string()
    .nullable()
    .describe("What it would allow from then on, in words; null for this call only"),
});
export type PermissionOption = z.infer<typeof permissionOption>;

const asker = z.string().optional().describe("The agent that asks, where the session's own had sent it");

export const clarification = z.object({
  kind: z.literal("clarification"),
  agent: asker,
  text: z.string(),
  options: z.array(z.string()).describe("Answers to choose from; the person may give another one"),
  multi: z
    .boolean()
    .optional()
    .describe("Several may be chosen: their numbers or texts, separated by commas"),
});

export const permission = z.object({
  kind: z.literal("permission"),
  agent: asker,
  tool: z.string(),
  tool_call_id: z.string(),
  arguments: z.unknown().describe("Of the call, without secrets; long texts are cut"),
  targets: z.array(permissionTarget).describe("What would be done"),
  reasons: z
    .array(z.object({ source: z.string(), reason: z.string() }))
    .describe("Each part that needs permission, and why. None where the targets say everything"),
  running: z
    .object({ sandbox: z.boolean(), network: z.boolean() })
    .nullable()
    .describe("Where a command would run"),
  options: z
    .array(permissionOption)
    .describe("Other words than an option's id deny, and are told to the agent"),
});
export type Permission = z.infer<typeof permission>;

export const question = z.discriminatedUnion("kind", [clarification, permission]);
export type Question = z.infer<typeof question>;
