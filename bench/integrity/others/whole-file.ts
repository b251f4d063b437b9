// The whole file is written anew from what was seen: whatever happened since is gone.

import { carryOut } from "../intents.ts";
import type { TextRules } from "../rule-set.ts";

export const wholeFile: TextRules<string> = {
  name: "whole file",
  about: "The model writes the whole file; it replaces what is there.",
  source: "the `whole` edit format of aider, and every `write_file` tool",
  write(one) {
    // Nobody can write the whole of a file that they have seen a part of.
    if (one.view.kind === "window" || (one.slip !== "none" && one.slip !== "abbreviated")) return undefined;
    const file = carryOut(one.intent, one.seen, one.seen, () => 0);
    if (file === undefined) return undefined;
    // Models write plain text: line ends and the mark are lost where the tool does not keep them.
    const lines = file.lines.map(({ text }) => text);
    if (one.slip === "abbreviated") {
      if (lines.length < 40) return undefined;
      lines.splice(10, lines.length - 20, "…");
    }
    return `${lines.join("\n")}\n`;
  },
  apply: (_, written) => ({ kind: "applied", content: written }),
};
