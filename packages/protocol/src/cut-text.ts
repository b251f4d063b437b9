// Long text by its beginning, never with half of a character (a surrogate pair) at the cut.

/** At most the first `most` UTF-16 units, and an ellipsis where there is more. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${beginningOf(text, most)}…`;
}

/** The same with a note of how much is missing. */
export function cutTextCounted(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = beginningOf(text, most);
  return `${start}… (${text.length - start.length} more characters)`;
}

export function beginningOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}
