// /thinking: how much the model thinks before it answers, in this session.

import { thinkingLevels } from "@stet/protocol/model-stream";
import type { App } from "../app.ts";

export async function thinking(argument: string, app: App): Promise<void> {
  const current = app.conversation.choices.thinking ?? app.settings.thinking;
  const level = argument === "" ? await pick(current, app) : thinkingLevels.find((one) => one === argument);
  if (level === undefined) {
    if (argument !== "") app.tell(`Thinking is one of ${thinkingLevels.join(", ")}.`, "error");
    return;
  }
  const fault = await app.conversation.choose({ thinking: level });
  if (fault !== undefined) app.tellFault(fault);
  else app.tell(`Thinking is ${level} in this session.`);
}

export function completeThinking(word: string): readonly string[] {
  return thinkingLevels.filter((level) => level.startsWith(word));
}

function pick(current: string, app: App): Promise<(typeof thinkingLevels)[number] | undefined> {
  return app.dialogs.choose({
    title: "How much does the model think before it answers?",
    choices: thinkingLevels.map((level) => {
      return { value: level, label: level, ...(level === current ? { detail: "now" } : {}) };
    }),
    selected: Math.max(0, [...thinkingLevels].map(String).indexOf(current)),
  });
}
