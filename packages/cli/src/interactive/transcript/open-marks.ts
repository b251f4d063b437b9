// Marks of Markdown that were opened in text that is still being written, closed: words that will be bold are bold from their
// first letter on, and no star comes and goes.

/** The text with the marks closed that its last paragraph leaves open; those at its very end may still become others. */
export function withClosedMarks(text: string): string {
  const start = Math.max(text.lastIndexOf("\n\n"), 0);
  // Code is as it was written.
  if (text.includes("```", start)) return text;
  const whole = text.replace(/[*~`]+$/, "");
  const paragraph = whole.slice(start).trimEnd();
  if ((paragraph.match(/`/g)?.length ?? 0) % 2 === 1) return `${whole.trimEnd()}\``;
  const plain = paragraph.replace(/`[^`]*`/g, "").replace(/\\./g, "");
  let closed = "";
  for (const mark of ["~~", "**"]) if (isOpen(plain, mark)) closed = mark + closed;
  if (isOpen(plain.replaceAll("**", ""), "*")) closed = `*${closed}`;
  return closed === "" ? whole : whole.trimEnd() + closed;
}

/** Whether a mark was opened that nothing closed: openers stand before a word, closers behind one. */
function isOpen(text: string, mark: string): boolean {
  let isInside = false;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    const before = text[at - 1] ?? " ";
    const after = text[at + mark.length] ?? " ";
    if (isInside && /\S/.test(before)) isInside = false;
    else if (!isInside && /\S/.test(after)) isInside = true;
  }
  return isInside;
}
