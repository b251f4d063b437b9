// What a person reads when a provider refuses, and which field of the connection it leads to: the bodies are the providers' own.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ModelEvent, ModelField, ModelRequest } from "@stet/protocol/model-stream";
import { bedrockException, bedrockFrame } from "@stet/testkit/bedrock-frames";
import { type WireName, wireNamed } from "@stet/testkit/provider-wires";
import { sendError, startWireServer, type WireAnswer } from "@stet/testkit/wire-server";
import { isModelFailure, resolveModel } from "../providers.ts";
import { classifyFailure } from "./failure.ts";

const question: ModelRequest = {
  system: "",
  messages: [{ role: "user", content: "Say something.", timestamp: 0 }],
  tools: [],
};

async function failureAt(t: TestContext, name: WireName, answer: WireAnswer, options = {}) {
  const wire = wireNamed(name);
  const server = await startWireServer(answer);
  t.after(() => server.close());
  const [provider = ""] = wire.model.split("/", 1);
  const configured = {
    apiKey: "key",
    baseURL: `${server.url}${wire.base}`,
    options: wire.options ?? {},
    ...options,
  };
  const model = await resolveModel(wire.model, { environment: {}, providers: { [provider]: configured } });
  assert.ok(!isModelFailure(model));
  const failure = failureOf(await Array.fromAsync(model.stream(question)));
  assert.match(failure.message, /\.$|stet models$/, "a sentence");
  return failure;
}

function failureOf(events: readonly ModelEvent[]) {
  const last = events.at(-1);
  assert.ok(last?.type === "error", "the request fails");
  return last.failure;
}

type Refusal = readonly [
  what: string,
  provider: WireName,
  status: number,
  body: object,
  field: ModelField | undefined,
  sentence: RegExp,
  headers?: Readonly<Record<string, string>>,
];

const aws = (message: string, type: string): [object, Readonly<Record<string, string>>] => [
  { message },
  { "x-amzn-errortype": type },
];

const [expiredToken, expiredHeaders] = aws(
  "The security token included in the request is expired",
  "ExpiredTokenException",
);
const [badSignature, signatureHeaders] = aws(
  "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.",
  "InvalidSignatureException",
);
const [lateSignature, lateHeaders] = aws(
  "Signature expired: 20261118T200000Z is now earlier than 20261118T225500Z (20261118T230000Z - 5 min.)",
  "InvalidSignatureException",
);

const refusals: readonly Refusal[] = [
  [
    "a wrong key",
    "openai",
    401,
    {
      error: {
        message: "Incorrect API key provided: sk-abc123456.",
        type: "invalid_request_error",
        code: "invalid_api_key",
      },
    },
    "key",
    /refused the key.*stet login openai.*Connect a model/,
  ],
  [
    "a wrong key",
    "anthropic",
    401,
    { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } },
    "key",
    /refused the key/,
  ],
  [
    "a wrong key",
    "google",
    400,
    {
      error: {
        code: 400,
        message: "API key not valid. Please pass a valid API key.",
        status: "INVALID_ARGUMENT",
      },
    },
    "key",
    /refused the key/,
  ],
  [
    "an expired key",
    "google",
    400,
    {
      error: { code: 400, message: "API key expired. Please renew the API key.", status: "INVALID_ARGUMENT" },
    },
    "key",
    /key of google has expired/,
  ],
  ["a wrong key", "mistral", 401, { message: "Unauthorized", request_id: "x" }, "key", /refused the key/],
  [
    "a wrong key",
    "xai",
    400,
    {
      code: "invalid-argument",
      error: "Incorrect API key provided: xa***cd. You can obtain an API key from https://console.x.ai.",
    },
    "key",
    /refused the key/,
  ],
  [
    "a key of another region",
    "azure",
    401,
    {
      error: {
        code: "401",
        message:
          "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.",
      },
    },
    "key",
    /another region or resource.*AZURE_RESOURCE_NAME/,
  ],
  [
    "a deployment that is not there",
    "azure",
    404,
    {
      error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." },
    },
    "model",
    /does not know the model.*deployment of this resource.*stet models/,
  ],
  [
    "a region of another signature",
    "bedrock",
    403,
    { message: "Credential should be scoped to a valid region." },
    "key",
    /another region or resource.*AWS_REGION/,
  ],
  [
    "an expired session token",
    "bedrock",
    403,
    expiredToken,
    "key",
    /has expired.*Sign in to AWS again/,
    expiredHeaders,
  ],
  [
    "a secret key that does not fit",
    "bedrock",
    403,
    badSignature,
    "key",
    /refused the signature.*secret key/,
    signatureHeaders,
  ],
  [
    "a model that is not in this region",
    "bedrock",
    400,
    { message: "The provided model identifier is invalid." },
    "model",
    /does not know the model.*Not every region/,
  ],
  [
    "a model that was never asked for",
    "bedrock",
    403,
    { message: "You don't have access to the model with the specified model ID." },
    "model",
    /may not be used with this key.*Ask for access/,
  ],
  [
    "a model of another location",
    "vertex",
    404,
    {
      error: {
        code: 404,
        message:
          "Publisher Model `projects/p/locations/europe-west9/publishers/google/models/gemini-2.5-pro` was not found or your project does not have access to it.",
        status: "NOT_FOUND",
      },
    },
    "model",
    /Not every location/,
  ],
  [
    "an API that is not enabled",
    "vertex",
    403,
    {
      error: {
        code: 403,
        message: "Vertex AI API has not been used in project 1 before or it is disabled.",
        status: "PERMISSION_DENIED",
      },
    },
    "account",
    /not enabled for this account/,
  ],
  [
    "no credit",
    "anthropic",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.",
      },
    },
    "account",
    /no credit left/,
  ],
  [
    "no credit",
    "openai",
    429,
    {
      error: {
        message: "You exceeded your current quota, please check your plan and billing details.",
        type: "insufficient_quota",
        code: "insufficient_quota",
      },
    },
    "account",
    /no credit left/,
  ],
  [
    "no credit",
    "deepseek",
    402,
    { error: { message: "Insufficient Balance", type: "unknown_error", code: "invalid_request_error" } },
    "account",
    /no credit left/,
  ],
  [
    "no credit",
    "openrouter",
    402,
    {
      error: {
        message: "Insufficient credits. Add more using https://openrouter.ai/settings/credits",
        code: 402,
      },
    },
    "account",
    /no credit left/,
  ],
  [
    "no credit",
    "xai",
    403,
    { code: "permission-denied", error: "Your newly created team doesn't have any credits yet." },
    "account",
    /no credit left/,
  ],
  [
    "a limit that passes",
    "google",
    429,
    {
      error: {
        code: 429,
        message: "You exceeded your current quota, please check your plan and billing details.",
        status: "RESOURCE_EXHAUSTED",
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17s" }],
      },
    },
    undefined,
    /asks to slow down/,
  ],
  [
    "a full context",
    "groq",
    400,
    {
      error: {
        message: "Please reduce the length of the messages or completion.",
        type: "invalid_request_error",
        code: "context_length_exceeded",
      },
    },
    "context",
    /longer than .* can take/,
  ],
  [
    "a full context",
    "bedrock",
    400,
    { message: "Input is too long for requested model." },
    "context",
    /longer than .* can take/,
  ],
  [
    "a country that is not served",
    "google",
    400,
    {
      error: {
        code: 400,
        message: "User location is not supported for the API use.",
        status: "FAILED_PRECONDITION",
      },
    },
    "server",
    /cannot be used from where this machine is/,
  ],
  [
    "an overloaded server",
    "anthropic",
    529,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    "server",
    /is overloaded/,
  ],
  [
    "throttling",
    "bedrock",
    429,
    { message: "Too many requests, please wait before trying again." },
    undefined,
    /asks to slow down/,
  ],
];

for (const [what, provider, status, body, field, sentence, headers] of refusals) {
  test(`${provider}: ${what} (${status}) is told in a sentence that leads to ${field ?? "no field"}`, async (t) => {
    const failure = await failureAt(t, provider, (response) => sendError(response, status, body, headers));
    assert.match(failure.message, sentence);
    assert.equal(failure.mend?.field, field, failure.message);
    if (field === undefined) return;
    const [name = "", ...rest] = wireNamed(provider).model.split("/");
    assert.deepEqual(failure.mend, { provider: name, model: rest.join("/"), field });
    assert.doesNotMatch(failure.message, /sk-abc/);
  });
}

const accessKey = {
  apiKey: undefined,
  options: { region: "eu-central-1", accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" },
};

test("bedrock: without an API key a request is signed, for the region", async (t) => {
  const { write } = wireNamed("bedrock");
  const server = await startWireServer((response) => write(response, { text: "Hello." }));
  t.after(() => server.close());
  const options = { ...accessKey.options, sessionToken: "session" };
  const model = await resolveModel(wireNamed("bedrock").model, {
    environment: {},
    providers: { bedrock: { baseURL: server.url, options } },
  });
  assert.ok(!isModelFailure(model));
  const last = (await Array.fromAsync(model.stream(question))).at(-1);
  assert.equal(last?.type, "done");
  const [request] = server.requests;
  assert.ok(request !== undefined);
  const { headers } = request;
  assert.match(
    headers.authorization ?? "",
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request, SignedHeaders=/,
  );
  assert.equal(headers["x-amz-security-token"], "session");
});

test("a signature that is too late tells by how much the clock of this machine is wrong", async (t) => {
  const date = new Date(Date.now() + 3 * 3_600_000).toUTCString();
  const answer: WireAnswer = (response) => sendError(response, 403, lateSignature, { ...lateHeaders, date });
  const failure = await failureAt(t, "bedrock", answer, accessKey);
  assert.match(failure.message, /the clock of this machine is 3 hours behind the server's.*Set the clock/);
  assert.equal(failure.kind, "authentication");
  assert.equal(failure.mend, undefined, "no field of the connection would mend it");
});

test("a certificate that is out of date by the clock of this machine says what that clock says", () => {
  for (const [code, words] of [
    [
      "CERT_NOT_YET_VALID",
      /is not valid yet by the clock of this machine, which says \d{4}-\d\d-\d\d.*Set the clock/,
    ],
    ["CERT_HAS_EXPIRED", /has expired by the clock of this machine.*else the server needs a new certificate/],
  ] as const) {
    const cause = Object.assign(new Error("certificate"), { code });
    const error = Object.assign(new TypeError("fetch failed"), { cause, url: "https://api.acme.test/v1" });
    const failure = classifyFailure(error, { provider: "acme", model: "m" });
    assert.match(failure.message, words);
    assert.equal(failure.mend?.field, "server");
  }
});

test("bedrock: an exception inside the stream is classified, and a stream that is cut is not taken for an answer", async (t) => {
  const start = (response: Parameters<WireAnswer>[0]) => {
    response.writeHead(200, { "content-type": "application/vnd.amazon.eventstream" });
    response.write(bedrockFrame("messageStart", { role: "assistant" }));
    response.write(bedrockFrame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Half" } }));
  };
  const throttled = await failureAt(t, "bedrock", (response) => {
    start(response);
    response.end(bedrockException("throttlingException", "Too many tokens per minute."));
  });
  assert.equal(throttled.kind, "rate_limit", throttled.message);
  const cut = await failureAt(t, "bedrock", (response) => {
    start(response);
    response.end();
  });
  assert.equal(cut.kind, "network", cut.message);
  const torn = await failureAt(t, "bedrock", (response) => {
    start(response);
    response.end(bedrockFrame("messageStop", { stopReason: "end_turn" }).subarray(0, 40));
  });
  assert.ok(["network", "bad_response"].includes(torn.kind), `${torn.kind}: ${torn.message}`);
});

for (const name of ["groq", "mistral", "deepseek", "xai", "azure", "vertex", "openrouter"] as const) {
  test(`${name}: a stream that is cut is not taken for an answer`, async (t) => {
    const failure = await failureAt(t, name, (response) => {
      const pieces: Buffer[] = [];
      const kept = {
        writeHead: () => kept,
        write: (piece: Buffer | string) => pieces.push(Buffer.from(piece)),
        end: () => undefined,
      };
      wireNamed(name).write(kept, { text: "Hello there." });
      response.writeHead(200, { "content-type": "text/event-stream" });
      const end = pieces.findIndex((piece) => piece.includes("Hello there.")) + 1;
      response.end(Buffer.concat(pieces.slice(0, end)));
    });
    assert.ok(["network", "bad_response"].includes(failure.kind), `${failure.kind}: ${failure.message}`);
  });
}

test("what is missing of a cloud is told before anything is sent, and leads to its field", async () => {
  for (const [model, options, field, sentence] of [
    ["azure/d", {}, "address", /needs the name of its resource.*AZURE_RESOURCE_NAME/],
    ["bedrock/m", {}, "address", /needs a region.*AWS_REGION/],
    ["vertex/claude-sonnet-4-5", {}, "key", /express mode is for Gemini only/],
  ] as const) {
    const [provider = ""] = model.split("/", 1);
    const providers = { [provider]: { apiKey: "key", options } };
    const resolved = await resolveModel(model, { environment: {}, providers });
    const failure = isModelFailure(resolved)
      ? resolved
      : failureOf(await Array.fromAsync(resolved.stream(question)));
    assert.match(failure.message, sentence);
    assert.equal(failure.mend?.field, field);
  }
});
