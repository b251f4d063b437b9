// /context: what fills the model's context, as a bar and in numbers.

import type { ContextPart } from "@stet/protocol/api/session-state";
import { isFault } from "@stet/protocol/fault";
import { numberText } from "@stet/protocol/number-text";
import { visibleName } from "@stet/protocol/visible";
import type { Component } from "@stet/tui/component";
import { wrapText } from "@stet/tui/text/wrap";
import type { App } from "../app.ts";
import type { TextToken, Theme } from "../theme/theme.ts";
import { columnRows } from "./columns.ts";

const looks: Readonly<Record<ContextPart["name"], { readonly words: string; readonly colour: TextToken }>> = {
  system: { words: "the toolset's own words", colour: "muted" },
  instructions: { words: "AGENTS.md and the like", colour: "syntaxString" },
  tools: { words: "what the tools say of themselves", colour: "syntaxKeyword" },
  summary: { words: "summaries", colour: "syntaxType" },
  messages: { words: "what was said", colour: "accent" },
  thinking: { words: "thinking", colour: "thinkingText" },
  calls: { words: "calls of tools", colour: "syntaxFunction" },
  results: { words: "results of tools, with what was read", colour: "warning" },
};

const widestBar = 60;

export interface ContextFacts {
  readonly parts: readonly ContextPart[];
  readonly tokens: number;
  readonly window: number | null;
  readonly instruction_files: readonly { readonly path: string; readonly tokens: number }[];
  readonly is_complete: boolean;
}

export async function context(app: App): Promise<void> {
  const id = await app.conversation.ensure();
  if (isFault(id)) return app.tellFault(id);
  const facts = await app.api.call("sessionContext", { params: { session_id: id } });
  if (isFault(facts)) return app.tellFault(facts);
  await app.dialogs.page("What fills the context", contextPage(facts, app.theme));
}

export function contextPage(facts: ContextFacts, theme: Theme): Component {
  return { render: (width) => contextRows(facts, theme, width) };
}

function contextRows(facts: ContextFacts, theme: Theme, width: number): string[] {
  const { parts, tokens, window, instruction_files: files, is_complete: isComplete } = facts;
  const whole = Math.max(window ?? tokens, tokens, 1);
  const share = (count: number) => {
    const percent = Math.round((count / whole) * 100);
    return percent === 0 && count > 0 ? "<1 %" : `${percent} %`;
  };
  const longest = numberText(whole).length;
  const left = (count: number) =>
    `${numberText(count).padStart(longest)}${window === null ? "" : share(count).padStart(6)}`;
  const free = whole - tokens;
  const pairs = parts.map(({ name, tokens: count }): [string, string] => {
    return [left(count), looks[name].words];
  });
  if (window !== null) pairs.push([left(free), "free"]);
  const notes = [
    ...files.map(({ path, tokens: count }) => `${visibleName(path)}: ${numberText(count)}`),
    ...(window === null ? ["How much the model takes is not known."] : []),
    ...(isComplete ? [] : ["The toolset's own words and its tools are counted once a turn ran."]),
  ];
  const total =
    window === null
      ? `${numberText(tokens)} tokens`
      : `${numberText(tokens)} of ${numberText(window)} tokens`;
  return [
    barOf(parts, whole, theme, Math.min(width, widestBar)),
    "",
    ...wrapText(total, width),
    "",
    ...columnRows(pairs, width, { left: (text) => text, right: (text) => theme.fg("muted", text) }),
    ...(notes.length === 0 ? [] : [""]),
    ...notes.flatMap((note) => wrapText(theme.fg("dim", note), width)),
  ];
}

/** Every part has a cell where there is room for all; what is left is free. */
export function barOf(parts: readonly ContextPart[], whole: number, theme: Theme, width: number): string {
  let left = width;
  const filled = parts.map(({ name, tokens }) => {
    const wanted = Math.max(tokens === 0 ? 0 : 1, Math.round((tokens / whole) * width));
    const cells = Math.min(left, wanted);
    left -= cells;
    return theme.fg(looks[name].colour, theme.symbol("barFull").repeat(cells));
  });
  return `${filled.join("")}${theme.fg("dim", theme.symbol("barEmpty").repeat(left))}`;
}
