import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { changeOf } from "./lines.ts";
import { decide, nothingPending } from "./pending.ts";
import { stage } from "./stage.ts";
import { restorePieces, storePieces } from "./stored-pieces.ts";

test("what is pending comes back from storage as it was, decided pieces too", () => {
  const text = Text.of(Array.from({ length: 30 }, (_, line) => `line ${line}`));
  const splices = [0, 8, 16, 29].map((at) => ({
    at,
    removed: 1,
    lines: at === 8 ? [] : [`new ${at}`, "and more"],
  }));
  let pending = stage(nothingPending(text), changeOf(text, splices), { origin: "agent", turn: "turn_1" });
  pending = decide(pending, "accepted", new Set([1])).pending;
  pending = decide(pending, "rejected", new Set([3])).pending;
  const restored = restorePieces(
    pending.current,
    JSON.parse(JSON.stringify(storePieces(pending))),
    pending.nextId,
  );
  assert.deepEqual(restored.pieces, pending.pieces);
  assert.equal(restored.base.toString(), pending.base.toString());
  assert.equal(restored.nextId, pending.nextId);
});
