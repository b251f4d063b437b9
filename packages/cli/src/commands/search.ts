// `stet search`: find by meaning, in the whole folder or in one file.

import { relative, resolve } from "node:path";
import { loadConfiguration } from "@stet/host/settings/configuration";
import { isTrusted } from "@stet/host/settings/trust";
import { Meanings } from "@stet/host/turn/meanings";
import type { Meaning, MeaningAnswer, MeaningDocument } from "@stet/meaning/meaning";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import { documentsForMeaning } from "@stet/tools/project/search-by-meaning";
import { fileTypeOf } from "@stet/workspace/documents/file-type";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { clearLine } from "../screen-text.ts";
import type { Terminal } from "../terminal.ts";
import { usage, withFolder } from "../with-folder.ts";

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
  return withFolder(context, async ({ workspace }) => {
    if (isFault(configuration)) return configuration;
    const meanings = new Meanings(workspace, configuration.settings, environment);
    try {
      const index = await meanings.index();
      if (isFault(index)) return index;
      let answer: MeaningAnswer & { readonly truncated: boolean };
      if (values.file === undefined) {
        const found = await documentsForMeaning(workspace, { glob: values.glob, signal });
        if (isFault(found)) return found;
        await indexAll(index, found.documents, context);
        const answered = await index.search(found.documents, query, { limit, signal });
        if (isFault(answered)) return answered;
        answer = { ...answered, truncated: found.truncated };
      } else {
        const path = relative(workspace.root.path, resolve(folder, values.file));
        const text = workspace.documents.peek(path);
        if (isFault(text)) return text;
        const document = { key: path, text, fileType: fileTypeOf(path) };
        const indexed = await index.index(document, {
          signal,
          urgent: true,
          onProgress: (done, total) => showProgress(terminal, done, total, "passages"),
        });
        if (isFault(indexed)) return indexed;
        const found = await index.search([document], query, { limit, signal });
        if (isFault(found)) return found;
        answer = { ...found, truncated: false };
      }
      if (values.json) terminal.json(answer);
      else show(answer, terminal);
      return exitCode.done;
    } finally {
      await meanings.close();
    }
  });
}

/** How long one search may index before it answers with what there is. */
const indexingTime = 20_000;

/** Indexes what was not yet, with a bar where somebody watches. What is left is told with the answer. */
async function indexAll(
  index: Meaning,
  documents: readonly MeaningDocument[],
  { terminal, signal }: CommandContext,
): Promise<void> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(indexingTime)]);
  for (const [done, document] of documents.entries()) {
    if (enough.aborted) break;
    showProgress(terminal, done, documents.length, "files");
    const indexed = await index.index(document, { signal: enough, urgent: true });
    if (isFault(indexed)) break;
  }
  showProgress(terminal, documents.length, documents.length, "files");
}

function showProgress({ isWatched, note }: Terminal, done: number, total: number, what: string): void {
  if (!isWatched || total === 0) return;
  const width = 30;
  const filled = Math.round((done / total) * width);
  const bar = `${"█".repeat(filled)}${"░".repeat(width - filled)}`;
  note(`${clearLine()}${done === total ? "" : `${bar} ${done} of ${total} ${what}`}`);
}

function show(
  { matches, status, indexed, total, truncated }: MeaningAnswer & { readonly truncated: boolean },
  terminal: Terminal,
): void {
  for (const { key, startLine, endLine, score, text } of matches) {
    const place = `${visibleName(key)}:${startLine + 1}-${endLine + 1}`;
    terminal.out(`${terminal.style("bold", place)}  ${terminal.style("dim", score.toFixed(2))}\n`);
    const lines = text.trim().split("\n").slice(0, 6);
    terminal.out(`${lines.map((line) => `  ${line}`).join("\n")}\n\n`);
  }
  if (matches.length === 0) terminal.out("Nothing like that was found.\n");
  if (truncated)
    terminal.note("There are more files than one search looks through; choose some with --glob.\n");
  if (status === "indexing") {
    terminal.note(`${indexed} of ${total} passages are indexed so far; search again for a better answer.\n`);
  }
}
