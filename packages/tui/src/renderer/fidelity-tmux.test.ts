// The random scripts of the emulator in a real tmux, whose history is its own: nothing may be lost from it or be there twice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import { Random } from "@stet/testkit/random";
import { ScriptTmux } from "@stet/testkit/script-tmux";
import { temporaryFolder } from "@stet/testkit/temporary";
import { TerminalScript } from "@stet/testkit/terminal-script";
import { hasTmux } from "@stet/testkit/tmux";

const kinds = [
  { isClean: true, widthChanges: false, heightChanges: false },
  { isClean: false, widthChanges: false, heightChanges: true },
  { isClean: true, widthChanges: true, heightChanges: true },
];

for (let seed = 1; seed <= runs(24); seed++) {
  test(`tmux shows what the ledger says, script ${seed}`, {
    skip: hasTmux ? false : "no tmux",
  }, async (t) => {
    const random = new Random(seed * 104_729);
    const kind = kinds[seed % kinds.length];
    assert.ok(kind !== undefined);
    const terminal = ScriptTmux.open(temporaryFolder(t), random.between(20, 140), random.between(5, 50));
    t.after(() => terminal.close());
    const result = await new TerminalScript(seed, terminal, { ...kind, steps: 10, isPlain: true }).run();
    if (!kind.widthChanges && !kind.heightChanges) assert.equal(result.repeats, 0);
  });
}
