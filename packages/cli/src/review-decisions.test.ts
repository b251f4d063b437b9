// Two turns of the command in one line, decided one by one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { StetProject } from "@stet/testkit/stet-project";

test("accepting one of two requests in a line leaves the other open; where they meet, the command to type is told", async (t) => {
  const place = new StetProject(t, { "a.md": "Elena met Marcus at the mill.\n" });
  const ask = async (...args: string[]) => {
    const ended = await place.stet(args);
    assert.equal(ended.code, 0, ended.note);
    return ended.out;
  };
  const turns = async (): Promise<string[]> => JSON.parse(await ask("review", "--json"))[0].hunks[0].turns;
  await ask("-p", "Replace Elena with Helena in a.md");
  await ask("-p", "Replace Marcus with Markus in a.md");
  const [elena = "", marcus = ""] = await turns();
  assert.match(await ask("review", "accept", "--turn", marcus), /Accepted 1 hunk; saved a\.md/);
  assert.equal(place.read("a.md"), "Elena met Markus at the mill.\n");
  assert.deepEqual(await turns(), [elena]);
  await ask("-p", "Replace Helena with Hella in a.md");
  const [, hella = ""] = await turns();
  const refused = await place.stet(["review", "accept", "--turn", hella]);
  assert.notEqual(refused.code, 0);
  assert.ok(refused.note.includes(`stet review accept --turn ${hella} --also ${elena}`), refused.note);
  await ask("review", "accept", "--turn", hella, "--also", elena);
  assert.equal(place.read("a.md"), "Hella met Markus at the mill.\n");
});
