import assert from "node:assert/strict";
import { test } from "node:test";
import { openBashDesk } from "@stet/testkit/code-desk";
import { recipe } from "./recipe.ts";

const files = {
  "package.json": JSON.stringify({ scripts: { greet: "echo hello from the script" } }),
  Makefile: "say:\n\t@echo made\n",
};

test("a task runs with what is handed to it, and its output is told", async (t) => {
  const desk = await openBashDesk(t, [recipe], { files });
  const { text } = await desk.call("recipe", { op: "greet -- and more" });
  assert.match(text, /hello from the script and more/);
  assert.match((await desk.call("recipe", { op: "make:say" })).text, /made/);
});

test("an unknown task is refused with the list, and nothing runs", async (t) => {
  const desk = await openBashDesk(t, [recipe], { files });
  const refused = await desk.call("recipe", { op: "deploy" });
  assert.equal(refused.error, "invalid_arguments");
  assert.match(refused.text, /pkg: greet/);
  assert.deepEqual(desk.commands, []);
});
