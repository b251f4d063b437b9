// /init: a turn that writes AGENTS.md, which every later turn is given.

import { readFileSync } from "node:fs";
import type { App } from "../app.ts";

export async function init(argument: string, app: App): Promise<void> {
  const prompt = readFileSync(new URL("./init.md", import.meta.url), "utf8").trim();
  const fault = await app.conversation.send(argument === "" ? prompt : `${prompt}\n\n${argument}`);
  if (fault !== undefined) app.tellFault(fault);
}
