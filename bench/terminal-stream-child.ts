// Streams the workload in one program and prints what it wrote as JSON: `ours`, `pi-tui FOLDER` or `ink FOLDER`, where the
// folder has the package installed. A process each, so that no program pays for another.

import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { Tui } from "../packages/tui/src/renderer/tui.ts";
import { Transcript } from "../packages/tui/src/transcript/transcript.ts";
import { Bottom, CountingTerminal, StreamBlock, TextBlock } from "./terminal-parts.ts";
import {
  bottomRows,
  columns,
  messageText,
  rows,
  type StreamResult,
  streamTokens,
} from "./terminal-workload.ts";

const [program = "ours", folder = "", blocksText = "10000", tokensText = "400"] = process.argv.slice(2);
const blocks = Number(blocksText);
const tokens = Number(tokensText);
const perSecond = 50;

interface Counted {
  bytes: number;
  writes: number;
}

/** Counts from when everything is on the screen. */
async function measure(
  counted: Counted,
  show: (answer: string, milliseconds: number) => void,
): Promise<StreamResult> {
  await new Promise((resolve) => setTimeout(resolve, 500));
  counted.bytes = 0;
  counted.writes = 0;
  const before = process.cpuUsage();
  await streamTokens(tokens, perSecond, show);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { user, system } = process.cpuUsage(before);
  return {
    bytesPerToken: counted.bytes / tokens,
    cpuMsPerFrame: (user + system) / 1000 / Math.max(1, counted.writes),
    writes: counted.writes,
  };
}

async function ours(): Promise<StreamResult> {
  const terminal = new CountingTerminal();
  const tui = new Tui(terminal);
  const transcript = new Transcript();
  const bottom = new Bottom();
  for (let index = 0; index < blocks; index++) transcript.add(new TextBlock(messageText(index)));
  const answer = new StreamBlock();
  transcript.add(answer);
  tui.add(transcript);
  tui.add(bottom);
  tui.setFocus(bottom);
  tui.start();
  return await measure(terminal, (text, milliseconds) => {
    answer.setText(text);
    bottom.milliseconds = milliseconds;
    tui.requestRender();
    // A frame for each token, however busy the machine is.
    tui.flush();
  });
}

interface PiTui {
  readonly TuiMainScreen: new (
    terminal: object,
    showHardwareCursor: boolean,
  ) => {
    addChild(component: object): void;
    setFocus(component: object): void;
    start(): void;
    requestRender(): void;
  };
  readonly Text: new (text: string, paddingX: number, paddingY: number) => { setText(text: string): void };
  readonly CURSOR_MARKER: string;
}

async function piTui(): Promise<StreamResult> {
  const pi: PiTui = await import(
    pathToFileURL(`${folder}/node_modules/@earendil-works/pi-tui/dist/index.js`).href
  );
  const counted: Counted = { bytes: 0, writes: 0 };
  const write = (text: string) => {
    counted.bytes += Buffer.byteLength(text);
    counted.writes++;
  };
  const terminal = {
    columns,
    rows,
    kittyProtocolActive: false,
    write,
    start() {},
    stop() {},
    async drainInput() {},
    moveBy: (lines: number) => write(`\u001b[${Math.abs(lines)}${lines > 0 ? "B" : "A"}`),
    hideCursor: () => write("\u001b[?25l"),
    showCursor: () => write("\u001b[?25h"),
    clearLine: () => write("\u001b[K"),
    clearFromCursor: () => write("\u001b[J"),
    clearScreen: () => write("\u001b[2J\u001b[H"),
    setTitle() {},
    setProgress() {},
  };
  const tui = new pi.TuiMainScreen(terminal, true);
  for (let index = 0; index < blocks; index++) tui.addChild(new pi.Text(messageText(index), 0, 0));
  const answer = new pi.Text("", 0, 0);
  let time = 0;
  const bottom = { focused: true, render: () => bottomRows(time, "", pi.CURSOR_MARKER), invalidate() {} };
  tui.addChild(answer);
  tui.addChild(bottom);
  tui.setFocus(bottom);
  tui.start();
  return await measure(counted, (text, milliseconds) => {
    answer.setText(text);
    time = milliseconds;
    tui.requestRender();
  });
}

interface Ink {
  readonly render: (element: object, options: object) => { rerender(element: object): void };
  readonly Text: object;
  readonly Static: object;
  readonly Box: object;
}

interface React {
  readonly createElement: (type: object, props: object | null, ...children: unknown[]) => object;
}

async function ink(): Promise<StreamResult> {
  const ink: Ink = await import(pathToFileURL(`${folder}/node_modules/ink/build/index.js`).href);
  const { default: react }: { default: React } = await import(
    pathToFileURL(`${folder}/node_modules/react/index.js`).href
  );
  const counted: Counted = { bytes: 0, writes: 0 };
  const stdout = Object.assign(new PassThrough(), { columns, rows, isTTY: true });
  stdout.on("data", (chunk: Buffer) => {
    counted.bytes += chunk.length;
    counted.writes++;
  });
  const messages = Array.from({ length: blocks }, (_, index) => messageText(index));
  const text = (value: string) => react.createElement(ink.Text, null, value);
  const history = react.createElement(ink.Static, { items: messages }, (message: string, key: number) =>
    react.createElement(ink.Text, { key }, message),
  );
  const view = (answer: string, milliseconds: number) =>
    react.createElement(
      ink.Box,
      { flexDirection: "column" },
      history,
      text(answer),
      ...bottomRows(milliseconds, "", "").map((row) => text(row === "" ? " " : row)),
    );
  const app = ink.render(view("", 0), { stdout, exitOnCtrlC: false, patchConsole: false });
  return await measure(counted, (answer, milliseconds) => app.rerender(view(answer, milliseconds)));
}

const result = program === "pi-tui" ? await piTui() : program === "ink" ? await ink() : await ours();
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
