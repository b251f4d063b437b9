// How a turn of the command ends when the model, the connection or a limit gets in its way.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type ModelScript, startScriptedModel } from "@stet/testkit/scripted-model";
import { StetProject } from "@stet/testkit/stet-project";

/** A project whose settings name a scripted model. */
async function projectWith(t: TestContext, script: ModelScript, settings: object = {}) {
  const server = await startScriptedModel(script);
  t.after(() => server.close());
  const place = new StetProject(t, { "n.txt": "one\ntwo\nthree\n" });
  const folder = join(place.environment.XDG_CONFIG_HOME ?? "", "stet");
  mkdirSync(folder, { recursive: true });
  const model = "openai-compatible/scripted";
  writeFileSync(join(folder, "config.json"), JSON.stringify({ model, "retry.baseDelayMs": 1, ...settings }));
  const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
  const ask = (...args: string[]) => place.stet(args, { env });
  /** The newest session, as a person reads it. */
  const shown = async () => {
    const [id = ""] = (await ask("sessions")).out.split(" ");
    return (await ask("sessions", "show", id)).out;
  };
  return { place, ask, shown, requests: server.requests };
}

const read = (line: number) => ({
  toolCalls: [{ name: "read_file", arguments: { file_path: "n.txt", start_line: line, end_line: line } }],
});

test("an answer that is cut off and one that is empty are told, with exit code 3", async (t) => {
  const { ask } = await projectWith(t, [{ text: "The first half", stop: "length" }, { stop: "stop" }]);
  const cut = await ask("-p", "Write a lot.");
  assert.deepEqual([cut.code, cut.out.trim()], [3, "The first half"]);
  assert.match(cut.note, /The answer is cut off/);
  const empty = await ask("-p", "Say something.");
  assert.equal(empty.code, 3);
  assert.match(empty.note, /The model answered with nothing/);
});

test("the first message stays in its session with an empty and with a failed answer, and why", async (t) => {
  const { ask, shown } = await projectWith(t, [{ stop: "stop" }, { fault: { status: 401 } }]);
  await ask("-p", "First words.");
  assert.match(await shown(), /First words\..*answered with nothing/s);
  assert.equal((await ask("-p", "Other words.")).code, 1);
  assert.match(await shown(), /Other words\..*Stopped: /s);
});

test("a connection that is lost in the middle of an answer or of arguments is asked again, and told", async (t) => {
  const long = "A whole answer that is long enough to be cut in the middle of it.";
  const { ask, requests } = await projectWith(t, [
    { ...read(1), fault: { resetAfterBytes: 700 } },
    read(1),
    { text: long, fault: { endAfterBytes: 900 } },
    { text: long },
  ]);
  const { code, out } = await ask("--mode", "json", "-p", "Read it.");
  assert.equal(code, 0);
  const types = out
    .trim()
    .split("\n")
    .map((line): string => JSON.parse(line).type);
  assert.equal(types.filter((type) => type === "auto_retry_start").length, 2);
  assert.equal(types.filter((type) => type === "auto_retry_end").length, 2);
  assert.equal(types.filter((type) => type === "tool_start").length, 1, "the call is made once");
  assert.equal(requests.length, 4);
});

test("that another model takes over is told in a line, with the reason", async (t) => {
  const spare = await startScriptedModel([{ text: "From the spare one." }]);
  t.after(() => spare.close());
  const { ask } = await projectWith(t, [{ fault: { status: 503 } }], {
    fallbackModels: ["spare/m"],
    providers: { spare: { baseURL: `${spare.url}/v1` } },
  });
  const { code, out, note } = await ask("-p", "Say something.");
  assert.deepEqual([code, out.trim()], [0, "From the spare one."], note);
  assert.match(note, /^spare\/m answers\. openai-compatible\/scripted failed: .*503/m);
});

test("that the remote model takes over from the local one is told in a line, with the reason", async (t) => {
  const { ask } = await projectWith(t, [{ text: "From afar." }], {
    agentMode: "hybrid_auto",
    localModel: "near/m",
    providers: { near: { baseURL: "http://127.0.0.1:9/v1" } },
  });
  const { code, out, note } = await ask("-p", "Say something.");
  assert.deepEqual([code, out.trim()], [0, "From afar."], note);
  assert.match(note, /^near\/m answers\. /m);
  assert.match(note, /^openai-compatible\/scripted answers\. The local model could not be asked\./m);
});

test("sixty reads in a row are nothing unusual", async (t) => {
  const { ask } = await projectWith(t, (_, index) =>
    index < 60
      ? { toolCalls: [{ name: "search_project", arguments: { query: `word ${index}` } }] }
      : { text: "Read it all." },
  );
  const { code, out } = await ask("-p", "Read.");
  assert.deepEqual([code, out.trim()], [0, "Read it all."]);
});

test("at a limit the last answer is asked for, the session keeps why, and the next message goes on", async (t) => {
  const { ask, shown, requests } = await projectWith(
    t,
    (request, index) => {
      const words = JSON.stringify(request.body.messages);
      if (words.includes("Go on.")) return { text: "The rest is done." };
      return index < 2 ? read(index + 1) : { text: "Two lines are read, one is left." };
    },
    { maxIterations: 2, maxToolCalls: 2 },
  );
  const stopped = await ask("-p", "Read all lines.");
  assert.deepEqual([stopped.code, stopped.out.trim()], [3, "Two lines are read, one is left."]);
  assert.match(stopped.note, /stopped after 2 requests/);
  assert.match(JSON.stringify(requests[2]?.body), /Answer now with what you have/);
  assert.equal(requests[2]?.body.tool_choice, "none");
  assert.ok((requests[2]?.toolNames.length ?? 0) > 0, "tools are declared");
  assert.match(await shown(), /stopped after 2 requests/);
  const on = await ask("--continue", "-p", "Go on.");
  assert.deepEqual([on.code, on.out.trim()], [0, "The rest is done."]);
});

test("a long session is summarised by hand, and goes on with the summary and the person's own words", async (t) => {
  const { ask, shown, requests } = await projectWith(t, [
    read(1),
    { text: "It says one." },
    { text: "It still says one." },
    { text: "Reads a file of three lines.\n\n## Goal\nRead n.txt." },
    { text: "Going on." },
  ]);
  await ask("-p", "Read n.txt, and mind the third line above all.");
  await ask("--continue", "-p", "Again.");
  const compacted = await ask("sessions", "compact");
  assert.deepEqual(
    [compacted.code, compacted.out.trim()],
    [0, "Reads a file of three lines."],
    compacted.note,
  );
  const asked = requests[3];
  assert.deepEqual([asked?.toolNames, asked?.body.tool_choice], [["read_file"], "none"]);
  assert.match(
    JSON.stringify(asked?.body.messages),
    /has_more.*## Open questions/s,
    "results are summarised whole",
  );
  await ask("--continue", "-p", "Go on.");
  const words = JSON.stringify(requests[4]?.body.messages);
  assert.match(words, /## Goal\\nRead n\.txt/);
  assert.match(words, /word for word:\\n- Read n\.txt, and mind the third line above all\./);
  assert.match(words, /Files read: n\.txt/);
  assert.doesNotMatch(words, /tool_calls/);
  assert.match(await shown(), /summary: Reads a file of three lines\./);
});

test("a turn does not end with a forgotten preview without a word", async (t) => {
  const find = { toolCalls: [{ name: "search_tool_bm25", arguments: { query: "ast_edit" } }] };
  const ops = [{ pat: "foo()", out: "bar()" }];
  const preview = { toolCalls: [{ name: "ast_edit", arguments: { ops, paths: ["a.ts"] } }] };
  const { place, ask, shown, requests } = await projectWith(
    t,
    [find, preview, { text: "It is renamed." }, { text: "It is not: I leave it as it is." }],
    { toolset: "code" },
  );
  writeFileSync(join(place.folder, "a.ts"), "foo();\n");
  const { code, out, note } = await ask("-p", "Rename foo.");
  assert.equal(code, 0, note);
  assert.match(out, /I leave it as it is/);
  assert.match(JSON.stringify(requests[3]?.body), /neither applied nor discarded.*Call resolve/s);
  assert.doesNotMatch(await shown(), /user: \[The preview/, "it is not told as the person's words");
});
