import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

async function configured(t: TestContext, settings: Record<string, unknown> = {}) {
  const workspace = new TestWorkspace(t, { "notes.md": "one\n" });
  const api = await TestService.configured(t, workspace, settings);
  const file = join(workspace.folder, "stet", "config.json");
  return { api, file, read: () => readFileSync(file, "utf8") };
}

test("a setting that is changed holds at once, and the rest of the file is as it was", async (t) => {
  const { api, file, read } = await configured(t);
  writeFileSync(file, '{\n    "thinking": "low",\n    "model": "practice"\n}\n');
  const setting = await api.ok("PUT", "/api/config", { name: "symbolPreset", value: "ascii" });
  assert.deepEqual([setting.value, setting.values], ["ascii", ["unicode", "nerd", "ascii"]]);
  assert.match(setting.source, /^user: /);
  assert.equal(
    read(),
    '{\n    "thinking": "low",\n    "model": "practice",\n    "symbolPreset": "ascii"\n}\n',
  );
  const again = await api.ok("PUT", "/api/config", { name: "thinking", value: "high" });
  assert.equal(again.value, "high");
  assert.deepEqual(Object.keys(JSON.parse(read())), ["thinking", "model", "symbolPreset"]);
});

test("null brings the default back", async (t) => {
  const { api, read } = await configured(t, { colorBlindMode: true });
  const setting = await api.ok("PUT", "/api/config", { name: "colorBlindMode", value: null });
  assert.deepEqual([setting.value, setting.source, read()], [false, "default", "{}\n"]);
});

test("a value that does not fit, a name that is none, and keys are refused, and nothing is written", async (t) => {
  const { api, read } = await configured(t, { model: "practice" });
  const before = read();
  for (const [name, value] of [
    ["symbolPreset", "emoji"],
    ["tui.replayRows", -1],
    ["toString", "x"],
    ["providers", {}],
  ]) {
    const replied = await api.call("PUT", "/api/config", { name, value });
    assert.equal(replied.body.error, "invalid_arguments", JSON.stringify(replied.body));
  }
  assert.equal(read(), before);
});

test("a model of a provider that does not exist is not chosen; one whose key is missing is", async (t) => {
  const { api, read } = await configured(t, { model: "practice" });
  for (const value of ["nobody/x", "gpt-x", "openai/"]) {
    const replied = await api.call("PUT", "/api/config", { name: "model", value });
    assert.equal(replied.body.error, "invalid_arguments", JSON.stringify(replied.body));
    assert.equal(JSON.parse(read()).model, "practice");
  }
  await api.ok("PUT", "/api/config", { name: "model", value: "anthropic/claude-sonnet-4-5" });
  await api.ok("PUT", "/api/config", { name: "localModel", value: "" });
});

test("processes that change settings at the same moment keep what each of them wrote", async (t) => {
  const { file, read } = await configured(t);
  const folder = join(file, "..", "..");
  const child = join(import.meta.dirname, "../../../testkit/src/settings-child.ts");
  const run = promisify(execFile);
  const counts = ["a", "b", "c"].map((tag) => run(process.execPath, [child, folder, tag, "40"]));
  await Promise.all(counts);
  assert.equal(Object.keys(JSON.parse(read()).providers).length, 120);
});

test("a configuration that is a link into a folder of dotfiles stays one", async (t) => {
  const workspace = new TestWorkspace(t, {});
  mkdirSync(join(workspace.folder, "stet"));
  mkdirSync(join(workspace.folder, "dotfiles"));
  const real = join(workspace.folder, "dotfiles", "stet.json");
  writeFileSync(real, "{}");
  symlinkSync(real, join(workspace.folder, "stet", "config.json"));
  const api = await TestService.open(t, workspace, () => {
    throw new Error("no model is needed");
  });
  await api.ok("PUT", "/api/config", { name: "tui.vim", value: true });
  assert.deepEqual(JSON.parse(readFileSync(real, "utf8")), { "tui.vim": true });
});

test("a broken file is told and left alone", async (t) => {
  const { api, file, read } = await configured(t);
  writeFileSync(file, "{ model: ");
  assert.equal(
    await api.refusal("PUT", "/api/config", { name: "tui.vim", value: true }),
    "invalid_arguments",
  );
  assert.equal(read(), "{ model: ");
});

test("windows of the folder are told that a setting changed", async (t) => {
  const { api } = await configured(t);
  await api.ok("PUT", "/api/config", { name: "tui.vim", value: true });
  const { events } = await api.ok("GET", "/api/workspace/events");
  assert.deepEqual(
    events
      .filter(({ type }: { type: string }) => type === "config.changed")
      .map((one: { data: unknown }) => one.data),
    [{ name: "tui.vim" }],
  );
});
