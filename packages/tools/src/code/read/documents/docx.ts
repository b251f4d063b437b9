// A Word document as Markdown. Pictures are left out, other files are never looked at.

import mammoth from "mammoth";
import { officeParts, repacked } from "./document-parts.ts";
import { htmlMarkdown } from "./html-markdown.ts";

export async function docxMarkdown(bytes: Uint8Array): Promise<string> {
  const parts = await officeParts(bytes);
  if (![...parts.keys()].some((path) => /^word\/document\d*\.xml$/i.test(path))) {
    throw new Error("it has no text part of a Word document");
  }
  const { value } = await mammoth.convertToHtml(
    { buffer: await repacked(parts) },
    {
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
      styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"],
    },
  );
  // Links to notes lead nowhere in a text; their numbers stay.
  return htmlMarkdown(value, (link) => (link.startsWith("#") ? undefined : link));
}
