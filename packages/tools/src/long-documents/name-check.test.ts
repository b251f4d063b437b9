import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { checkRename } from "./name-check.ts";
import { findNames } from "./names.ts";
import { changeBy } from "./replacements.ts";

function issuesOf(content: string, form: string, replacement: string) {
  const forms = [{ form, replacement }];
  const before = Text.of(content.split("\n"));
  const names = findNames(content, forms).places;
  return checkRename({ before, change: changeBy(before, names), forms, names });
}

test("what is left of the old name is told once for each way of writing, with its lines", () => {
  const [whole, lower, ...more] = issuesOf("Ahab\nan ahab\nAhabism\nahab\n", "Ahab", "Elias");
  assert.deepEqual([whole?.line, whole?.kind, lower?.line, more.length], [1, "name_remains", 2, 0]);
  assert.match(whole?.message ?? "", /“ahab” was left as it is in 2 places \(lines 2 and 4\)/);
  assert.match(lower?.message ?? "", /“Ahabism” was left as it is in 1 place \(line 3\)/);
});

test("a new name that stood there before is told, and one that holds the old name is not taken for it", () => {
  const [issue, ...more] = issuesOf("Elias met Ahab.\n", "Ahab", "Elias");
  assert.deepEqual([issue?.kind, issue?.line, more.length], ["name_collision", 0, 0]);
  assert.deepEqual(issuesOf("Ahab came.\n", "Ahab", "Ahab Smith"), []);
});

test("articles and possessives that fitted the old name only are told", () => {
  assert.deepEqual(
    issuesOf("He was an Ahab, James’ friend.\n", "Ahab", "John").map(({ kind }) => kind),
    ["article"],
  );
  assert.deepEqual(
    issuesOf("a James\nJames’ friend and James’s\n", "James", "John").map(({ kind, line }) => [kind, line]),
    [["possessive", 1]],
  );
});
