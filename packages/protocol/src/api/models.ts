// Models: which there are, what each can do and costs, how a provider is connected, and what to mend where one cannot be used.
// A key goes in and never comes out again: replies name where one is kept, not what it is.

import * as z from "zod";
import { modelFields, thinkingLevels } from "../model-stream.ts";
import { writePolicies } from "../toolset.ts";
import { toolsetName } from "./job.ts";
import { route } from "./route.ts";

const toolsetView = z.object({
  name: toolsetName,
  title: z.string(),
  about: z.string(),
  writes: z.enum(writePolicies).describe("When its changes reach the disk"),
  runs_commands: z.boolean(),
});

const modelField = z.enum(modelFields);

const amount = z.number().nonnegative();
const count = z.number().int().nonnegative();

export const listedModel = z.object({
  name: z.string().describe("In full: provider/name"),
  context_window: count.nullable().describe("In tokens; null where it is not known"),
  max_output: count.nullable(),
  price: z
    .object({ input: amount, output: amount, cache_read: amount, cache_write: amount })
    .nullable()
    .describe("US dollars for a million tokens; null where it is not known"),
  tools: z
    .enum(["native", "text"])
    .nullable()
    .describe("How it calls tools: by its own format, or as text; null where it is not known"),
  images: z.boolean().nullable(),
  thinking: z.boolean().nullable(),
  is_favourite: z.boolean(),
  speed: z
    .object({ first_token_ms: amount, tokens_per_second: amount, answers: count })
    .nullable()
    .describe("As it was here, over its latest answers; null where it has not answered yet"),
});

export type ListedModel = z.output<typeof listedModel>;

export const providerField = z.object({
  name: z.string().describe("key, address, or a setting of this provider such as region"),
  label: z.string(),
  hint: z.string().describe("An example, or what holds without it"),
  is_secret: z.boolean(),
  is_needed: z.boolean(),
});

export const providerView = z.object({
  name: z.string(),
  title: z.string().describe("As people know it"),
  kind: z
    .enum(["practice", "local", "key", "address", "cloud", "package"])
    .describe("What it takes to connect it: a server here, a key, an address, several values, or a package"),
  is_ready: z.boolean(),
  why: z.string().describe("Why not, or where its key and address come from, as a sentence"),
  mend: z
    .object({ field: modelField, text: z.string() })
    .nullable()
    .describe("What to do where it is not ready"),
  is_local: z.boolean(),
  address: z.string().nullable().describe("Where it is asked, without secrets"),
  fields: z.array(providerField).describe("What connecting it takes"),
  key_page: z.string().nullable().describe("Where a person makes a key"),
  has_device_login: z.boolean().describe("Whether it can be connected by a code on its own page"),
  keys: z
    .array(
      z.object({
        id: z.string().describe("For disconnecting it"),
        kept_in: z.enum(["keychain", "file", "environment", "configuration"]),
        name: z.string().describe("The variable or label, never a part of the key"),
        added_at: z.iso.datetime().nullable(),
      }),
    )
    .describe("The keys in use, the first first"),
  example: z.string().optional(),
  lists_models: z.boolean().describe("Whether the models are those that it named; else they are examples"),
  models: z.array(listedModel),
});

export type ProviderView = z.output<typeof providerView>;

export const agentMode = z.enum(["local", "remote", "hybrid_auto"]);

const providerName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/)
  .describe("A known provider, or a name of your own for a server that speaks OpenAI's format");

export const modelRoutes = {
  listModels: route({
    method: "GET",
    path: "/api/models",
    about:
      "Which providers can be used here, why others cannot, and what their models take, cost and can do.",
    reply: z.object({
      current: z.string().describe("Who answers unless a request or a session names another one"),
      is_practice: z.boolean().describe("Whether no real model is set, so that the practice model answers"),
      mode: agentMode,
      model: z.string().describe("The setting; empty for the practice model"),
      local_model: z.string().describe("The setting; empty for none"),
      thinking: z
        .enum(thinkingLevels)
        .or(z.literal(""))
        .describe("The setting; empty leaves it to the model"),
      service_tier: z.string().describe("The setting; empty for the provider's own"),
      favourites: z.array(z.string()).describe("The setting: models that stand first, listed now or not"),
      prices_as_of: z.iso.date().describe("The date of the built-in table of prices"),
      toolset: toolsetName.describe("The one that is used unless a request names another"),
      toolsets: z.array(toolsetView).describe("What each of them says of itself"),
      no_sandbox: z
        .string()
        .nullable()
        .describe("Why commands of toolset code run without a sandbox; null where they run in one"),
      providers: z.array(providerView),
    }),
  }),
  connectProvider: route({
    method: "POST",
    path: "/api/models/connect",
    about:
      "Connects a provider: asks it with these values first, and keeps them only where it answers. Keys go to the system's keychain, or to a private file.",
    body: z.object({
      provider: providerName,
      values: z
        .record(z.string().max(40), z.string().max(20_000))
        .describe("By the names of its fields: key, address and others; one that is left out stays as it is"),
      model: z.string().max(200).optional().describe("A model to try, where it does not list any"),
      is_added: z
        .boolean()
        .default(false)
        .describe("Whether the key joins those that are there, to take turns with them, or replaces them"),
    }),
    reply: z.object({
      provider: providerView,
      kept_in: z.enum(["keychain", "file"]).nullable().describe("Where the key is now; null without one"),
      note: z
        .string()
        .nullable()
        .describe("What people should know: why no keychain, or what was not tested"),
    }),
  }),
  startDeviceLogin: route({
    method: "POST",
    path: "/api/models/device-login",
    about: "Begins to connect a provider by a code that a person types on its page.",
    body: z.object({ provider: providerName }),
    reply: z.object({
      login_id: z.string(),
      code: z.string(),
      page: z.url(),
      expires_at: z.iso.datetime(),
    }),
  }),
  finishDeviceLogin: route({
    method: "POST",
    path: "/api/models/device-login/:login_id",
    about: "Waits until the code was typed, refused, or is no longer valid.",
    params: z.object({ login_id: z.string() }),
    reply: z.object({
      provider: providerView,
      kept_in: z.enum(["keychain", "file"]),
      note: z.string().nullable(),
    }),
  }),
  disconnectProvider: route({
    method: "DELETE",
    path: "/api/models/connect/:provider",
    about:
      "Forgets keys of a provider that were kept here; those of variables and of the configuration stay.",
    params: z.object({ provider: providerName }),
    query: z.object({ key: z.string().optional().describe("Only this one; else all of them") }),
    reply: z.object({ provider: providerView, forgotten: count }),
  }),
  testModel: route({
    method: "POST",
    path: "/api/models/test",
    about: "Sends a model one very short request, and tells how it answered.",
    body: z.object({ model: z.string().min(1).max(200) }),
    reply: z.object({
      model: z.string(),
      text: z.string().describe("What it said, shortened"),
      first_token_ms: amount,
      duration_ms: amount,
      cost: amount.nullable().describe("In US dollars; null where its price is not known"),
    }),
  }),
};
