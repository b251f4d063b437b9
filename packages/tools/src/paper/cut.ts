/** Long texts are shown by their beginning, with a note that says how much is missing. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Never half of a surrogate pair.
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
