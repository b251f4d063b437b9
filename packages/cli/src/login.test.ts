// Connecting a provider from the command line: by a key from a pipe or typed, a local server, a gateway by its address, and
// whatever may be wrong with them. A key is in one private file and nowhere else.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { type ModelScript, startScriptedModel } from "@stet/testkit/scripted-model";
import { serve } from "@stet/testkit/served";
import { StetProject } from "@stet/testkit/stet-project";

const secret = "sk-test-9f8e7d6c5b4a39281706";
const nobody = "http://127.0.0.1:1";

async function setUp(
  t: TestContext,
  script: ModelScript = [{ text: "Hello." }],
  models = ["gpt-x", "gpt-y"],
) {
  const server = await startScriptedModel(script, { models });
  t.after(() => server.close());
  const project = new StetProject(t, { "n.txt": "one\n" });
  const env = {
    OPENAI_BASE_URL: `${server.url}/v1`,
    OLLAMA_HOST: nobody,
    LMSTUDIO_BASE_URL: nobody,
    LLAMACPP_BASE_URL: nobody,
  };
  const stet = (args: readonly string[], options: Parameters<StetProject["stet"]>[1] = {}) =>
    project.stet(args, { ...options, env: { ...env, ...options.env } });
  const config = () =>
    JSON.parse(
      readFileSync(join(String(project.environment.XDG_CONFIG_HOME), "stet", "config.json"), "utf8"),
    );
  return { server, project, stet, config, home: join(project.folder, "..") };
}

async function web(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  server.unref();
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

/** All files that have it, from the folder down. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

test("a key from a pipe connects a provider, and is in one private file and in nothing that is printed", async (t) => {
  const { stet, home, server } = await setUp(t);
  const done = await stet(["login", "openai-chat", "--model", "gpt-y"], { input: `${secret}\n` });
  assert.equal(done.code, 0, done.note);
  assert.match(
    done.out,
    /connected, with 2 models[\s\S]*only your account can read[\s\S]*gpt-y answers from now on/,
  );
  const [path, ...others] = filesWith(home, secret);
  assert.deepEqual(others, []);
  assert.match(path ?? "", /data\/credentials\.json$/);
  assert.equal(statSync(path ?? "").mode & 0o777, 0o600);
  const asked = await stet(["-p", "Say hello"]);
  assert.equal(asked.code, 0, asked.note);
  assert.match(asked.out, /Hello\./);
  assert.equal(server.requests[0]?.headers.authorization, `Bearer ${secret}`);
  assert.equal(server.requests[0]?.model, "gpt-y");
  for (const args of [
    ["models"],
    ["models", "--json"],
    ["config", "--json"],
    ["doctor", "--json"],
    ["models", "--all"],
  ])
    assert.doesNotMatch((await stet(args)).screen, new RegExp(secret), args.join(" "));
  assert.deepEqual(filesWith(home, secret), [path]);
});

test("a key is typed without echo, and a model chosen from a list", async (t) => {
  const { stet, home, config } = await setUp(t);
  const { code, screen } = await stet(["login", "openai-chat"], {
    as: "process",
    isTerminal: true,
    async person({ sees, types }) {
      await sees(/Key of OpenAI[^\n]*not shown[^\n]*: $/);
      types(`${secret}\r`);
      await sees(/Which model of OpenAI[\s\S]*or Enter for none: $/);
      types("2\r");
    },
  });
  assert.equal(code, 0, screen);
  assert.doesNotMatch(screen, new RegExp(secret.slice(3)));
  assert.match(screen, /openai-chat\/gpt-y answers from now on\./);
  assert.equal(config().model, "openai-chat/gpt-y");
  assert.equal(filesWith(home, secret).length, 1);
});

test("without a name the providers are a list, local servers that answer first", async (t) => {
  const { stet, server, config } = await setUp(t, [], ["qwen3:8b"]);
  const { code, screen } = await stet(["login"], {
    isTerminal: true,
    env: { OLLAMA_HOST: server.url },
    async person({ sees, types }) {
      await sees(
        /1\. ollama +Ollama · answers[\s\S]*openai +OpenAI · by a key[\s\S]*another server[\s\S]*none: $/,
      );
      types("olla\r");
      await sees(/Which model of Ollama[\s\S]*none: $/);
      types("1\r");
    },
  });
  assert.equal(code, 0, screen);
  assert.equal(config().model, "ollama/qwen3:8b");
});

test("a server of one's own gets a name and an address, with a key or without", async (t) => {
  const { stet, server, config } = await setUp(t, [{ text: "From the gateway." }]);
  const done = await stet(["login", "gateway", "--address", `${server.url}/v1`, "--model", "gpt-x"]);
  assert.equal(done.code, 0, done.note);
  assert.equal(config().providers.gateway.baseURL, `${server.url}/v1`);
  assert.match((await stet(["-p", "Say hello"])).out, /From the gateway\./);
});

test("a server of one's own whose address is known gets another key without it", async (t) => {
  const { stet, server, config } = await setUp(t);
  const address = `${server.url}/v1`;
  await stet(["login", "gateway", "--address", address], { input: secret });
  const added = await stet(["login", "gateway", "--add"], { input: `${secret}x` });
  assert.equal(added.code, 0, added.note);
  assert.equal(config().providers.gateway.baseURL, address);
  const typed = await stet(["login", "gateway"], {
    isTerminal: true,
    async person({ sees, types }) {
      const end = await sees(/Enter keeps http:\/\/127/);
      types("\r");
      const key = await sees(/key.*:/i, end);
      types(`${secret}y\r`);
      await sees(/Enter for none: $/, key);
      types("\r");
    },
  });
  assert.equal(typed.code, 0, typed.screen);
});

test("a model of a provider that nobody knows is not chosen, and a key that is not kept is not forgotten", async (t) => {
  const { stet } = await setUp(t);
  const chosen = await stet(["models", "use", "nobody/x"]);
  assert.match(chosen.note, /no provider called nobody/);
  assert.notEqual(chosen.code, 0);
  await stet(["login", "openai-chat"], { input: secret });
  const gone = await stet(["logout", "openai-chat", "--key", "0000"]);
  assert.match(gone.note, /No key 0000 of openai-chat is kept here, so nothing was forgotten/);
  assert.notEqual(gone.code, 0);
});

test("a key that is refused is asked for again where somebody sits, and nothing is kept elsewhere", async (t) => {
  let asked = 0;
  const url = await web(t, (request, response) => {
    asked += 1;
    const isRight = request.headers.authorization === `Bearer ${secret}`;
    response.writeHead(isRight ? 200 : 401, { "content-type": "application/json" });
    response.end(
      JSON.stringify(isRight ? { data: [{ id: "m" }] } : { error: { message: "Incorrect API key." } }),
    );
  });
  const { stet, home } = await setUp(t);
  const env = { OPENAI_BASE_URL: `${url}/v1` };
  const piped = await stet(["login", "openai"], { env, input: "sk-test-wrong-00000000000\n" });
  assert.equal(piped.code, 4);
  assert.match(piped.note, /key/i);
  assert.deepEqual(filesWith(home, "sk-test-wrong"), []);
  const { code, screen } = await stet(["login", "openai"], {
    env,
    isTerminal: true,
    async person({ sees, types }) {
      const at = await sees(/Key of OpenAI[^\n]*: $/);
      types("sk-test-wrong-00000000000\r");
      const again = await sees(/Key of OpenAI[^\n]*: $/, at);
      types(`${secret}\r`);
      await sees(/Which model[\s\S]*none: $/, again);
      types("\r");
    },
  });
  assert.equal(code, 0, screen);
  assert.match(screen, /OpenAI is connected/);
  assert.ok(asked >= 3);
});

test("a turn whose key is refused names the one command that mends it", async (t) => {
  const { stet } = await setUp(t, [{ fault: { status: 401 } }]);
  const env = { OPENAI_API_KEY: "sk-wrong" };
  const { code, note } = await stet(["-p", "Say hello", "--model", "openai-chat/gpt-x"], { env });
  assert.equal(code, 1);
  assert.match(note, /stet login openai-chat/);
});

test("favourites stand first, words search, and a model is tried and chosen by name", async (t) => {
  const { stet, config } = await setUp(t, [{ text: "OK" }], ["a", "b", "c"]);
  const env = { OPENAI_API_KEY: "sk-any" };
  const list = async (...words: string[]) => (await stet(["models", ...words], { env })).out;
  assert.match((await stet(["models", "favourite", "openai-chat/c"], { env })).out, /stands first/);
  assert.match(await list("openai-chat"), /★ openai-chat\/c\n[\s\S]*openai-chat\/a/);
  assert.doesNotMatch(await list("openai-chat/b"), /openai-chat\/a/);
  assert.match(await list("no such thing"), /No model that can be used here fits "no such thing"/);
  assert.match(
    (await stet(["models", "test", "openai-chat/b"], { env })).out,
    /openai-chat\/b answered "OK"/,
  );
  assert.match(await list("openai-chat/b"), /tok\/s|\d s/, "its speed is known now");
  await stet(["models", "use", "openai-chat/b"], { env });
  assert.equal(config().model, "openai-chat/b");
  await stet(["models", "unfavourite", "openai-chat/c"], { env });
  assert.doesNotMatch(await list(), /★/);
  assert.equal((await stet(["models", "use"], { env })).code, 2);
});

test("an address that is a web page, a wrong path or nobody's is told with what to do, and nothing is kept", async (t) => {
  const page = await web(t, (_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><title>Welcome</title>");
  });
  const { stet, home } = await setUp(t);
  for (const [address, said] of [
    [page, /web page/],
    [nobody, /127\.0\.0\.1:1/],
    ["nonsense", /not an address/],
  ] as const) {
    const { code, note } = await stet(["login", "gateway", "--address", address], { input: `${secret}\n` });
    assert.equal(code, 4, note);
    assert.match(note, said);
    assert.deepEqual(filesWith(home, secret), []);
  }
});

test("a server without a list of models is connected, and the named model is tried", async (t) => {
  const chat = await startScriptedModel([{ text: "OK" }, { text: "OK" }]);
  t.after(() => chat.close());
  const url = await web(t, async (request, response) => {
    if (request.method === "GET") return response.writeHead(404).end();
    const body = await Array.fromAsync(request);
    const reply = await fetch(`${chat.url}${request.url}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: Buffer.concat(body),
    });
    response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await reply.arrayBuffer()));
  });
  const { stet, config } = await setUp(t);
  const done = await stet(["login", "gateway", "--address", `${url}/v1`, "--model", "solo"]);
  assert.equal(done.code, 0, done.screen);
  assert.equal(config().model, "gateway/solo");
  assert.ok(chat.requests.length >= 1, "it was tried");
});

test("a key as an argument is refused, with why, and is not repeated", async (t) => {
  const { stet, home } = await setUp(t);
  for (const args of [
    ["login", "openai", secret],
    ["login", secret],
    ["login", "openai", "--option", `key=${secret}`],
    ["login", "openai", "--option", `region=${secret}`],
    ["login", "openai", "--key", secret],
    ["login", `--key=${secret}`],
  ]) {
    const { code, screen } = await stet(args);
    assert.equal(code, 2, args.join(" "));
    assert.doesNotMatch(screen, new RegExp(secret));
    assert.doesNotMatch(screen, /undefined/);
  }
  assert.match((await stet(["login", "openai", secret])).note, /history/);
  assert.deepEqual(filesWith(home, secret), []);
});

test("where nobody can be asked, what is missing is a sentence", async (t) => {
  const { stet } = await setUp(t);
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [["login"], 2, /Name the provider: stet login PROVIDER/],
    [["login", "openai"], 2, /needs: key.*stet login openai < key\.txt/],
    [["login", "opnai"], 4, /no provider opnai[\s\S]*Did you mean openai/],
    [["login", "openai", "--device"], 4, /no login by a code/],
    [["logout"], 0, /nothing to forget/],
    [["logout", "nobody"], 4, /no provider nobody/],
  ];
  for (const [args, code, said] of cases) {
    const done = await stet(args);
    assert.equal(done.code, code, `${args.join(" ")}: ${done.screen}`);
    assert.match(done.screen, said);
  }
});

test("a code on the provider's page connects it; Ctrl-C stops the wait, and nothing is kept", async (t) => {
  let isTyped = false;
  const url = await web(t, (request, response) => {
    const isToken = request.url === "/token";
    response.writeHead(isToken && !isTyped ? 400 : 200, { "content-type": "application/json" });
    const pending = { error: "authorization_pending" };
    const token = { access_token: secret, token_type: "Bearer", expires_in: 3600 };
    const code = {
      device_code: "device-1",
      user_code: "ABCD-1234",
      verification_uri: "https://login.example/device",
      expires_in: 600,
      interval: 1,
    };
    response.end(JSON.stringify(isToken ? (isTyped ? token : pending) : code));
  });
  const { stet, project, server, home } = await setUp(t);
  const folder = join(String(project.environment.XDG_CONFIG_HOME), "stet");
  mkdirSync(folder, { recursive: true });
  const oauth = { deviceURL: `${url}/device`, tokenURL: `${url}/token`, clientId: "stet" };
  const providers = { gateway: { baseURL: `${server.url}/v1`, oauth } };
  writeFileSync(join(folder, "config.json"), JSON.stringify({ providers }));
  const stopped = await stet(["login", "gateway", "--device"], {
    isTerminal: true,
    async person({ sees, interrupts }) {
      await sees(/https:\/\/login\.example\/device and type the code ABCD-1234/);
      interrupts();
    },
  });
  assert.equal(stopped.code, 130, stopped.screen);
  assert.deepEqual(filesWith(home, secret), []);
  isTyped = true;
  const done = await stet(["login", "gateway", "--device", "--model", "gpt-x"]);
  assert.equal(done.code, 0, done.screen);
  assert.match(done.screen, /gateway\S* is connected[\s\S]*gateway\/gpt-x answers from now on/);
  assert.equal(filesWith(home, secret).length, 1);
});

test("several keys take turns, and are forgotten one by one or all", async (t) => {
  const { stet, home } = await setUp(t);
  await stet(["login", "openai-chat"], { input: secret });
  const added = await stet(["login", "openai-chat", "--add"], { input: `${secret}x` });
  assert.equal(added.code, 0, added.note);
  const keys = async () => {
    const { providers } = JSON.parse((await stet(["models", "--json"])).out);
    return providers.find(({ name }: { name: string }) => name === "openai-chat").keys;
  };
  const [one, two] = await keys();
  assert.ok(one.id !== two.id);
  assert.match((await stet(["logout", "openai-chat", "--key", one.id])).out, /1 key of .* forgotten/);
  assert.deepEqual(
    (await keys()).map(({ id }: { id: string }) => id),
    [two.id],
  );
  assert.match((await stet(["logout", "openai-chat"])).out, /1 key of .* forgotten/);
  assert.deepEqual(filesWith(home, secret), []);
});

test("a variable that is set, too, is told with which of the two is used", async (t) => {
  const { stet, server } = await setUp(t, [{ text: "Hello." }]);
  const env = { OPENAI_API_KEY: "sk-of-the-environment-000000" };
  const done = await stet(["login", "openai-chat", "--model", "gpt-x"], { env, input: secret });
  assert.match(done.out, /OPENAI_API_KEY is set, too: the key that was kept now is used first/);
  await stet(["-p", "Say hello"], { env });
  const used = server.requests[0]?.headers.authorization ?? "";
  assert.equal(used, `Bearer ${secret}`);
});

test("it works in any folder, and opens neither a ledger nor a session", async (t) => {
  const { stet, project } = await setUp(t);
  await stet(["login", "openai-chat"], { input: secret });
  await stet(["models"]);
  const data = readdirSync(String(project.environment.STET_DATA_DIR)).sort();
  assert.deepEqual(
    data.filter((name) => !name.startsWith(".")),
    ["credentials.json"],
  );
});

test("beside a server that serves the folder the server connects it, and an open window knows", async (t) => {
  const { server, project } = await setUp(t);
  const { STET_DATA_DIR: dataFolder = "", XDG_CONFIG_HOME: config = "" } = project.environment;
  const environment = { OPENAI_BASE_URL: `${server.url}/v1`, OLLAMA_HOST: nobody, XDG_CONFIG_HOME: config };
  const served = await serve({
    root: project.folder,
    dataFolder,
    modelUrl: server.url,
    environment,
    as: "call",
  });
  t.after(() => served.stop());
  const done = await project.stet(["login", "openai-chat"], {
    input: secret,
    // Only the server knows where to ask.
    env: { OLLAMA_HOST: nobody, LMSTUDIO_BASE_URL: nobody, LLAMACPP_BASE_URL: nobody },
  });
  assert.equal(done.code, 0, done.note);
  assert.match(done.out, /connected, with 2 models/);
  const listed = await served.client.call("listModels", {});
  assert.ok(!isFault(listed));
  assert.equal(listed.providers.find(({ name }) => name === "openai-chat")?.is_ready, true);
});

test("in hybrid_auto a local model that --model names begins, and the configured one takes over", async (t) => {
  const { stet, project, server } = await setUp(t, [{ text: "From afar." }]);
  const folder = join(String(project.environment.XDG_CONFIG_HOME), "stet");
  mkdirSync(folder, { recursive: true });
  const settings = {
    agentMode: "hybrid_auto",
    localModel: "ollama/other",
    model: "openai-chat/gpt-x",
    hybridMaxLocalAttempts: 1,
  };
  writeFileSync(join(folder, "config.json"), JSON.stringify(settings));
  const done = await stet(["-p", "Say hello", "--model", "ollama/mine"], { env: { OPENAI_API_KEY: secret } });
  assert.equal(done.code, 0, done.note);
  assert.match(done.screen, /ollama\/mine answers\. The request names it[\s\S]*openai-chat\/gpt-x answers/);
  assert.equal(server.requests[0]?.model, "gpt-x");
});
