import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startedCall } from "@stet/client/items";
import { pngPicture } from "@stet/testkit/picture";
import { temporaryFolder } from "@stet/testkit/temporary";
import { VirtualTerminal } from "@stet/testkit/virtual-terminal";
import { Tui } from "@stet/tui/renderer/tui";
import type { Capabilities } from "@stet/tui/terminal/terminal";
import { type Block, Transcript } from "@stet/tui/transcript/transcript";
import { plainTheme } from "../transcript/test-theme.ts";
import { Pictures } from "./pictures.ts";

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
    pictures: new Pictures({ tui, transcript, show }, plainTheme(), 1),
  };
}

test("a picture that was sent is drawn above the message; the one before it becomes a line in as many rows", async () => {
  const { terminal, tui, show, drawn, pictures } = screenWith({ images: "kitty", kittyPlaceholders: true });
  pictures.show([picture]);
  show({ render: () => ["first message"] });
  assert.equal((await drawn()).indexOf("first message"), 4);
  assert.ok(terminal.writes.join("").includes("a=t,f=100"));
  pictures.show([picture]);
  show({ render: () => ["second message"] });
  const screen = await drawn();
  assert.equal(screen[1], "[picture: PNG, 60 × 60, 1 KB]");
  assert.equal(screen.indexOf("first message"), 4);
  assert.equal(screen.indexOf("second message"), 9);
  tui.stop();
});

test("a terminal without pictures says what was sent; what is no picture is left out", async () => {
  const { tui, drawn, pictures } = screenWith({ images: "none" });
  pictures.show([picture, { data: Buffer.from("no picture").toString("base64"), mime_type: "image/png" }]);
  assert.deepEqual(
    (await drawn()).filter((row) => row !== ""),
    ["[picture: PNG, 60 × 60, 1 KB]"],
  );
  tui.stop();
});

test("a picture that the agent read is shown once; other reads and files that are gone show nothing", async (t) => {
  const folder = temporaryFolder(t, {
    "shot.png": pngPicture(60, 60),
    "notes.md": "text",
    "wrong.png": "no picture",
  });
  const { terminal, tui, drawn, pictures } = screenWith({ images: "iterm2" });
  const call = (id: string, path: string, status: "ok" | "running") => ({
    ...startedCall(id, { tool_call_id: id, tool: "look", arguments: { path }, traits: ["reads"] }),
    status,
  });
  const items = [
    call("a", "shot.png", "ok"),
    call("b", "notes.md", "ok"),
    call("c", "wrong.png", "ok"),
    call("d", "gone.png", "ok"),
    call("e", "shot.png", "running"),
  ];
  await pictures.showRead(items, folder);
  await pictures.showRead(items, folder);
  await drawn();
  assert.equal(terminal.writes.join("").split("]1337;File=").length - 1, 1);
  const plain = screenWith({ images: "none" });
  await plain.pictures.showRead(items, folder);
  assert.deepEqual(
    (await plain.drawn()).filter((row) => row !== ""),
    [],
    "the call's own row says it",
  );
  plain.tui.stop();
  tui.stop();
});
