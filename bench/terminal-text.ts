// The width of rows in cells, beside string-width, which most programs of a terminal measure with.

import stringWidth from "string-width";
import { cellWidth } from "../packages/tui/src/text/width.ts";
import { wrapText } from "../packages/tui/src/text/wrap.ts";
import { type Bench, best, type Measured } from "./bench.ts";

const rowsOf = (make: (index: number) => string) => Array.from({ length: 20_000 }, (_, index) => make(index));

const kinds: Readonly<Record<string, { readonly what: string; readonly rows: readonly string[] }>> = {
  ascii: {
    what: "plain rows of code",
    rows: rowsOf((index) => `  const value${index} = compute(${index}, "text");`),
  },
  styled: {
    what: "rows with colours and a hyperlink",
    rows: rowsOf(
      (index) =>
        `\u001b[1m${index}\u001b[22m \u001b[38;2;90;120;${index % 256}mconst\u001b[39m x = \u001b]8;;file:///a${index}\u001b\\a.ts\u001b]8;;\u001b\\`,
    ),
  },
  latin: {
    what: "rows with accents",
    rows: rowsOf((index) => `Schöne Grüße aus Ångström, №${index}: naïve café … “quoted”`),
  },
  chinese: {
    what: "rows of Chinese",
    rows: rowsOf((index) => `第${index}行：人人生而自由，在尊严和权利上一律平等。`),
  },
  emoji: {
    what: "rows with emoji of several characters",
    rows: rowsOf((index) => `✅ ${index} 👨‍👩‍👧‍👦 done 🇩🇪 👍🏽 ❤️ 1️⃣`),
  },
};

async function measureKind(rows: readonly string[]): Promise<Measured> {
  const total = (measure: (row: string) => number) => rows.reduce((sum, row) => sum + measure(row), 0);
  const value = await best(5, () => total(cellWidth));
  const against = await best(5, () => total(stringWidth));
  return { value, unit: "ms", against, ratio: against / value };
}

const widths: readonly Bench[] = Object.entries(kinds).map(([name, { what, rows }]) => ({
  name: `terminal-text-${name}`,
  what: `the width of 20,000 ${what}`,
  versus: "string-width",
  goal: "at least as fast",
  isReached: ({ ratio }) => (ratio ?? 0) >= 1,
  measure: () => measureKind(rows),
}));

export const benches: readonly Bench[] = [
  ...widths,
  {
    name: "terminal-text-wrap",
    what: "5 MB of prose in one line, wrapped to 80 cells",
    versus: "",
    goal: "500 ms",
    isReached: ({ value }) => value <= 500,
    measure: async () => {
      const text = "The quick brown fox jumps over the lazy dog. ".repeat(112_000);
      return { value: await best(3, () => wrapText(text, 80)), unit: "ms", against: null, ratio: null };
    },
  },
];
