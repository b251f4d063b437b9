import assert from "node:assert/strict";
import { test } from "node:test";
import { history, redo, undo } from "@codemirror/commands";
import { EditorState, type StateCommand, Transaction } from "@codemirror/state";
import { actsWanted, type Decision, decisionHistory, rememberAct } from "./decision-history.ts";

test("undo takes back typing and decisions in the order they were made, and redo makes them again", () => {
  let state = EditorState.create({ doc: "one\ntwo\n", extensions: [history(), decisionHistory] });
  const done: string[] = [];
  const press = (command: StateCommand) =>
    command({
      state,
      dispatch: (transaction) => {
        for (const act of actsWanted(transaction)) {
          if ("verdict" in act) done.push(`${act.isMade ? "make" : "undo"} ${act.verdict} ${act.ids}`);
        }
        if (transaction.docChanged) done.push("text");
        state = transaction.state;
      },
    });
  const type = (insert: string) => {
    state = state.update({ changes: { from: 0, insert }, userEvent: "input.type" }).state;
  };
  const decide = (decision: Decision) => {
    state = state.update(rememberAct(decision)).state;
  };
  type("a");
  decide({ ids: ["h_1_1"], verdict: "accept", isMade: true });
  type("b");
  decide({ ids: ["h_1_2"], verdict: "reject", isMade: true });
  // What the rejection did to the text comes from the server, and is no part of the history.
  state = state.update({
    changes: { from: 6, to: 7, insert: "x" },
    annotations: Transaction.addToHistory.of(false),
  }).state;
  for (let count = 0; count < 4; count += 1) press(undo);
  assert.deepEqual(done.splice(0), ["undo reject h_1_2", "text", "undo accept h_1_1", "text"]);
  assert.equal(state.doc.toString(), "one\nxwo\n");
  for (let count = 0; count < 4; count += 1) press(redo);
  assert.deepEqual(done, ["text", "make accept h_1_1", "text", "make reject h_1_2"]);
});
