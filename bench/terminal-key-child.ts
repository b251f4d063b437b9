// A prompt in a real terminal while 500 tokens a second stream above it. terminal.ts types and waits for the echo.

import { Tui } from "../packages/tui/src/renderer/tui.ts";
import { ProcessTerminal } from "../packages/tui/src/terminal/process-terminal.ts";
import { Transcript } from "../packages/tui/src/transcript/transcript.ts";
import { Bottom, StreamBlock, TextBlock } from "./terminal-parts.ts";
import { messageText, streamTokens } from "./terminal-workload.ts";

const tui = new Tui(new ProcessTerminal());
const transcript = new Transcript();
const bottom = new Bottom();
for (let index = 0; index < 1000; index++) transcript.add(new TextBlock(messageText(index)));
const answer = new StreamBlock();
transcript.add(answer);
tui.add(transcript);
tui.add(bottom);
tui.setFocus(bottom);
tui.start();
await streamTokens(60_000, 500, (text, milliseconds) => {
  answer.setText(text);
  bottom.milliseconds = milliseconds;
  tui.requestRender();
});
