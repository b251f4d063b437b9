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

const maxValueText = 500;
const maxValueItems = 20;

/** A value of JSON with long texts and lists by their beginning. */
export function briefValue(value: unknown): unknown {
  if (typeof value === "string") return cutText(value, maxValueText);
  if (Array.isArray(value)) return value.slice(0, maxValueItems).map(briefValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, briefValue(item)]));
}

/** The last UTF-16 units. */
export function endOf(text: string, most: number): string {
  return text.length <= most ? text : text.slice(-most).replace(/^[\udc00-\udfff]/, "");
}

export function beginningOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}
