// The heap after turns of 20 blocks each, in one conversation: prints the megabytes after 200 and after 1,000. Wants
// --expose-gc.

import { Tui } from "../packages/tui/src/renderer/tui.ts";
import { Transcript } from "../packages/tui/src/transcript/transcript.ts";
import { Bottom, CountingTerminal, StreamBlock, TextBlock } from "./terminal-parts.ts";
import { messageText, token } from "./terminal-workload.ts";

const tui = new Tui(new CountingTerminal());
const transcript = new Transcript();
tui.add(transcript);
tui.add(new Bottom());
tui.start();
const sizes: number[] = [];
for (let turn = 1; turn <= 1000; turn++) {
  const answer = new StreamBlock();
  transcript.add(answer);
  let text = `Turn ${turn}. `;
  for (let index = 0; index < 20; index++) {
    text += `${token(turn * 20 + index)} and something more `;
    answer.setText(text);
    tui.requestRender();
    tui.flush();
  }
  answer.isFinal = true;
  for (let block = 1; block < 20; block++) transcript.add(new TextBlock(messageText(turn * 20 + block)));
  tui.requestRender();
  tui.flush();
  if (turn === 200 || turn === 1000) {
    globalThis.gc?.();
    sizes.push(process.memoryUsage().heapUsed / 1024 / 1024);
  }
}
process.stdout.write(`${JSON.stringify(sizes)}\n`);
process.exit(0);
