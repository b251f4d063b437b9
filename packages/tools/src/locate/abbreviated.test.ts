import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { readAnchors } from "@stet/testkit/read-anchors";
import { hashlineEdit } from "../code/edit/hashline/hashline-edit.ts";
import { abbreviationIn, isAbbreviated } from "./abbreviated.ts";

test("a line that stands for others is taken for code", () => {
  for (const line of [
    "…",
    "  ...",
    "[...]",
    "// …",
    "# ...",
    "/* … */",
    "<!-- ... -->",
    "// ... existing code ...",
    "  # ... rest unchanged",
    "… lines 3 to 9 unchanged …",
  ])
    assert.ok(isAbbreviated(line, "a.ts"), line);
});

test("code is taken for an abbreviation", () => {
  for (const line of [
    "...rest,",
    "call(...args);",
    "// Loading...",
    'say("…");',
    "the rest is silence …",
    "// the existing code is kept",
  ])
    assert.ok(!isAbbreviated(line, "a.ts"), line);
  assert.ok(!isAbbreviated("    ...", "a.py"), "a statement of Python");
  assert.ok(!isAbbreviated("...", "a.yaml"), "the end of a document of YAML");
});

test("only what takes lines away leaves lines out", () => {
  assert.equal(abbreviationIn("a.ts", ["a", "b", "c", "d"], ["a", "…", "d"]), "…");
  assert.equal(
    abbreviationIn("a.ts", ["a", "…", "c", "d"], ["a", "  …", "d"]),
    undefined,
    "it was there before",
  );
  assert.equal(abbreviationIn("a.ts", ["a"], ["a", "…"]), undefined, "nothing goes");
});

test("three dots in the place of lines delete them", async (t) => {
  const text = "one();\ntwo();\nthree();\nfour();\nfive();\n";
  const fixture = await openCodeFixture(t, [hashlineEdit], { files: { "a.ts": text } });
  const at = readAnchors(fixture, "a.ts");
  const edit = (input: string) => fixture.call("edit", { input: `§a.ts\n${input}\n` });
  const refused = await edit(`≔${at(1)}..${at(5)}\nuno();\n// ... existing code ...\nfive();`);
  assert.equal(refused.error, "invalid_arguments");
  assert.match(refused.text, /leaves lines out.*existing code.*Nothing was changed/);
  assert.equal(readFileSync(fixture.place.path("a.ts"), "utf8"), text);
  // One that is really meant can be inserted.
  assert.equal((await edit(`»${at(1)}\n// ...`)).error, undefined);
});
