import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionStore } from "@stet/session/session-store";
import { answered, said } from "@stet/testkit/sample-session";
import { StetProject } from "@stet/testkit/stet-project";
import { must } from "@stet/testkit/workspace";

test("stet sessions shows the newest ones, and says how to see more", async (t) => {
  const project = new StetProject(t, { "a.md": "one\n" });
  const store = new SessionStore({ dataFolder: project.environment.STET_DATA_DIR ?? "" });
  for (let number = 0; number < 23; number += 1) {
    const session = store.create(project.folder);
    must(session.appendMessage(said(`Question ${number}`)));
    must(session.appendMessage(answered("Answer")));
  }
  const lines = (text: string) => text.trim().split("\n").length;
  const shown = await project.stet(["sessions"]);
  assert.equal(lines(shown.out), 20);
  assert.match(shown.note, /stet sessions --limit 80/);
  const more = await project.stet(["sessions", "--limit", "60"]);
  assert.deepEqual([lines(more.out), more.note], [23, ""]);
  assert.equal(
    JSON.parse((await project.stet(["sessions", "--json"])).out).length,
    23,
    "programs get all of them",
  );
  const wrong = await project.stet(["sessions", "--limit", "many"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.note, /--limit takes a whole number/);
});
