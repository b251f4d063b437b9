// Answers of terminals, fed byte by byte between keys: the keys arrive, and nothing of an answer does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { InputBuffer } from "./input-buffer.ts";
import { parseKey } from "./keys.ts";
import { type ProbeKind, type ProbeResult, Probes } from "./probes.ts";
import { luminance, parseColour, parseReport } from "./reports.ts";

function asking(kinds: readonly ProbeKind[], timeoutMs = 1000) {
  const keys: string[] = [];
  const results: ProbeResult[] = [];
  const written: string[] = [];
  const probes = new Probes(
    (text) => written.push(text),
    (result) => results.push(result),
    timeoutMs,
  );
  const buffer = new InputBuffer({
    onSequence: (sequence) => {
      const report = parseReport(sequence);
      if (report !== undefined) probes.answer(report);
      else keys.push(parseKey(sequence)?.id ?? "unknown");
    },
    onPaste: (text) => keys.push(`paste:${text}`),
  });
  buffer.expectsReply = true;
  probes.ask(...kinds);
  const feed = (text: string): void => {
    for (const byte of Buffer.from(text)) buffer.push(Uint8Array.of(byte));
  };
  return { keys, results, written, probes, buffer, feed };
}

const attributes = "\u001b[?62;4;22c";

const answers: readonly (readonly [ProbeKind, string, ProbeResult["report"]])[] = [
  ["keyboard", "\u001b[?0u", { kind: "keyboard", flags: 0 }],
  [
    "background",
    "\u001b]11;rgb:1e1e/1e1e/2e2e\u001b\\",
    { kind: "background", colour: { red: 0x1e / 255, green: 0x1e / 255, blue: 0x2e / 255 } },
  ],
  [
    "background",
    "\u001b]11;rgb:ff/ff/ff\u0007",
    { kind: "background", colour: { red: 1, green: 1, blue: 1 } },
  ],
  ["synchronizedOutput", "\u001b[?2026;2$y", { kind: "mode", mode: 2026, isKnown: true, isSet: false }],
  ["inBandResize", "\u001b[?2048;0$y", { kind: "mode", mode: 2048, isKnown: false, isSet: false }],
  ["appearanceReports", "\u001b[?2031;1$y", { kind: "mode", mode: 2031, isKnown: true, isSet: true }],
  ["notifications", "\u001b]99;i=stet-probe:p=?;a=focus:o=always\u001b\\", { kind: "notifications" }],
  ["graphics", "\u001b_Gi=2147483647;OK\u001b\\", { kind: "graphics", isOk: true }],
  ["graphics", "\u001b_Gi=2147483647;ENOENT:no\u001b\\", { kind: "graphics", isOk: false }],
  ["cellSize", "\u001b[6;20;10t", { kind: "cellSize", width: 10, height: 20 }],
];

for (const [kind, answer, report] of answers) {
  test(`${kind}: ${JSON.stringify(answer)} byte by byte leaks nothing`, () => {
    const { keys, results, probes, feed } = asking([kind]);
    feed(`x${answer}y${attributes}z`);
    assert.deepEqual(keys, ["x", "y", "z"]);
    assert.deepEqual(results, [{ kind, report }]);
    assert.equal(probes.isWaiting, false);
  });

  test(`${kind}: an answer that pauses in the middle leaks nothing`, async () => {
    const { keys, results, feed } = asking([kind]);
    const half = Math.ceil(answer.length / 2);
    feed(answer.slice(0, half));
    await delay(60);
    feed(`${answer.slice(half)}${attributes}z`);
    assert.deepEqual(keys, ["z"]);
    assert.deepEqual(results, [{ kind, report }]);
  });

  test(`${kind}: a terminal that does not know it says so by its attributes alone`, () => {
    const { keys, results, feed } = asking([kind]);
    feed(`${attributes}a`);
    assert.deepEqual(keys, ["a"]);
    assert.deepEqual(results, [{ kind, report: undefined }]);
  });
}

test("every question has its own DA1, and each DA1 ends the question at the head", () => {
  const { results, written, feed } = asking(["keyboard", "background", "synchronizedOutput"]);
  assert.equal(written.join("").split("\u001b[c").length - 1, 3);
  feed(`${attributes}\u001b]11;rgb:0/0/0\u0007${attributes}\u001b[?2026;1$y${attributes}`);
  assert.deepEqual(
    results.map(({ kind, report }) => [kind, report !== undefined]),
    [
      ["keyboard", false],
      ["background", true],
      ["synchronizedOutput", true],
    ],
  );
});

test("a terminal that never answers ends the wait; what comes late is used and leaks nothing", async () => {
  const { keys, results, probes, feed } = asking(["keyboard", "background"], 20);
  await delay(80);
  assert.equal(probes.isWaiting, false);
  assert.deepEqual(
    results.map(({ report }) => report),
    [undefined, undefined],
  );
  feed(`\u001b[?0u${attributes}\u001b]11;rgb:0/0/0\u0007${attributes}a`);
  assert.deepEqual(keys, ["a"]);
  assert.equal(results.length, 4);
});

test("half an answer is given up when a key begins: the key arrives", () => {
  const { keys, feed } = asking(["keyboard"]);
  feed("\u001b[?62;4\u001b[Aq");
  assert.deepEqual(keys, ["up", "q"]);
});

test("reports that nobody asked for are no keys; keys that look like them are", () => {
  const reports = [
    "\u001b[I",
    "\u001b[O",
    "\u001b[?997;1n",
    "\u001b[48;24;80;480;800t",
    "\u001b[>1;10;0c",
    "\u001b[12;40R",
    "\u001bP>|kitty\u001b\\",
    "\u001b]52;c;YQ==\u0007",
    "\u001b[?1;2S",
  ];
  for (const report of reports) assert.notEqual(parseReport(report), undefined, JSON.stringify(report));
  for (const key of [
    "\u001b[A",
    "\u001b[1;5R",
    "\u001b[R",
    "\u001bP",
    "\u001b]",
    "\u001b[97;5u",
    "\u001b[27;5;99~",
    "\u001b[200~",
    "x",
  ]) {
    assert.equal(parseReport(key), undefined, JSON.stringify(key));
  }
  assert.deepEqual(parseReport("\u001b[48;24;80;480;800t"), {
    kind: "resize",
    columns: 80,
    rows: 24,
    cellSize: { width: 10, height: 20 },
  });
});

test("luminance of a background", () => {
  const of = (text: string): number => luminance(parseColour(text) ?? { red: -1, green: -1, blue: -1 });
  assert.equal(of("rgb:ffff/ffff/ffff"), 1);
  assert.ok(of("#1e1e2e") < 0.05);
  assert.ok(of("rgb:fd/f6/e3") > 0.8);
  assert.equal(parseColour("rgb:zz/00/00"), undefined);
});
