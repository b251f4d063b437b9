// Laws of the width engine on random text: a terminal emulator agrees with every width, and measuring, wrapping and cutting agree
// with each other, in cells and in style.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import headless from "@xterm/headless";
import fc from "fast-check";
import { stripAnsi } from "./ansi.ts";
import { Scanner } from "./graphemes.ts";
import { padCells, sliceCells, truncateCells } from "./slice.ts";
import { StyleState } from "./style-state.ts";
import { cellWidth, graphemes } from "./width.ts";
import { wrapText } from "./wrap.ts";

const terminal = new headless.Terminal({ cols: 400, rows: 3, allowProposedApi: true, scrollback: 0 });
terminal.loadAddon(new UnicodeGraphemesAddon());
terminal.unicode.activeVersion = "15-graphemes";

function write(text: string): Promise<void> {
  return new Promise((resolve) => terminal.write(text, resolve));
}

/** Characters on whose width the emulator's tables, which are of an older Unicode, and ours agree. */
const ranges: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa1, 0xac],
  [0xae, 0x2ff],
  [0x300, 0x36f],
  [0x370, 0x373],
  [0x400, 0x4ff],
  [0x5d0, 0x5ea],
  [0x620, 0x65f],
  [0x904, 0x94d],
  [0xe01, 0xe3a],
  [0x1100, 0x11ff],
  [0x2010, 0x2027],
  [0x2190, 0x21ff],
  [0x2500, 0x25ff],
  [0x2764, 0x2767],
  [0x3041, 0x3096],
  [0x4e00, 0x9fa5],
  [0xac00, 0xd7a3],
  [0xff01, 0xff9f],
  [0x1f1e6, 0x1f1ff],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6c5],
  [0x20000, 0x2a6d6],
];

const character = fc
  .constantFrom(...ranges)
  .chain(([first, last]) => fc.integer({ min: first, max: last }))
  .map((codePoint) => String.fromCodePoint(codePoint));
const cluster = fc.constantFrom(
  "👨‍👩‍👧‍👦",
  "🏳️‍🌈",
  "🇩🇪",
  "1️⃣",
  "❤️",
  "☺︎",
  "👍🏽",
  "e\u0301\u0323",
  "क्षि",
  "각",
  "ﾊﾟ",
  "漢字",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
);
const words = fc.constantFrom(" ", "  ", "word", "longer-word", "a b c ");
const style = fc.constantFrom(
  "\u001b[1m",
  "\u001b[22m",
  "\u001b[3;4m",
  "\u001b[4:3m",
  "\u001b[31m",
  "\u001b[38;5;99m",
  "\u001b[48;2;1;2;3m",
  "\u001b[39;49m",
  "\u001b[7m",
  "\u001b[0m",
  "\u001b[m",
);
const link = fc.constantFrom(
  "\u001b]8;;https://a.example\u001b\\",
  "\u001b]8;id=1;file:///b\u0007",
  "\u001b]8;;\u001b\\",
);
const plainText = fc
  .array(fc.oneof(character, cluster, words), { maxLength: 40 })
  .map((parts) => parts.join(""));
const styledText = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.oneof(cluster, words) }, style, link), { maxLength: 40 })
  .map((parts) => parts.join(""));

test("random text has the width that it takes in a terminal", async () => {
  const property = fc.asyncProperty(plainText, async (text) => {
    // A mark at the start has no cell before it to join.
    const row = `|${text}`;
    await write(`\u001b[1;1H${row}`);
    assert.equal(terminal.buffer.active.cursorX, cellWidth(row), JSON.stringify(row));
  });
  await fc.assert(property, { numRuns: runs(2000) });
});

test("a text that is cut in two looks in a terminal as it did whole, wide characters on the cut aside", async () => {
  const property = fc.asyncProperty(styledText, fc.nat(80), async (text, at) => {
    const width = cellWidth(text);
    const cut = Math.min(at, width);
    const left = sliceCells(text, 0, cut);
    const right = sliceCells(text, cut, width);
    assert.equal(cellWidth(left), cut);
    assert.equal(cellWidth(right), width - cut);
    await write(
      `\u001b[0m\u001b]8;;\u001b\\\u001b[2J\u001b[1;1H${text}\u001b[0m\u001b]8;;\u001b\\\u001b[2;1H${left}\u001b[3;1H${right}`,
    );
    const lines = [0, 1, 2].map((y) => terminal.buffer.active.getLine(y));
    for (let x = 0; x < width; x++) {
      const whole = lines[0]?.getCell(x);
      const piece = x < cut ? lines[1]?.getCell(x) : lines[2]?.getCell(x - cut);
      // A conjunct is one cluster of two cells.
      const isWide = whole?.getWidth() !== 1 || /\p{Script=Devanagari}/u.test(whole.getChars());
      const isCut = (x === cut - 1 || x === cut) && isWide;
      const seen = (cell: typeof whole) =>
        cell && [
          cell.getFgColor(),
          cell.getBgColor(),
          cell.isBold(),
          cell.isItalic(),
          cell.isUnderline(),
          cell.isInverse(),
        ];
      assert.deepEqual(
        seen(piece),
        seen(whole),
        `style of cell ${x} of ${JSON.stringify(text)} cut at ${cut}`,
      );
      if (!isCut) assert.equal(piece?.getChars(), whole?.getChars());
    }
  });
  await fc.assert(property, { numRuns: runs(1500) });
});

/** Every visible cluster with the style and link it is drawn in. */
function drawn(row: string): string[] {
  const state = new StyleState();
  const scanner = new Scanner(row);
  const found: string[] = [];
  while (scanner.next()) {
    if (scanner.kind === "escape") state.apply(scanner.token);
    else if (scanner.token !== " ") found.push(scanner.token + state.opening);
  }
  return found;
}

function isClosed(row: string): boolean {
  const state = new StyleState();
  const scanner = new Scanner(row);
  while (scanner.next()) if (scanner.kind === "escape") state.apply(scanner.token);
  return state.opening === "";
}

test("wrapped rows fit, are closed, and show everything in its style", () => {
  const property = fc.property(
    styledText,
    fc.integer({ min: 2, max: 30 }),
    fc.boolean(),
    (text, width, keepsIndentation) => {
      const rows = wrapText(text, width, { keepsIndentation });
      for (const row of rows) {
        assert.ok(cellWidth(row) <= width, `${JSON.stringify(row)} in ${width}`);
        assert.ok(isClosed(row), JSON.stringify(row));
      }
      assert.deepEqual(rows.flatMap(drawn), drawn(text));
    },
  );
  fc.assert(property, { numRuns: runs(4000) });
});

test("truncated and padded text has its width, is closed, and is itself where it fits", () => {
  const property = fc.property(styledText, fc.nat(30), (text, width) => {
    const short = truncateCells(text, width);
    assert.ok(cellWidth(short) <= width);
    if (cellWidth(text) <= width) assert.equal(short, width === 0 ? "" : text);
    else assert.ok(isClosed(short), JSON.stringify(short));
    assert.equal(cellWidth(padCells(short, width)), width);
    assert.equal([...graphemes(text)].join(""), text);
    assert.equal(cellWidth(stripAnsi(text)), cellWidth(text));
  });
  fc.assert(property, { numRuns: runs(4000) });
});

const large: Readonly<Record<string, string>> = {
  "one line of words": "lorem ipsum ".repeat(420_000),
  "one word": "x".repeat(5_000_000),
  "sequences that never end": "\u001b]8;;".repeat(1_000_000),
  "marks on one letter": `a${"\u0301".repeat(5_000_000)}`,
  emoji: "👨‍👩‍👧‍👦".repeat(200_000),
  Chinese: "漢字".repeat(1_000_000),
  "a style for each letter": "\u001b[31mx\u001b[0m".repeat(400_000),
  lines: "line\n".repeat(1_000_000),
  tabs: "\tx".repeat(1_000_000),
};

for (const [name, text] of Object.entries(large)) {
  // What reads a text twice for each of its characters would not end here.
  test(`5 MB of ${name} are measured, wrapped and cut`, { timeout: 60_000 }, () => {
    const width = cellWidth(text);
    const rows = wrapText(text, 80);
    assert.ok(rows.length >= 1);
    assert.ok(cellWidth(rows.at(-1) ?? "") <= 80);
    assert.ok(cellWidth(truncateCells(text, 80)) <= 80);
    assert.equal(cellWidth(sliceCells(text, Math.floor(width / 2), width)), width - Math.floor(width / 2));
    assert.ok(stripAnsi(text).length <= text.length);
  });
}
