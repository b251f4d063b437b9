// The tables of docs/terminal.md, from the code: commands, keys, colours of a theme, themes, signs. Each stands between two
// comments; what is around them is written by hand.

import { readFileSync } from "node:fs";
import { keySections } from "../packages/cli/src/interactive/commands/help.ts";
import { slashCommands, usageOf } from "../packages/cli/src/interactive/commands/table.ts";
import { themeAbouts } from "../packages/cli/src/interactive/commands/theme.ts";
import { keyActions, keyGroupTitles } from "../packages/cli/src/interactive/keys/actions.ts";
import { defaultKeyBindings } from "../packages/cli/src/interactive/keys/bindings.ts";
import { builtInNames } from "../packages/cli/src/interactive/theme/built-in.ts";
import { symbolsOf } from "../packages/cli/src/interactive/theme/symbols.ts";
import { type ColourToken, colourTokens } from "../packages/cli/src/interactive/theme/theme.ts";

const page = new URL("../docs/terminal.md", import.meta.url);

const parts: Readonly<Record<string, () => string>> = {
  commands: commandTable,
  keys: keyTables,
  actions: actionTable,
  themes: () =>
    table(
      ["theme", "what it is"],
      builtInNames.map((name) => [code(name), themeAbouts[name] ?? ""]),
    ),
  colours: () =>
    table(
      ["colour", "of what"],
      colourTokens.map((token) => [code(token), abouts[token]]),
    ),
  signs: signTable,
};

/** The page as it should be. */
export function terminalDocs(): { path: URL; text: string } {
  let text = readFileSync(page, "utf8");
  for (const [name, make] of Object.entries(parts)) {
    const start = `<!-- ${name}: written by \`npm run docs\` -->`;
    const between = new RegExp(`${escaped(start)}[\\s\\S]*?<!-- end -->`);
    if (!between.test(text)) throw new Error(`docs/terminal.md has no part "${name}".`);
    text = text.replace(between, () => `${start}\n\n${make()}\n\n<!-- end -->`);
  }
  return { path: page, text };
}

function commandTable(): string {
  return table(
    ["command", "what it does"],
    slashCommands.map((command) => {
      const others = (command.aliases ?? []).map((alias) => code(`/${alias}`)).join(", ");
      return [code(usageOf(command)), others === "" ? command.help : `${command.help} (also ${others})`];
    }),
  );
}

function keyTables(): string {
  return keySections(defaultKeyBindings())
    .map(({ title, pairs }) => `### ${title}\n\n${table(["key", "what it does"], pairs)}`)
    .join("\n\n");
}

function actionTable(): string {
  const rows = Object.entries(keyActions).flatMap(([group, actions]) =>
    Object.entries(actions).map(([id, { keys }]): [string, string, string] => [
      code(id),
      keyGroupTitles[group as keyof typeof keyGroupTitles],
      keys.map(code).join(", "),
    ]),
  );
  return table(["action", "where", "keys"], rows);
}

function signTable(): string {
  const [unicode, ascii] = [symbolsOf("unicode"), symbolsOf("ascii")];
  return table(
    ["sign", "unicode", "ascii"],
    Object.entries(unicode).map(([name, sign]) => [
      code(name),
      sign,
      Object.entries(ascii)
        .find(([other]) => other === name)?.[1]
        .replace("|", "\\|") ?? "",
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** For those who write a theme. */
const abouts: Readonly<Record<ColourToken, string>> = {
  accent: "what stands out: the selected row, names of commands",
  border: "lines and borders",
  borderAccent: "the border of what has the focus",
  borderMuted: "lines that should hardly be seen",
  success: "what went well",
  error: "what failed",
  warning: "what needs care",
  muted: "text of second rank",
  dim: "text of third rank: hints, counts",
  text: "plain text",
  thinkingText: "what the model thinks",
  selectedBg: "behind the selected row",
  userMessageBg: "behind what you sent",
  customMessageBg: "behind notes of Stet and of extensions",
  toolPendingBg: "behind a tool call that runs",
  toolSuccessBg: "behind one that went well",
  toolErrorBg: "behind one that failed",
  statusLineBg: "behind the status line",
  userMessageText: "what you sent",
  customMessageText: "notes of Stet and of extensions",
  customMessageLabel: "who such a note is from",
  toolTitle: "the name of a tool call",
  toolOutput: "what it returned",
  mdHeading: "headings",
  mdLink: "links",
  mdLinkUrl: "their addresses",
  mdCode: "code in a line",
  mdCodeBlock: "code in a block of no known language",
  mdCodeBlockBorder: "its border",
  mdQuote: "quotes",
  mdQuoteBorder: "the line beside them",
  mdHr: "rules",
  mdListBullet: "bullets and numbers of lists",
  toolDiffAdded: "lines that were added",
  toolDiffRemoved: "lines that were removed",
  toolDiffContext: "lines around them",
  syntaxComment: "code: comments",
  syntaxKeyword: "code: keywords",
  syntaxFunction: "code: functions",
  syntaxVariable: "code: variables",
  syntaxString: "code: strings",
  syntaxNumber: "code: numbers",
  syntaxType: "code: types",
  syntaxOperator: "code: operators",
  syntaxPunctuation: "code: punctuation",
  thinkingOff: "the prompt's border while the model does not think first",
  thinkingMinimal: "the same for the level `minimal`",
  thinkingLow: "the same for `low`",
  thinkingMedium: "the same for `medium`",
  thinkingHigh: "the same for `high`",
  thinkingXhigh: "the same for `xhigh`",
  bashMode: "the prompt's border while a command is typed (`!`)",
  pythonMode: "the prompt's border while Python is typed",
  statusLineSep: "the status line: between its parts",
  statusLineModel: "the status line: the model",
  statusLinePath: "the status line: the folder",
  statusLineGitClean: "the status line: a branch without changes",
  statusLineGitDirty: "the status line: a branch with changes",
  statusLineContext: "the status line: how full the context is",
  statusLineSpend: "the status line: tokens so far",
  statusLineStaged: "the status line: staged files",
  statusLineDirty: "the status line: changed files",
  statusLineUntracked: "the status line: new files",
  statusLineOutput: "the status line: other text",
  statusLineCost: "the status line: what it cost",
  statusLineSubagents: "the status line: subagents",
};
