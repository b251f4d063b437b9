import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pngPicture } from "@stet/testkit/picture";
import { VirtualTerminal } from "@stet/testkit/virtual-terminal";
import { Tui } from "@stet/tui/renderer/tui";
import type { Capabilities } from "@stet/tui/terminal/terminal";
import { type Block, Transcript } from "@stet/tui/transcript/transcript";
import { SentPictures } from "./sent-pictures.ts";
import { plainTheme } from "./transcript/test-theme.ts";

const picture = { data: pngPicture(60, 60).toString("base64"), mime_type: "image/png" } as const;

function screenWith(capabilities: Partial<Capabilities>) {
  const terminal = new VirtualTerminal(40, 20, { cellSize: { width: 10, height: 20 }, ...capabilities });
  const tui = new Tui(terminal);
  const transcript = new Transcript();
  tui.add(transcript);
  tui.start();
  const show = (block: Block): void => {
    transcript.add(block);
    tui.requestRender();
  };
  const drawn = async (): Promise<string[]> => {
    await delay(40);
    await terminal.flush();
    return terminal.screen;
  };
  return {
    terminal,
    tui,
    show,
    drawn,
    pictures: new SentPictures({ tui, transcript, show }, plainTheme(), 1),
  };
}

test("a picture that was sent is drawn above the message; the one before it becomes a line in as many rows", async () => {
  const { terminal, tui, show, drawn, pictures } = screenWith({ images: "kitty", kittyPlaceholders: true });
  pictures.show([picture], 1);
  show({ render: () => ["first message"] });
  assert.equal((await drawn()).indexOf("first message"), 4);
  assert.ok(terminal.writes.join("").includes("a=t,f=100"));
  pictures.show([picture], 1);
  show({ render: () => ["second message"] });
  const screen = await drawn();
  assert.equal(screen[1], "[picture: PNG, 60 × 60, 1 KB]");
  assert.equal(screen.indexOf("first message"), 4);
  assert.equal(screen.indexOf("second message"), 9);
  tui.stop();
});

test("a terminal without pictures says what was sent; what is no picture is left out", async () => {
  const { tui, drawn, pictures } = screenWith({ images: "none" });
  pictures.show([picture, { data: Buffer.from("no picture").toString("base64"), mime_type: "image/png" }], 1);
  assert.deepEqual(
    (await drawn()).filter((row) => row !== ""),
    ["[picture: PNG, 60 × 60, 1 KB]"],
  );
  tui.stop();
});
