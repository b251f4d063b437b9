// A table in Markdown, the first row as its head.

export function markdownTable(rows: readonly (readonly string[])[]): string {
  const [head, ...body] = rows;
  if (head === undefined) return "";
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => cell(row[index] ?? "")).join(" | ")} |`;
  const rule = `| ${Array.from({ length: width }, () => "---").join(" | ")} |`;
  return [line(head), rule, ...body.map(line)].join("\n");
}

function cell(text: string): string {
  return text
    .replaceAll("|", "\\|")
    .replace(/\s*[\r\n]+\s*/g, "<br>")
    .trim();
}
