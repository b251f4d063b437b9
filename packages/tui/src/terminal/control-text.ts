// Text that goes into a control string (a title, a notification): no control character, which would end the string and let the
// rest of it steer the terminal.

export function controlText(text: string, maxLength: number): string {
  const plain = Array.from(text.slice(0, maxLength * 2), (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 || (code >= 0x7f && code < 0xa0) ? " " : character;
  }).join("");
  const single = plain.replace(/ {2,}/g, " ").trim();
  return single.length > maxLength ? `${single.slice(0, maxLength - 1)}…` : single;
}
