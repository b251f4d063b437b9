// A theme: colours and symbols by the names of what they are for.

/** What has a colour. A custom theme names all of them. */
export const colourTokens = [
  // Text and borders.
  "accent",
  "border",
  "borderAccent",
  "borderMuted",
  "success",
  "error",
  "warning",
  "muted",
  "dim",
  "text",
  "thinkingText",
  // Backgrounds.
  "selectedBg",
  "userMessageBg",
  "customMessageBg",
  "toolPendingBg",
  "toolSuccessBg",
  "toolErrorBg",
  "statusLineBg",
  // Messages and tools.
  "userMessageText",
  "customMessageText",
  "customMessageLabel",
  "toolTitle",
  "toolOutput",
  // Markdown.
  "mdHeading",
  "mdLink",
  "mdLinkUrl",
  "mdCode",
  "mdCodeBlock",
  "mdCodeBlockBorder",
  "mdQuote",
  "mdQuoteBorder",
  "mdHr",
  "mdListBullet",
  // Diffs and code.
  "toolDiffAdded",
  "toolDiffRemoved",
  "toolDiffContext",
  "syntaxComment",
  "syntaxKeyword",
  "syntaxFunction",
  "syntaxVariable",
  "syntaxString",
  "syntaxNumber",
  "syntaxType",
  "syntaxOperator",
  "syntaxPunctuation",
  // The prompt's border.
  "thinkingOff",
  "thinkingMinimal",
  "thinkingLow",
  "thinkingMedium",
  "thinkingHigh",
  "thinkingXhigh",
  "bashMode",
  "pythonMode",
  // The status line.
  "statusLineSep",
  "statusLineModel",
  "statusLinePath",
  "statusLineGitClean",
  "statusLineGitDirty",
  "statusLineContext",
  "statusLineSpend",
  "statusLineStaged",
  "statusLineDirty",
  "statusLineUntracked",
  "statusLineOutput",
  "statusLineCost",
  "statusLineSubagents",
] as const;

export type ColourToken = (typeof colourTokens)[number];
export type BackgroundToken = Extract<ColourToken, `${string}Bg`>;
export type TextToken = Exclude<ColourToken, BackgroundToken>;

/** Text styles that need no colour. */
export type Emphasis = "bold" | "italic" | "underline" | "strikethrough" | "inverse" | "dim";

export interface Theme {
  readonly name: string;
  /** Grows when the colours or signs change: rows that were kept for a theme are old then. */
  readonly revision: number;
  /** Of the terminal: by its background, as far as it is known. */
  readonly appearance: "dark" | "light";
  /** Text in a colour; what was set before holds again behind it. */
  fg(token: TextToken, text: string): string;
  bg(token: BackgroundToken, text: string): string;
  emphasis(kind: Emphasis, text: string): string;
  /** A sign; of `spinner` each character is a frame. */
  symbol(name: SymbolName): string;
}

/** Signs that a preset or a theme may draw otherwise. */
export type SymbolName =
  | "success"
  | "failure"
  | "warning"
  | "info"
  | "pending"
  | "stopped"
  | "user"
  | "assistant"
  | "thinking"
  | "tool"
  | "question"
  | "bullet"
  | "quote"
  | "selected"
  | "more"
  | "arrow"
  | "branch"
  | "leaf"
  | "checked"
  | "unchecked"
  | "active"
  | "abandoned"
  | "added"
  | "removed"
  | "separator"
  | "line"
  | "cornerTopLeft"
  | "cornerBottomLeft"
  | "vertical"
  | "barFull"
  | "barEmpty"
  | "spinner";
