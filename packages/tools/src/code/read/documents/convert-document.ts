// Documents of offices and libraries as text with Markdown's marks. Runs in a process of its own (read/apart.ts): what it
// throws ends there and becomes the reason that the reader is told.

export const documentExtensions = [".pdf", ".docx", ".xlsx", ".pptx", ".epub", ".rtf"] as const;

export type DocumentExtension = (typeof documentExtensions)[number];

export interface DocumentJob {
  readonly extension: DocumentExtension;
  readonly bytes: Uint8Array;
}

/** Characters; far more than anyone reads, and little enough to hold and to page through. */
const maxCharacters = 20 * 1024 * 1024;

export async function convertDocument({ extension, bytes }: DocumentJob): Promise<string> {
  const text = await convert(extension, bytes);
  const trimmed = text
    .replace(/\r\n?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  const clean = `${trimmed || "(no text)"}\n`;
  if (clean.length <= maxCharacters) return clean;
  return `${clean.slice(0, maxCharacters)}\n[The rest is left out: ${clean.length} characters in all]\n`;
}

async function convert(extension: DocumentExtension, bytes: Uint8Array): Promise<string> {
  switch (extension) {
    case ".pdf":
      return (await import("./pdf.ts")).pdfText(bytes);
    case ".docx":
      return (await import("./docx.ts")).docxMarkdown(bytes);
    case ".xlsx":
      return (await import("./xlsx.ts")).xlsxMarkdown(bytes);
    case ".pptx":
      return (await import("./pptx.ts")).pptxMarkdown(bytes);
    case ".epub":
      return (await import("./epub.ts")).epubMarkdown(bytes);
    case ".rtf":
      return (await import("./rtf.ts")).rtfText(bytes);
  }
}
