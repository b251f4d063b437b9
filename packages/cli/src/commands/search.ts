// `stet search`: find by meaning, in the whole folder or in one file.

import { relative, resolve } from "node:path";
import { isFault } from "@stet/protocol/fault";
import { loadConfiguration } from "@stet/server/settings/configuration";
import { isTrusted } from "@stet/server/settings/trust";
import { Meanings } from "@stet/server/turn/meanings";
import { searchByMeaning } from "@stet/tools/project/search-by-meaning";
import { fileTypeOf } from "@stet/workspace/file-type";
import type { MeaningAnswer } from "@stet/workspace/meaning/meaning";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printable, type Terminal } from "../terminal.ts";
import { usage, withWorkspace } from "../with-workspace.ts";

export async function search(
  { values, positionals }: WordsOf<"search">,
  context: CommandContext,
): Promise<number> {
  const query = positionals.join(" ").trim();
  const limit = Number(values.limit);
  if (query === "") return usage(context, 'Say what to look for: stet search "the scene where …".');
  const { folder, root, environment, terminal, signal } = context;
  const configuration = loadConfiguration({
    folder: root,
    environment,
    isTrusted: isTrusted(root, environment),
  });
  return withWorkspace(context, async (workspace) => {
    if (isFault(configuration)) return configuration;
    const meanings = new Meanings(workspace, configuration.settings, environment);
    try {
      const index = await meanings.index();
      if (isFault(index)) return index;
      let answer: MeaningAnswer;
      if (values.file === undefined) {
        const found = await searchByMeaning(workspace, index, { query, glob: values.glob, limit, signal });
        if (isFault(found)) return found;
        answer = found;
      } else {
        const path = relative(workspace.root.path, resolve(folder, values.file));
        const text = workspace.documents.peek(path);
        if (isFault(text)) return text;
        const document = { key: path, text, fileType: fileTypeOf(path) };
        const indexed = await index.index(document, {
          signal,
          urgent: true,
          onProgress: (done, total) => showProgress(terminal, done, total),
        });
        if (isFault(indexed)) return indexed;
        const found = await index.search([document], query, { limit, signal });
        if (isFault(found)) return found;
        answer = found;
      }
      if (values.json) terminal.out(`${JSON.stringify(answer)}\n`);
      else show(answer, terminal);
      return exitCode.done;
    } finally {
      await meanings.close();
    }
  });
}

function showProgress({ isWatched, note }: Terminal, done: number, total: number): void {
  if (!isWatched || total === 0) return;
  const width = 30;
  const filled = Math.round((done / total) * width);
  const bar = `${"█".repeat(filled)}${"░".repeat(width - filled)}`;
  note(`\r\u001b[2K${done === total ? "" : `${bar} ${done} of ${total} passages`}`);
}

function show({ matches, status, indexed, total }: MeaningAnswer, terminal: Terminal): void {
  for (const { key, startLine, endLine, score, text } of matches) {
    const place = `${key}:${startLine + 1}-${endLine + 1}`;
    terminal.out(`${terminal.style("bold", place)}  ${terminal.style("dim", score.toFixed(2))}\n`);
    const lines = text.trim().split("\n").slice(0, 6);
    terminal.out(`${lines.map((line) => `  ${printable(line)}`).join("\n")}\n\n`);
  }
  if (matches.length === 0) terminal.out("Nothing like that was found.\n");
  if (status === "indexing") {
    terminal.note(`${indexed} of ${total} passages are indexed so far; search again for a better answer.\n`);
  }
}
