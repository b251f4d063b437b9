import assert from "node:assert/strict";
import { test } from "node:test";
import { type Block, Transcript } from "./transcript.ts";

class Message implements Block {
  rows: string[];
  isFinal: boolean;
  renders = 0;
  constructor(isFinal: boolean, ...rows: string[]) {
    this.isFinal = isFinal;
    this.rows = rows;
  }
  isTranscriptBlockFinalized(): boolean {
    return this.isFinal;
  }
  render(): readonly string[] {
    this.renders++;
    return [...this.rows];
  }
}

test("a block that is final does not drift, and is not rendered again", () => {
  const transcript = new Transcript();
  const block = new Message(true, "said");
  transcript.add(block);
  transcript.render(20);
  block.rows = ["said otherwise"];
  assert.deepEqual(transcript.render(20), ["said"]);
  assert.equal(block.renders, 1);
});

test("what may change begins with the first block that is not final", () => {
  const transcript = new Transcript({ gap: 1 });
  const live = new Message(false, "c");
  transcript.add(new Message(true, "a", "b"));
  transcript.add(live);
  transcript.add(new Message(true, "d"));
  assert.deepEqual(transcript.render(20), ["a", "b", "", "c", "", "d"]);
  assert.equal(transcript.getNativeScrollbackLiveRegionStart(), 2);
  live.isFinal = true;
  transcript.render(20);
  assert.equal(transcript.getNativeScrollbackLiveRegionStart(), 6, "rows of others may follow");
});

test("blocks that are history are released, and come back for a full paint", () => {
  const transcript = new Transcript({ replayRows: () => 40 });
  for (let index = 0; index < 100; index++) transcript.add(new Message(true, `row ${index}`));
  transcript.render(20);
  transcript.committed(90);
  assert.equal(transcript.releasedRows, 66, "all but those that the audit looks at");
  assert.equal(transcript.droppedBlocks, 26);
  assert.deepEqual(transcript.render(20).length, 34);
  transcript.rewind(30);
  const rows = transcript.render(20);
  assert.equal(transcript.releasedRows, 36);
  assert.equal(rows[0], "row 36");
  assert.equal(rows.at(-1), "row 99");
});

test("a block that fails is one row", () => {
  const transcript = new Transcript();
  transcript.add({
    render() {
      throw new Error("broken");
    },
  });
  assert.deepEqual(transcript.render(80), ["This part of the conversation could not be drawn: broken"]);
});
