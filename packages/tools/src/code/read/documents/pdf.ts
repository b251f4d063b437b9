// The text of a PDF, page by page. Scripts in it are not run, and nothing that it names is fetched.

import { startsWith } from "./document-parts.ts";

const maxPages = 5000;

export async function pdfText(bytes: Uint8Array): Promise<string> {
  // Some programs write something before the header; readers allow it within the first kilobyte.
  const start = Buffer.from(bytes.subarray(0, 1024)).indexOf("%PDF-");
  if (start < 0) throw new Error(startsWith(bytes, "504b0304") ? "it is a ZIP file" : "it is not a PDF");
  const { getDocumentProxy } = await import("unpdf");
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch((error: unknown) => {
    throw new Error(reasonOf(error));
  });
  const pages: string[] = [];
  for (let number = 1; number <= Math.min(document.numPages, maxPages); number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(`## Page ${number}\n\n${linesOf(items) || "(no text; it may be a picture)"}`);
    page.cleanup();
  }
  if (document.numPages > maxPages) pages.push(`[${document.numPages - maxPages} more pages are left out]`);
  return pages.join("\n\n");
}

/** Pieces of text as lines: a piece says whether its line ends with it. */
function linesOf(items: readonly object[]): string {
  let text = "";
  for (const item of items) {
    if (!("str" in item) || typeof item.str !== "string") continue;
    text += item.str;
    if ("hasEOL" in item && item.hasEOL === true) text += "\n";
  }
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") return "it is encrypted and needs a password";
  if (name === "InvalidPDFException") return "it is damaged or cut off";
  return error instanceof Error ? error.message : String(error);
}
