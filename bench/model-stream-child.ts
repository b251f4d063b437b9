// Reads a flood of deltas from a scripted model in another process: once as bytes, once through our model. Prints CPU times.

import { fork } from "node:child_process";
import { once } from "node:events";
import { isModelFailure, resolveModel } from "../packages/model/src/providers.ts";
import { startScriptedModel } from "../packages/testkit/src/scripted-model.ts";

const deltas = 100_000;

if (process.send !== undefined && process.argv[2] === "serve") {
  const server = await startScriptedModel(() => ({ text: "word ", fault: { flood: deltas } }));
  process.send(server.url);
  process.on("disconnect", () => process.exit());
} else {
  const server = fork(import.meta.filename, ["serve"], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const [url]: string[] = await once(server, "message");
  const environment = { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "key" };
  const model = await resolveModel("openai-compatible/flood", { environment });
  if (isModelFailure(model)) throw new Error(model.message);
  const request = {
    system: "",
    messages: [{ role: "user" as const, content: "Go.", timestamp: 0 }],
    tools: [],
  };

  const readBytes = async () => {
    const body = JSON.stringify({
      model: "flood",
      stream: true,
      messages: [{ role: "user", content: "Go." }],
    });
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    let size = 0;
    for await (const chunk of response.body ?? []) size += chunk.length;
    if (size < deltas * 10) throw new Error("too few bytes");
  };
  const readStream = async () => {
    let characters = 0;
    let last = "";
    for await (const event of model.stream(request)) {
      if (event.type === "text_delta") characters += event.delta.length;
      last = event.type;
    }
    if (last !== "done" || characters !== deltas * 5)
      throw new Error(`ended in ${last} after ${characters} characters`);
  };
  const cpu = async (action: () => Promise<void>) => {
    const before = process.cpuUsage();
    await action();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / deltas;
  };
  const bestOf = async (action: () => Promise<void>) =>
    Math.min(await cpu(action), await cpu(action), await cpu(action));
  await readStream();
  globalThis.gc?.();
  const memory = process.memoryUsage.rss();
  const streamMicroseconds = await bestOf(readStream);
  globalThis.gc?.();
  const grownMegabytes = (process.memoryUsage.rss() - memory) / 1e6;
  const bytesMicroseconds = await bestOf(readBytes);
  console.log(JSON.stringify({ streamMicroseconds, bytesMicroseconds, grownMegabytes }));
  server.disconnect();
}
