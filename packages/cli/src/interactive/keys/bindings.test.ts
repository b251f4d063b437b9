import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { keyActions } from "./actions.ts";
import { defaultKeyBindings, loadKeyBindings } from "./bindings.ts";
import { keyId, keyName } from "./key-ids.ts";

function bindingsOf(content: string | object) {
  const folder = mkdtempSync(join(tmpdir(), "keys-"));
  writeFileSync(join(folder, "keys.json"), typeof content === "string" ? content : JSON.stringify(content));
  return loadKeyBindings(folder);
}

describe("the table of keys", () => {
  it("names keys that a terminal can send, each once in its group", () => {
    for (const [group, actions] of Object.entries(keyActions)) {
      const seen = new Map<string, string>();
      for (const [action, { keys }] of Object.entries(actions)) {
        for (const key of keys) {
          assert.equal(keyId(key), key, `${group}: ${action}`);
          assert.equal(seen.get(key), undefined, `${group}: ${key} does ${action} and ${seen.get(key)}`);
          seen.set(key, action);
        }
      }
    }
  });

  it("holds where there is no file", () => {
    const bindings = loadKeyBindings(join(tmpdir(), "no-such-folder"));
    assert.deepEqual(bindings.problems, []);
    assert.equal(bindings.actionOf.prompt("ctrl+k"), "editor.kill.lineEnd");
    assert.deepEqual(bindings.keysOf("app.exit"), defaultKeyBindings().keysOf("app.exit"));
  });
});

describe("keys.json", () => {
  it("gives an action other keys, takes all of them away, and takes a key from another action", () => {
    const { actionOf, keysOf, problems } = bindingsOf({
      "app.session.tree": ["Ctrl+T"],
      "prompt.paste": null,
      "editor.yank": "ctrl+k",
    });
    assert.deepEqual(problems, []);
    assert.equal(actionOf.everywhere("ctrl+t"), "app.session.tree");
    assert.equal(actionOf.prompt("ctrl+v"), undefined);
    assert.equal(actionOf.prompt("ctrl+k"), "editor.yank");
    assert.equal(actionOf.prompt("ctrl+y"), undefined);
    assert.deepEqual(keysOf("editor.kill.lineEnd"), []);
  });

  it("holds for every group, with the same key in two of them", () => {
    const { actionOf, problems } = bindingsOf({
      "review.accept": "x",
      "tree.label": "x",
      "pager.close": "Shift+Q",
    });
    assert.deepEqual(problems, []);
    assert.equal(actionOf.review("x"), "review.accept");
    assert.equal(actionOf.review("a"), undefined);
    assert.equal(actionOf.tree("x"), "tree.label");
    assert.equal(actionOf.pager("shift+q"), "pager.close");
  });

  it("tells what is wrong, a sentence each, and takes the rest", () => {
    const { actionOf, problems } = bindingsOf({
      "app.session.treee": "ctrl+t",
      "app.exit": ["ctrl+banana", 7],
      "editor.undo": "f5",
      "editor.redo": "f5",
      "list.accept": ["enter", "ctrl+o"],
    });
    assert.equal(actionOf.list("ctrl+o"), "list.accept");
    assert.equal(
      actionOf.everywhere("ctrl+d"),
      "app.exit",
      "an action without one good key keeps the usual ones",
    );
    assert.equal(actionOf.prompt("f5"), "editor.undo");
    assert.equal(problems.length, 4);
    assert.match(
      problems[0] ?? "",
      /app\.session\.treee, which there is not\. Did you mean app\.session\.tree\?/,
    );
    assert.match(problems[1] ?? "", /"ctrl\+banana", which is none/);
    assert.match(problems[3] ?? "", /f5 to editor\.undo and to editor\.redo/);
  });

  it("leaves the usual keys where it is broken, a list, or a folder", () => {
    for (const content of ["{ broken", "[]", '"text"', "null", "\u001b[31m"]) {
      const { actionOf, problems } = bindingsOf(content);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? "", /the keys are the usual ones/);
      assert.ok(!(problems[0] ?? "").includes("\u001b"));
      assert.equal(actionOf.list("enter"), "list.accept");
    }
    const folder = mkdtempSync(join(tmpdir(), "keys-"));
    const inside = join(folder, "keys.json");
    writeFileSync(inside, " ".repeat(300 * 1024));
    assert.match(loadKeyBindings(folder).problems[0] ?? "", /was not read/);
  });
});

describe("names of keys", () => {
  it("are taken in any order and case, and shown as people write them", () => {
    assert.equal(keyId("Ctrl+Shift+P"), "shift+ctrl+p");
    assert.equal(keyId("PageUp"), "pageUp");
    assert.equal(keyId("Esc"), "escape");
    assert.equal(keyId("ctrl++"), "ctrl++");
    assert.equal(keyId("G"), "shift+g");
    for (const none of ["", "hyper+a", "ab", "f99"]) assert.equal(keyId(none), undefined, none);
    assert.equal(keyName("shift+ctrl+p"), "Shift-Ctrl-P");
    assert.equal(keyName("pageUp"), "PageUp");
    assert.equal(keyName("ctrl++"), "Ctrl-+");
    assert.equal(keyName("/"), "/");
  });
});
