// /copy: the last answer, or a block of code of it, onto the clipboard.

import type { App } from "../app.ts";

export async function copy(argument: string, app: App): Promise<void> {
  const answer = lastAnswer(app);
  if (answer === undefined) return app.tell("There is no answer yet that could be copied.");
  if (argument === "") return put(answer, "The last answer", app);
  const asked = /^code(?:\s+(?<which>\d+))?$/.exec(argument);
  if (asked === null) return app.tell("/copy, /copy code, or /copy code NUMBER", "error");
  const which = asked.groups?.which ?? "";
  const blocks = codeBlocks(answer);
  if (blocks.length === 0) return app.tell("The last answer has no block of code.", "warning");
  const number = which === "" ? blocks.length : Number(which);
  const block = blocks[number - 1];
  if (block === undefined) return app.tell(`The last answer has ${blocks.length} blocks of code.`, "warning");
  await put(block, blocks.length === 1 ? "The block of code" : `Block ${number} of ${blocks.length}`, app);
}

function lastAnswer({ conversation }: App): string | undefined {
  const item = conversation.items.findLast((one) => one.kind === "assistant" && one.text.trim() !== "");
  return item?.kind === "assistant" ? item.text : undefined;
}

/** Fences of any length; one that is open at the end counts, too. */
export function codeBlocks(markdown: string): string[] {
  const blocks: string[] = [];
  let open: { readonly fence: string; readonly lines: string[] } | undefined;
  for (const line of markdown.split("\n")) {
    const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (open === undefined) {
      if (fence !== undefined) open = { fence, lines: [] };
    } else if (fence?.startsWith(open.fence) && line.trim() === fence) {
      blocks.push(open.lines.join("\n"));
      open = undefined;
    } else open.lines.push(line);
  }
  if (open !== undefined) blocks.push(open.lines.join("\n"));
  return blocks;
}

async function put(text: string, what: string, app: App): Promise<void> {
  if (await app.copy(text)) app.tell(`${what} is on the clipboard.`);
  else app.tell("It is too long for the terminal's clipboard, and no program for it was found.", "warning");
}
