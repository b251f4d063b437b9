// Any sequence of keys in the review, with others at work beside it: base + pending = current in every document, and what the
// person typed is in a text or in a checkpoint.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { runs } from "@stet/testkit/depth";
import { assertLaw } from "@stet/testkit/law";
import { keyOf, openPanelFixture, rowsOf, until } from "@stet/testkit/panel-fixture";
import { Random } from "@stet/testkit/random";
import { agentEdits, must, personEdits } from "@stet/testkit/workspace";
import type { LineEdit } from "@stet/text/edits";
import { ReviewPanel } from "./review-panel.ts";

const files = {
  "a.md": Array.from({ length: 20 }, (_, index) => `Line ${index + 1}.\n`).join(""),
  "b.md": "one\ntwo\nthree\n",
};
const keys = [..."aarrssbfFtTARuu][yn?", "down", "pageDown", "enter"];
const steps = 25;

for (let seed = 1; seed <= runs(24); seed += 1) {
  test(`any keys keep the law, and no word of the person is lost (seed ${seed})`, async (t) => {
    const random = new Random(seed);
    const fixture = await openPanelFixture(t, files);
    const { workspace } = fixture.service.service;
    const documents = Object.keys(files).map((name) => must(workspace.documents.open(name)).id);
    const typed: string[] = [];
    const textOf = (document: number) => must(workspace.documents.state(document)).pending.current;
    const editOf = (document: number, content: string): LineEdit => {
      const line = 1 + random.below(Math.max(1, textOf(document).lines - 1));
      return random.chance(0.5)
        ? { op: "replace", from: line, to: line, content }
        : { op: "insert", after: line - 1, content };
    };
    const agentWorks = (turn: number) => {
      const document = random.pick(documents);
      agentEdits(workspace, [[document, editOf(document, `agent ${turn}\nagain ${turn}`)]], `Turn ${turn}`);
    };
    for (let turn = 0; turn < 4; turn += 1) agentWorks(turn);

    const panel = new ReviewPanel(fixture, () => {});
    panel.isFocused = true;
    const settled = () => until(() => !panel.isBusy, "the panel to be done");
    const press = async (key: string) => {
      await settled();
      rowsOf(panel, fixture);
      panel.handleInput(keyOf(key));
      await settled();
    };
    await settled();
    for (let step = 0; step < steps; step += 1) {
      const word = `word${seed}x${step}`;
      const what = random.below(10);
      if (what === 0) agentWorks(100 + step);
      else if (what === 1) {
        const document = random.pick(documents);
        personEdits(workspace, document, { op: "insert", after: 0, content: word });
        typed.push(word);
      } else if (what <= 3) {
        for (const key of ["e", ...word, "ctrl+s"]) await press(key);
        if (documents.some((document) => textOf(document).toString().includes(word))) typed.push(word);
      } else await press(random.pick(keys));
      for (const document of documents) assertLaw(must(workspace.documents.state(document)).pending);
    }
    const kept = documents.flatMap((document) => {
      const checkpoints = workspace.checkpoints.list({ document }).map(({ id }) => {
        const texts = workspace.checkpoints.diff3(id, document);
        return isFault(texts) ? "" : texts.checkpointBase;
      });
      return [textOf(document).toString(), ...checkpoints];
    });
    for (const word of typed)
      assert.ok(
        kept.some((text) => text.includes(word)),
        `${word} is lost`,
      );
  });
}
