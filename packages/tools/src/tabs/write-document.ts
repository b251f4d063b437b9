import { defineTool, type Tool } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { countLines } from "@stet/text/lines";
import * as z from "zod";
import { previewWords } from "../call-words.ts";
import { abbreviatedChange } from "../locate/abbreviated.ts";
import { prompt } from "../prompt.ts";
import type { LineSpan } from "../sight/spans.ts";
import { confirmHint, removeUnseen } from "../sight/unseen-text.ts";
import { spanNames, tabAt, tabId, tabIn, version } from "./tab-in.ts";
import type { TabsContext } from "./tabs-context.ts";

/** How many ranges that were not read are listed. */
const maxListed = 20;

export function writeDocument(context: TabsContext): Tool {
  const { turn, sight } = context;
  return defineTool({
    name: "write_document",
    description: prompt(import.meta.url, "write_document"),
    traits: ["edits", "exclusive"],
    words: ({ dry_run }) => previewWords("Write the whole document", dry_run),
    schema: z.object({
      version,
      content: z.string().describe("The complete new text"),
      tab_id: tabId,
      remove_unseen: removeUnseen,
    }),
    async execute({ version, content, tab_id, remove_unseen = false }) {
      const tab = tabAt(context, tab_id, version);
      if (isFault(tab)) return tab;
      const { document, history } = tab;
      const unread = remove_unseen ? [] : sight.unknown(tab);
      if (unread.length > 0) return partlyRead(unread, countLines(history.text));
      const request = {
        revision: history.revision,
        policy: { kind: "strict" },
        edits: [{ op: "set", content }],
        rewrite: true,
      } as const;
      const report = await turn.step(() => {
        const staged = turn.edit(document, request);
        const after = isFault(staged) ? staged : turn.read(document);
        return (isFault(after) ? after : abbreviatedChange(tab.info.title, after)) ?? staged;
      });
      if (isFault(report)) return report;
      const now = tabIn(context, tab.info.tab_id);
      if (isFault(now)) return now;
      const current = countLines(now.history.text);
      sight.wroteAll(now);
      const told = {
        tab_id: now.info.tab_id,
        version: now.info.version,
        status: "success",
        lines_affected: { previous: countLines(history.text), current },
      };
      return { content: told, details: told };
    },
  });
}

function partlyRead(unread: readonly LineSpan[], total: number): Fault {
  const count = unread.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  const listed = unread.slice(0, maxListed);
  const more = unread.length > listed.length ? ` and ${unread.length - listed.length} more ranges` : "";
  return new Fault(
    "partly_read",
    `You have not seen ${count} of the document's ${total} lines in this turn (${spanNames(listed)}${more}), ` +
      "and writing the document would replace them unseen. Nothing was changed.",
    "Read these lines first with read_document; or change only what you have read, with replace_lines, insert_lines or " +
      `delete_lines; ${confirmHint}.`,
    {
      unread_lines: count,
      document_lines: total,
      unread_ranges: listed.map(({ start, end }) => ({ start_line: start, end_line: end })),
      unread_ranges_total: unread.length,
    },
  );
}
