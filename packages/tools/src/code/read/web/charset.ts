// Bytes of a page as text: in the encoding that it announces, in its header, by a mark at its start or in its own text.

/** `text/html` of `text/html; charset=x`. */
export function mimeTypeOf(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}

export function decodePage(bytes: Buffer, contentType: string): string {
  return decoderFor(bytes, contentType).decode(bytes);
}

function decoderFor(bytes: Buffer, contentType: string): { decode(bytes: Buffer): string } {
  const start = bytes.subarray(0, 4096).toString("latin1");
  const names = [markOf(bytes), announced(contentType), declared(start), "utf-8"];
  for (const name of names) {
    if (name === undefined) continue;
    try {
      return new TextDecoder(name);
    } catch {
      // An encoding that does not exist; the next best is tried.
    }
  }
  return new TextDecoder();
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

function announced(contentType: string): string | undefined {
  return /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1];
}

function declared(start: string): string | undefined {
  const meta = /<meta[^>]+charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(start)?.[1];
  return meta ?? /^<\?xml[^>]+encoding\s*=\s*["']([^"']+)/i.exec(start)?.[1];
}
