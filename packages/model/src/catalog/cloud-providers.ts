// Providers of the clouds: a region, a resource or a project says where a model is; the key is one of several ways to sign in.

import type { LanguageModelV4 } from "@ai-sdk/provider";
import { UnusableProvider } from "../failure/failure.ts";
import { clientSettings } from "./client-settings.ts";
import {
  keyField,
  type MissingValue,
  otherAddress,
  type ProviderClientOptions,
  type ProviderDefinition,
  type ProviderField,
  type ProviderValues,
} from "./provider-definition.ts";
import { createVertex, missingOfVertex } from "./vertex.ts";

const azureResource: ProviderField = {
  name: "resource",
  label: "Resource",
  hint: "The name before .openai.azure.com",
  variables: ["AZURE_RESOURCE_NAME"],
};

const azureAddress: ProviderField = { ...otherAddress, hint: "https://RESOURCE.openai.azure.com/openai" };

const azureAccess = {
  kind: "cloud",
  keyPage: "https://ai.azure.com",
  keyVariables: ["AZURE_API_KEY", "AZURE_OPENAI_API_KEY"],
  needsKey: true,
  baseVariables: ["AZURE_OPENAI_ENDPOINT"],
  isLocal: false,
} as const;

export const cloudProviders: readonly ProviderDefinition[] = [
  {
    ...azureAccess,
    name: "azure",
    title: "Azure OpenAI",
    fields: [
      keyField,
      azureResource,
      azureAddress,
      { name: "apiVersion", label: "API version", hint: "v1", variables: ["AZURE_OPENAI_API_VERSION"] },
    ],
    family: "azure",
    missing: (access) => missingOfAzure("azure", access),
    create: async (options) => (await azure(options, "azure")).responses(options.model),
  },
  {
    ...azureAccess,
    name: "azure-chat",
    title: "Azure OpenAI (Chat Completions)",
    fields: [
      keyField,
      azureResource,
      azureAddress,
      {
        name: "apiVersion",
        label: "API version",
        hint: "v1, or a date such as 2024-10-21 for addresses with deployments",
        variables: ["AZURE_OPENAI_API_VERSION"],
      },
    ],
    family: "azure-chat",
    missing: (access) => missingOfAzure("azure-chat", access),
    create: async (options) => (await azure(options, "azure-chat")).chat(options.model),
  },
  {
    name: "bedrock",
    title: "Amazon Bedrock",
    kind: "cloud",
    fields: [
      { ...keyField, hint: "A Bedrock API key, or the access key below", isNeeded: false },
      {
        name: "region",
        label: "Region",
        hint: "us-east-1",
        isNeeded: true,
        variables: ["AWS_REGION", "AWS_DEFAULT_REGION"],
      },
      {
        name: "accessKeyId",
        label: "Access key id",
        hint: "Instead of an API key",
        variables: ["AWS_ACCESS_KEY_ID"],
      },
      {
        name: "secretAccessKey",
        label: "Secret access key",
        hint: "Beside the access key id",
        isSecret: true,
        variables: ["AWS_SECRET_ACCESS_KEY"],
      },
      {
        name: "sessionToken",
        label: "Session token",
        hint: "Where the access key is temporary",
        isSecret: true,
        variables: ["AWS_SESSION_TOKEN"],
      },
      { ...otherAddress, hint: "https://bedrock-runtime.REGION.amazonaws.com" },
    ],
    keyPage: "https://console.aws.amazon.com/bedrock/home#/api-keys",
    family: "bedrock",
    keyVariables: ["AWS_BEARER_TOKEN_BEDROCK"],
    needsKey: false,
    baseVariables: ["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"],
    isLocal: false,
    missing: missingOfBedrock,
    create: createBedrock,
  },
  {
    name: "vertex",
    title: "Google Vertex AI",
    kind: "cloud",
    fields: [
      { ...keyField, hint: "A key of express mode; without one, Google's own sign-in", isNeeded: false },
      {
        name: "project",
        label: "Project",
        hint: "Where there is no key",
        variables: ["GOOGLE_VERTEX_PROJECT", "GOOGLE_CLOUD_PROJECT"],
      },
      {
        name: "location",
        label: "Location",
        hint: "global, or such as europe-west1",
        variables: ["GOOGLE_VERTEX_LOCATION", "GOOGLE_CLOUD_LOCATION"],
      },
      { ...otherAddress, hint: "https://LOCATION-aiplatform.googleapis.com" },
    ],
    keyPage: "https://console.cloud.google.com/vertex-ai/studio/settings/api-keys",
    family: "vertex",
    keyVariables: ["GOOGLE_VERTEX_API_KEY"],
    needsKey: false,
    baseVariables: ["GOOGLE_VERTEX_BASE_URL"],
    isLocal: false,
    missing: missingOfVertex,
    create: createVertex,
  },
];

async function azure(options: ProviderClientOptions, family: "azure" | "azure-chat") {
  refuseMissing(missingOfAzure(options.provider, options));
  const { createAzure } = await import("@ai-sdk/azure");
  const { resource, apiVersion } = options.options ?? {};
  return createAzure({
    ...clientSettings(options, family),
    ...(options.baseURL !== undefined && { baseURL: azureBase(options.baseURL) }),
    ...(resource !== undefined && { resourceName: resource }),
    ...(apiVersion !== undefined && { apiVersion }),
    // Versions that are a date know models only by the path of their deployment.
    ...(family === "azure-chat" && /^\d{4}-/.test(apiVersion ?? "") && { useDeploymentBasedUrls: true }),
  });
}

/** The portal gives the address of a resource without the path of the API. */
function azureBase(url: string): string {
  const { hostname, pathname } = new URL(url);
  return /\.azure\.com$/.test(hostname) && pathname === "/" ? `${url.replace(/\/$/, "")}/openai` : url;
}

function missingOfAzure(name: string, { baseURL, options }: ProviderValues): MissingValue | undefined {
  if (baseURL !== undefined || options?.resource !== undefined) return undefined;
  return {
    field: "address",
    message: `${name} needs the name of its resource. Set AZURE_RESOURCE_NAME or providers.${name}.options.resource, or connect it with stet login ${name}.`,
  };
}

async function createBedrock(options: ProviderClientOptions): Promise<LanguageModelV4> {
  refuseMissing(missingOfBedrock(options));
  const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
  const { region, accessKeyId, secretAccessKey, sessionToken } = options.options ?? {};
  const provider = createAmazonBedrock({
    ...clientSettings(options, "bedrock"),
    region: region ?? regionOf(options.baseURL),
    // The package would otherwise look for a key of the environment that this provider is not meant to use.
    ...(options.apiKey === undefined && { apiKey: " ", accessKeyId, secretAccessKey }),
    ...(sessionToken !== undefined && { sessionToken }),
  });
  return provider(options.model);
}

/** Which region a signature is for, where only the address tells. */
function regionOf(baseURL: string | undefined): string {
  return /bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\./.exec(baseURL ?? "")?.[1] ?? "us-east-1";
}

function missingOfBedrock({ apiKey, baseURL, options }: ProviderValues): MissingValue | undefined {
  const { region, accessKeyId, secretAccessKey } = options ?? {};
  if (apiKey === undefined && (accessKeyId === undefined || secretAccessKey === undefined)) {
    return {
      field: "key",
      message:
        "bedrock needs a key. Set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or connect it with stet login bedrock.",
    };
  }
  if (region !== undefined || baseURL !== undefined) return undefined;
  return {
    field: "address",
    message: "bedrock needs a region. Set AWS_REGION or providers.bedrock.options.region, as in us-east-1.",
  };
}

export function refuseMissing(missing: MissingValue | undefined): void {
  if (missing !== undefined) throw new UnusableProvider(missing.message, missing.field);
}
