// Only the renderer writes to the screen: whatever else has something to tell goes through it, so that a redraw changes nothing.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { PtyScreen } from "@stet/testkit/pty-screen";
import { StetProject } from "@stet/testkit/stet-project";

const command = join(import.meta.dirname, "../main.ts");

function open(t: TestContext, project: StetProject, environment: NodeJS.ProcessEnv = {}): PtyScreen {
  const screen = new PtyScreen([process.execPath, "--disable-warning=ExperimentalWarning", command], {
    cwd: project.folder,
    environment: { ...project.environment, STET_MODEL: "practice", ...environment },
    columns: 80,
    rows: 24,
    background: "#000000",
  });
  t.after(() => screen.close());
  return screen;
}

test("a store that was damaged is told in the conversation, not written over the prompt", async (t) => {
  const project = new StetProject(t, { "n.txt": "one\n" });
  const data = project.environment.STET_DATA_DIR ?? assert.fail();
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeFileSync(join(data, "prompts.sqlite"), "this is no database ".repeat(500));
  const screen = open(t, project);
  await screen.until(/prompts\.sqlite/);
  await screen.settle();
  const before = screen.text;
  screen.type("\u000c");
  await screen.settle();
  assert.equal(screen.text, before);
  assert.match(before, /─{80}\n❯ Ask for a change/);
});

test("a log that would be written over the screen is refused with what to do", async (t) => {
  const screen = open(t, new StetProject(t, { "n.txt": "one\n" }), { STET_LOG: "stderr" });
  await screen.until(/STET_LOG=stderr would write over the screen/);
});
