import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, must, newSession, said } from "@stet/testkit/sample-session";
import type { EntrySlot } from "./entry-index.ts";
import type { Session } from "./session-tree.ts";
import { depthFirst, isVisibleType, siblingCounter, visibleLeaf } from "./visible-tree.ts";

function slotOf(session: Session, id: string): EntrySlot {
  const slot = session.log.index.get(id);
  assert.ok(slot);
  return slot;
}

/** A question, two answers to it by way of entries that nobody sees, and a root of its own. */
function branched() {
  const session = newSession();
  const id = (entry: ReturnType<Session["append"]>) => must(entry).id;
  const question = id(session.appendMessage(said("Which?")));
  id(session.append({ type: "custom", customType: "note" }));
  const first = id(session.appendMessage(answered("This.")));
  const thanks = id(session.appendMessage(said("Thanks.")));
  session.branch(question);
  id(session.append({ type: "custom", customType: "branch" }));
  id(session.append({ type: "label", targetId: question, label: "start" }));
  const second = id(session.appendMessage(answered("That.")));
  return { session, question, first, thanks, second };
}

test("an answer that was asked for again counts the other one, though hidden entries lie between", () => {
  const { session, question, first, thanks, second } = branched();
  const siblings = siblingCounter(session.log.index);
  assert.deepEqual(
    [question, first, thanks, second].map((id) => siblings(slotOf(session, id))),
    [0, 1, 0, 1],
  );
  session.branch(question);
  session.append({ type: "custom", customType: "branch" });
  const counted = siblingCounter(session.log.index)(slotOf(session, first));
  assert.equal(counted, 1, "a way on which nothing was said is none");
  assert.equal(visibleLeaf(session), question);
});

test("the tree is told depth first, the oldest branch first, and gets deeper only where it branches", () => {
  const { session, question, first, thanks, second } = branched();
  const walked = [...depthFirst(session.log.index, isVisibleType)];
  assert.deepEqual(
    walked.map(({ slot, parent, depth }) => [slot.head.id, parent?.head.id, depth]),
    [
      [question, undefined, 0],
      [first, question, 1],
      [thanks, first, 1],
      [second, question, 1],
    ],
  );
  const users = [...depthFirst(session.log.index, ({ head }) => head.role === "user")];
  assert.deepEqual(
    users.map(({ slot, parent, depth }) => [slot.head.id, parent?.head.id, depth]),
    [
      [question, undefined, 0],
      [thanks, question, 0],
    ],
  );
});

test("a conversation of 20,000 entries in one line is walked without running out of stack", () => {
  const session = newSession();
  const some = Array.from({ length: 200 }, () => ({ type: "message", message: said("On.") }) as const);
  for (let count = 0; count < 20_000; count += some.length) must(session.appendAll(some));
  const walked = [...depthFirst(session.log.index, isVisibleType)];
  assert.deepEqual([walked.length, walked.at(-1)?.depth], [20_000, 0]);
});
