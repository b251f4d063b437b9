// The words of a message, without pictures, thoughts, calls and notes for the model: for previews, searches and the input line.

interface Block {
  readonly type: string;
  readonly text?: unknown;
  readonly isNote?: unknown;
}

export function contentText(content: string | readonly Block[]): string {
  if (typeof content === "string") return content;
  const texts = content.flatMap((block) =>
    block.type === "text" && typeof block.text === "string" && block.isNote !== true ? block.text : [],
  );
  return texts.join("\n");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** One line of at most so many characters, without anything that could move a terminal's cursor. */
export function oneLine(text: string, maxCharacters: number): string {
  const line = text.replace(controls, " ").replace(/ +/g, " ").trim();
  if (line.length <= maxCharacters) return line;
  const characters = Array.from(line.slice(0, maxCharacters * 2));
  return `${characters.slice(0, maxCharacters - 1).join("")}…`;
}
