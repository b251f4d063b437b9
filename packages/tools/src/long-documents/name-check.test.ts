import assert from "node:assert/strict";
import { test } from "node:test";
import { checkRename } from "./name-check.ts";
import { findNames } from "./names.ts";
import { replaced } from "./replacements.ts";

function issuesOf(before: string, form: string, replacement: string) {
  const forms = [{ form, replacement }];
  const names = findNames(before, forms).places;
  const after = replaced(before, 0, names);
  return checkRename({ before, after, forms, replacements: names, names }).map(({ line, kind, message }) => ({
    line,
    kind,
    message,
  }));
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
