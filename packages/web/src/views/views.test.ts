import assert from "node:assert/strict";
import { test } from "node:test";
import { Views, viewKey } from "./views.ts";

const shown = (views: Views) => views.list().map(viewKey);
const front = (views: Views) => {
  const view = views.active();
  return view === undefined ? undefined : viewKey(view);
};

test("when what is in front is closed, what was in front before it comes back", () => {
  const views = new Views();
  views.keepDocuments(["a", "b", "c"], "a");
  views.show({ kind: "document", tab: "c" });
  views.show({ kind: "keys", title: "Keys" });
  assert.deepEqual(shown(views), ["a", "b", "c", "keys"]);
  views.close({ kind: "keys", title: "Keys" });
  assert.equal(front(views), "c");
  views.keepDocuments(["a", "b"], "b");
  assert.equal(front(views), "a");
});

test("another window's choice does not change what is in front here", () => {
  const views = new Views();
  views.keepDocuments(["a", "b"], "a");
  views.keepDocuments(["a", "b"], "b");
  assert.equal(front(views), "a");
});

test("with nothing left, nothing is in front", () => {
  const views = new Views();
  views.keepDocuments(["a"], "a");
  views.keepDocuments([], null);
  assert.equal(front(views), undefined);
});

test("bringing to the front counts also where it is there already", () => {
  const views = new Views();
  views.keepDocuments(["a"], "a");
  const before = views.shows();
  views.show({ kind: "document", tab: "a" });
  assert.equal(views.shows(), before + 1);
});
