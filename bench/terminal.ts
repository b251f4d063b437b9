// The terminal renderer beside the ones that others use: pi-tui and ink, installed from npm into a temporary folder when they
// are first needed, and left out where that fails. Every program streams the same workload (terminal-workload.ts).

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { simulateTerminal } from "../packages/testkit/src/terminal-simulation.ts";
import { Tui } from "../packages/tui/src/renderer/tui.ts";
import { Transcript } from "../packages/tui/src/transcript/transcript.ts";
import type { Bench } from "./bench.ts";
import { Bottom, CountingTerminal, StreamBlock, TextBlock } from "./terminal-parts.ts";
import { startToPrompt } from "./terminal-start.ts";
import { columns, messageText, rows, type StreamResult, token } from "./terminal-workload.ts";

const peers = { "pi-tui": "@earendil-works/pi-tui@0.87.1", ink: "ink@6.8.0" };
const peerFolder = join(tmpdir(), "stet-terminal-peers");

let installed: boolean | undefined;

function hasPeers(): boolean {
  if (installed !== undefined) return installed;
  try {
    if (!existsSync(join(peerFolder, "node_modules/ink"))) {
      mkdirSync(peerFolder, { recursive: true });
      writeFileSync(join(peerFolder, "package.json"), "{}");
      process.stderr.write(`Installing ${Object.values(peers).join(", ")} below ${peerFolder}\n`);
      const args = [
        "install",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        "react@19",
        ...Object.values(peers),
      ];
      execFileSync("npm", args, { cwd: peerFolder, stdio: "ignore" });
    }
    installed = true;
  } catch {
    process.stderr.write("The other renderers could not be installed from npm: ours is measured alone.\n");
    installed = false;
  }
  return installed;
}

function child(file: string, ...args: string[]): string {
  const path = join(import.meta.dirname, file);
  const options = ["--expose-gc", "--disable-warning=ExperimentalWarning", path, ...args];
  return execFileSync(process.execPath, options, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function streamed(program: string, blocks = 10_000): StreamResult {
  const output = child("terminal-stream-child.ts", program, peerFolder, String(blocks));
  const line = output.split("\n").findLast((each) => each.startsWith("{"));
  return JSON.parse(line ?? "{}");
}

const results = new Map<string, StreamResult>();

function resultOf(program: string): StreamResult {
  const known = results.get(program) ?? streamed(program);
  results.set(program, known);
  return known;
}

/** The least of the peers. All are printed, since one number does not tell which. */
function against(what: string, read: (result: StreamResult) => number): number | null {
  if (!hasPeers()) return null;
  const values = Object.keys(peers).map((peer) => [peer, read(resultOf(peer))] as const);
  process.stderr.write(
    `${what}: ${values.map(([peer, value]) => `${peer} ${value.toFixed(2)}`).join(", ")}\n`,
  );
  return Math.min(...values.map(([, value]) => value));
}

/** Milliseconds of CPU for a frame in which a token came, with so many blocks behind it. */
function cpuPerFrame(blocks: number): number {
  const frames = 3000;
  const tui = new Tui(new CountingTerminal());
  const transcript = new Transcript();
  const bottom = new Bottom();
  for (let index = 0; index < blocks; index++) transcript.add(new TextBlock(messageText(index)));
  tui.add(transcript);
  tui.add(bottom);
  tui.setFocus(bottom);
  tui.start();
  tui.flush();
  let answer = new StreamBlock();
  transcript.add(answer);
  let text = "";
  const draw = (index: number) => {
    // Answers have a length; the next one begins behind them.
    if (index % 500 === 499) {
      answer.isFinal = true;
      answer = new StreamBlock();
      transcript.add(answer);
      text = "";
    }
    text += token(index);
    answer.setText(text);
    bottom.milliseconds = index * 20;
    tui.requestRender();
    tui.flush();
  };
  for (let index = 0; index < 500; index++) draw(index);
  const before = process.cpuUsage();
  for (let index = 500; index < 500 + frames; index++) draw(index);
  const { user, system } = process.cpuUsage(before);
  tui.stop();
  return (user + system) / 1000 / frames;
}

/** Milliseconds of CPU, with the components laid out anew: the clock of a busy machine says little. */
function replay(): number {
  const tui = new Tui(new CountingTerminal());
  const transcript = new Transcript();
  for (let index = 0; index < 5000; index++) transcript.add(new TextBlock(messageText(index)));
  tui.add(transcript);
  tui.add(new Bottom());
  tui.start();
  tui.flush();
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 8; run++) {
    const before = process.cpuUsage();
    tui.resetDisplay();
    tui.flush();
    const { user, system } = process.cpuUsage(before);
    shortest = Math.min(shortest, (user + system) / 1000);
  }
  tui.stop();
  return shortest;
}

/** From a key written to the pty to the first byte of its echo, the slowest but one of a hundred. */
async function keyLatency(): Promise<number> {
  const path = join(import.meta.dirname, "terminal-key-child.ts");
  const terminal = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", path], {
    cols: columns,
    rows,
    env: { ...process.env, STET_FORCE_SYNC_OUTPUT: "1" },
  });
  let waiting: { readonly key: string; readonly found: () => void } | undefined;
  const isDrawn = Promise.withResolvers<void>();
  terminal.onData((data) => {
    if (data.includes("Working")) isDrawn.resolve();
    if (waiting !== undefined && data.includes(waiting.key)) waiting.found();
  });
  await isDrawn.promise;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const times: number[] = [];
  for (let index = 0; index < 300; index++) {
    // Letters that the streamed text does not have.
    const key = String.fromCharCode(0x0391 + (index % 16));
    const started = performance.now();
    await new Promise<void>((resolve) => {
      waiting = { key, found: resolve };
      setTimeout(resolve, 2000);
      terminal.write(key);
    });
    times.push(performance.now() - started);
    waiting = undefined;
    await new Promise((resolve) => setTimeout(resolve, 13));
  }
  const isOver = new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  // A program that draws takes its time to leave after SIGHUP, or stays: nobody reads what it would write then.
  terminal.kill("SIGKILL");
  await isOver;
  times.sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

function bench(
  name: string,
  what: string,
  versus: string,
  goal: string,
  rest: Omit<Bench, "name" | "what" | "versus" | "goal">,
): Bench {
  return { name: `terminal/${name}`, what, versus, goal, ...rest };
}

const others = "the better one of pi-tui and ink";

export const benches: readonly Bench[] = [
  bench(
    "bytes",
    "bytes for each streamed token of 4 bytes, 10,000 blocks behind it, spinner, status and frame brackets included",
    others,
    "at most 66 bytes (1.5 times the token, and 60), and less than every peer",
    {
      isReached: ({ value, ratio }) => value <= 66 && (ratio === null || ratio < 1),
      measure() {
        const value = resultOf("ours").bytesPerToken;
        const other = against("bytes for each token", (result) => result.bytesPerToken);
        return { value, unit: "bytes", against: other, ratio: other === null ? null : value / other };
      },
    },
  ),
  bench(
    "frame",
    "CPU for a frame with 10,000 blocks behind it",
    "with 100 blocks",
    "at most 1 ms, and the same (ratio up to 1.3)",
    {
      isReached: ({ value, ratio }) => value <= 1 && (ratio === null || ratio < 1.3),
      measure() {
        const few = Math.min(cpuPerFrame(100), cpuPerFrame(100));
        const value = Math.min(cpuPerFrame(10_000), cpuPerFrame(10_000));
        return { value, unit: "ms", against: few, ratio: value / few };
      },
    },
  ),
  bench(
    "frame-peers",
    "CPU of the whole process for a frame, in real time, 10,000 blocks behind it",
    others,
    "less than every peer",
    {
      isReached: ({ ratio }) => ratio === null || ratio < 1,
      measure() {
        const value = resultOf("ours").cpuMsPerFrame;
        const other = against("CPU for each frame, ms", (result) => result.cpuMsPerFrame);
        return { value, unit: "ms", against: other, ratio: other === null ? null : value / other };
      },
    },
  ),
  bench("replay", "CPU for a full paint of 10,000 rows", "", "at most 150 ms", {
    isReached: ({ value }) => value <= 150,
    measure() {
      return { value: replay(), unit: "ms", against: null, ratio: null };
    },
  }),
  bench(
    "lost-rows",
    "scripts of 1,000 random ones in which a row is lost, or twice although components kept the contract",
    "",
    "none",
    {
      isReached: ({ value }) => value === 0,
      async measure() {
        let value = 0;
        for (let seed = 1; seed <= 1000; seed++) {
          const isWrong = await simulateTerminal(seed, 20).then(
            ({ isClean, isResized, repeats }) => isClean && !isResized && repeats > 0,
            () => true,
          );
          if (isWrong) value++;
        }
        return { value, unit: "scripts", against: null, ratio: null };
      },
    },
  ),
  bench("memory", "heap after 1,000 turns of 20 blocks", "after 200 turns", "at most 1.15 times", {
    isReached: ({ ratio }) => ratio !== null && ratio <= 1.15,
    measure() {
      const [few, many]: [number, number] = JSON.parse(child("terminal-memory-child.ts"));
      return { value: many, unit: "MB", against: few, ratio: many / few };
    },
  }),
  bench(
    "key",
    "a key written to a pty to its echo while 500 tokens a second stream, p99 of 300",
    "",
    "at most 16 ms",
    {
      isReached: ({ value }) => value <= 16,
      async measure() {
        return { value: await keyLatency(), unit: "ms", against: null, ratio: null };
      },
    },
  ),
  bench("start", "from the start of the packed program to the echo of the first key", "", "at most 150 ms", {
    isReached: ({ value }) => value <= 150,
    async measure() {
      return { value: await startToPrompt(), unit: "ms", against: null, ratio: null };
    },
  }),
];
