// Edits by the names of symbols, in a file that consists of 10,000 of them: the symbols are known from the read before, as
// they are when a model reads a file and then edits it.

import { symbolEdit } from "../packages/tools/src/code/edit/symbol/symbol-edit.ts";
import type { Bench } from "./bench.ts";
import { measureEdit } from "./edit-modes.ts";

const edits = [
  { op: "replace", symbol: "value4999", content: "const value4999 = changed();" },
  { op: "insert_after", symbol: "value8999", content: "const added = 1;" },
];

export const benches: readonly Bench[] = [
  {
    name: "edit/symbol",
    what: "an edit by names of two of 10,000 symbols, without writing it to disk",
    versus: "",
    goal: "under 5 ms",
    isReached: ({ value }) => value < 5,
    measure: () =>
      measureEdit({ mode: "symbol", tool: symbolEdit, input: () => ({ path: "file.ts", edits }) }),
  },
];
