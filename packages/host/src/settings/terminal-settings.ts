// The settings of the terminal, as they are written in a configuration file.

import * as z from "zod";

export const terminalSettingsShape = () => ({
  "theme.dark": z.string().min(1).describe("the theme of terminals with a dark background"),
  "theme.light": z.string().min(1).describe("the theme of terminals with a light background"),
  symbolPreset: z
    .enum(["unicode", "nerd", "ascii"])
    .describe("which signs are drawn: nerd needs a patched font, ascii needs nothing"),
  colorBlindMode: z.boolean().describe("whether what was added is blue instead of green"),
  "tui.replayRows": z
    .number()
    .int()
    .min(100)
    .max(1_000_000)
    .describe("rows of the conversation that a full repaint writes again"),
  "tui.resize": z
    .enum(["keep", "replay"])
    .describe("whether a new width leaves the scrollback as it is, or clears it and writes it again"),
  "tui.thinking": z.enum(["shown", "folded", "hidden"]).describe("how the model's thinking is shown"),
  "tui.linear": z
    .boolean()
    .describe("whether lines are only ever added, without redraws: for screen readers"),
  "tui.vim": z.boolean().describe("whether the prompt has the keys of vim"),
  "tui.maxInlineImages": z
    .number()
    .int()
    .min(0)
    .max(1000)
    .describe("pictures that the terminal holds at once; older ones become a line of text"),
  doubleEscapeAction: z
    .enum(["branch", "tree", "none"])
    .describe("what Esc pressed twice in an empty prompt opens"),
  "tasks.todoClearDelay": z
    .number()
    .int()
    .min(-1)
    .describe("seconds that a finished todo list stays in view; 0 removes it at once, -1 never"),
  "ask.timeout": z
    .number()
    .int()
    .min(0)
    .max(86_400)
    .describe("seconds until a question of the model is answered by its first choice; 0 waits for ever"),
  "ask.notify": z.boolean().describe("whether a question notifies you while the window is not in view"),
});

export type TerminalSettings = z.infer<z.ZodObject<ReturnType<typeof terminalSettingsShape>>>;

export const terminalDefaults: TerminalSettings = {
  "theme.dark": "red-claw",
  "theme.light": "blue-crab",
  symbolPreset: "unicode",
  colorBlindMode: false,
  "tui.replayRows": 10_000,
  "tui.resize": "keep",
  "tui.thinking": "folded",
  "tui.linear": false,
  "tui.vim": false,
  "tui.maxInlineImages": 20,
  doubleEscapeAction: "tree",
  "tasks.todoClearDelay": 60,
  "ask.timeout": 30,
  "ask.notify": true,
};
