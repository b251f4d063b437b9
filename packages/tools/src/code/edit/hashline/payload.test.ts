import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { openCodeFixture } from "@stet/testkit/code-fixture";
import { readAnchors } from "@stet/testkit/read-anchors";
import { hashlineEdit } from "./hashline-edit.ts";

const source = "first();\nif (a) {\n  go();\n}\nif (b) {\n  go();\n}\nlast();\n";

async function edited(t: TestContext, text: string, make: (at: (line: number) => string) => string[]) {
  const fixture = await openCodeFixture(t, [hashlineEdit], { files: { "a.ts": text } });
  const input = ["§a.ts", ...make(readAnchors(fixture, "a.ts"))].join("\n");
  const answer = await fixture.call("edit", { input });
  assert.equal(answer.error, undefined, answer.text);
  return { disk: readFileSync(fixture.place.path("a.ts"), "utf8"), told: answer.text };
}

test("lines that were copied with their anchors lose them, with a warning", async (t) => {
  const { disk, told } = await edited(t, source, (at) => [
    `≔${at(1)}..${at(3)}`,
    `${at(1)}|first(1);`,
    "",
    `${at(3)}|  go(1);`,
  ]);
  assert.equal(disk, "first(1);\n\n  go(1);\n}\nif (b) {\n  go();\n}\nlast();\n");
  assert.match(told, /Warnings:\na\.ts, line 2: the payload was copied with its anchors/);
});

test("content that looks like anchors is content", async (t) => {
  const table = ["1st|2nd|3rd", "4th|5th|6th"];
  const { disk, told } = await edited(t, source, (at) => [`»${at(1)}`, ...table]);
  assert.equal(disk, source.replace("\n", `\n${table.join("\n")}\n`));
  assert.ok(!told.includes("Warnings"));
  const partly = await edited(t, source, (at) => [`»${at(1)}`, `${at(1)}|first();`, "plain"]);
  assert.match(partly.disk, /first\(\);\n1[a-z]{2}\|first\(\);\nplain/, "not every line has one");
});

test("neighbours that were repeated around a replacement are not there twice", async (t) => {
  const { disk, told } = await edited(t, source, (at) => [
    `≔${at(2)}..${at(7)}`,
    "first();",
    "both();",
    "last();",
  ]);
  assert.equal(disk, "first();\nboth();\nlast();\n");
  assert.match(told, /the first payload line repeats what stands right before/);
  assert.match(told, /the last payload line repeats what stands right behind/);
});

test("lines that were repeated in an insertion are not there twice", async (t) => {
  const { disk, told } = await edited(t, source, (at) => [
    `»${at(2)}`,
    "first();",
    "if (a) {",
    "  second();",
  ]);
  assert.equal(disk, source.replace("{\n", "{\n  second();\n"));
  assert.match(told, /Warnings/);
});

test("one line that says what stands beside the place is asked back: it may be a slip, and it may be meant", async (t) => {
  const fixture = await openCodeFixture(t, [hashlineEdit], { files: { "a.ts": source } });
  const at = readAnchors(fixture, "a.ts");
  const inserted = await fixture.call("edit", { input: `§a.ts\n»${at(1)}\nfirst();\nsecond();` });
  assert.match(inserted.text, new RegExp(`the first line of the payload says what ${at(1)} beside`));
  const replaced = await fixture.call("edit", { input: `§a.ts\n≔${at(6)}..${at(7)}\nrest();\nlast();` });
  assert.match(replaced.text, new RegExp(`the last line of the payload says what ${at(8)} beside`));
  assert.equal(readFileSync(fixture.place.path("a.ts"), "utf8"), source, "nothing was changed");

  // Both answers can be said.
  const twice = await fixture.call("edit", {
    input: `§a.ts\n≔${at(6)}..${at(8)}\nrest();\nlast();\nlast();`,
  });
  assert.equal(twice.error, undefined, twice.text);
  const once = await fixture.call("edit", { input: `§a.ts\n»${at(1)}\nsecond();` });
  assert.equal(once.error, undefined, once.text);
  assert.equal(
    readFileSync(fixture.place.path("a.ts"), "utf8"),
    "first();\nsecond();\nif (a) {\n  go();\n}\nif (b) {\nrest();\nlast();\nlast();\n",
  );
});

test("lines that may well be meant twice stay: brackets, lines of which there are several, and copies", async (t) => {
  const brackets = await edited(t, source, (at) => [`»${at(4)}`, "}", "x();"]);
  assert.equal(brackets.disk, source.replace("}\n", "}\n}\nx();\n"));
  const several = await edited(t, source, (at) => [`»${at(3)}`, "  go();", "  stop();"]);
  assert.equal(several.disk, source.replace("  go();\n", "  go();\n  go();\n  stop();\n"));
  const copy = await edited(t, source, (at) => [`»${at(1)}`, "first();"]);
  assert.equal(copy.disk, `first();\n${source}`);
  const repeated = await edited(t, source, (at) => [`»${at(1)}`, "first();", "first();", "x();"]);
  assert.equal(repeated.disk, `first();\nfirst();\nfirst();\nx();\n${source.slice(9)}`);
  for (const { told } of [brackets, several, copy, repeated]) assert.ok(!told.includes("Warnings"), told);
});
