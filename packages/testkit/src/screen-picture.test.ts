import assert from "node:assert/strict";
import { test } from "node:test";
import xterm from "@xterm/headless";
import { screenPicture } from "./screen-picture.ts";

const colours = { text: "#eeeeee", background: "#111111", frame: "#444444", palette: [] };

async function pictureOf(bytes: string): Promise<string> {
  const terminal = new xterm.Terminal({ cols: 20, rows: 4, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  return screenPicture(terminal, 'a "title"', colours);
}

test("the text of a screen stays text in its picture, with its colours and nothing that would be markup", async () => {
  const picture = await pictureOf(
    "plain \u001b[38;2;1;2;3m<b>&\u001b[39m\r\n\u001b[7mturned\u001b[27m\r\n\u001b[1;38;5;196mred\u001b[m",
  );
  assert.match(picture, /aria-label="a &quot;title&quot;"/);
  assert.match(picture, /<tspan x="14" [^>]*>plain<\/tspan>/);
  assert.match(picture, /class="c0">&lt;b&gt;&amp;<\/tspan>/);
  assert.match(picture, /\.c0\{fill:#010203\}/);
  assert.match(picture, /<rect x="14" y="32" width="50\.4" height="18" fill="#eeeeee"\/>/);
  assert.match(picture, /\{fill:#ff0000;font-weight:700\}/);
  assert.equal(picture.match(/<text /g)?.length, 3);
});

test("rows below the last that shows something are left out", async () => {
  assert.match(await pictureOf("one"), /viewBox="0 0 196 46"/);
});
