// A turn that changes a thousand places in fifty files.

import { hashText } from "@stet/text/hash";
import { askAgent } from "./ask-agent.ts";
import type { BrowserFixture, BrowserFixtureOptions } from "./browser.ts";

export const paragraph = (index: number) => `Paragraph ${index}: Tobias walked along the pier for a while.\n`;
const chapter = Array.from({ length: 20 }, (_, index) => paragraph(index)).join("\nAnother line.\n\n");
const names = Array.from({ length: 50 }, (_, index) => `part-${index}.md`);

/** One call that writes a file anew; the changes are found from what differs. */
const renamed = (file_path: string) => ({
  name: "edit_file",
  arguments: {
    file_path,
    operation: "replace",
    start_line: 1,
    end_line: chapter.split("\n").length - 1,
    new_text: chapter.replaceAll("Tobias", "Elias"),
    expected_hash: hashText(chapter.replace(/\n$/, "")),
  },
});

/** The room in which it can be made. */
export const largeReview: BrowserFixtureOptions = {
  files: Object.fromEntries(names.map((name) => [name, chapter])),
  script: [{ toolCalls: names.map(renamed), chunkSize: 4096 }, { text: "Done." }],
};

export function makeLargeReview(fixture: BrowserFixture): Promise<string> {
  return askAgent(fixture, "Rename Tobias to Elias everywhere");
}
