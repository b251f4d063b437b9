// Edits by a model: the time that a tool takes on a file of 10,000 lines, from the call to the answer. Writing to disk is left
// out: how long that takes depends on the disk, and bench/workspace.ts measures it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callTool } from "../packages/agent/src/call-tool.ts";
import { must } from "../packages/testkit/src/workspace.ts";
import { anchorAt, formatAnchor } from "../packages/text/src/anchors.ts";
import type { CodeContext, CodeTool } from "../packages/tools/src/code/code-context.ts";
import { CodeFiles } from "../packages/tools/src/code/code-files.ts";
import { defaultCodeSettings, type EditMode } from "../packages/tools/src/code/code-settings.ts";
import { hashlineEdit } from "../packages/tools/src/code/edit/hashline/hashline-edit.ts";
import { applyPatch } from "../packages/tools/src/code/edit/patch/apply-patch.ts";
import { patch } from "../packages/tools/src/code/edit/patch/patch.ts";
import { replaceEdit } from "../packages/tools/src/code/edit/replace/replace-edit.ts";
import { vimEdit } from "../packages/tools/src/code/edit/vim/vim-edit.ts";
import { Conflicts } from "../packages/tools/src/code/read/conflicts.ts";
import { Sight } from "../packages/tools/src/sight/sight.ts";
import { Workspace } from "../packages/workspace/src/workspace.ts";
import { type Bench, best, type Measured } from "./bench.ts";

const lineCount = 10_000;
const lines = Array.from(
  { length: lineCount },
  (_, index) => `  const value${index} = compute(${index}, "text");`,
);

/** A file that is changed in the ledger's memory only. */
class UnwrittenFiles extends CodeFiles {
  override apply: CodeFiles["apply"] = (steps) => this.tryOut(steps);
}

export interface EditModeCase {
  readonly mode: EditMode;
  readonly tool: CodeTool;
  /** The arguments that replace line 5,000 and insert one behind line 9,000. `anchor` is that of a counted line. */
  readonly input: (anchor: (line: number) => string) => Readonly<Record<string, unknown>>;
}

/** The best time of one call, in milliseconds. */
export async function measureEdit({ mode, tool, input }: EditModeCase): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "stet-bench-"));
  const root = join(folder, "root");
  mkdirSync(root);
  writeFileSync(join(root, "file.ts"), `${lines.join("\n")}\n`);
  const workspace = must(await Workspace.open(root, { dataFolder: join(folder, "data") }));
  try {
    const turn = workspace.beginTurn({ isImmediate: true });
    const files = new UnwrittenFiles(workspace, turn, () => () => "allow");
    const file = must(files.open("file.ts"));
    const context: CodeContext = {
      workspace,
      turn,
      files,
      settings: { ...defaultCodeSettings, editMode: mode },
      sight: new Sight(),
      conflicts: new Conflicts(),
      display: mode === "hashline" ? "anchors" : "numbers",
      ask: async () => "",
      isInteractive: false,
      messages: () => [],
      readArtifact: undefined,
      keepArtifact: undefined,
      permit: async () => undefined,
      readEffect: () => () => "allow",
      local: { folder: undefined, session: "" },
      github: () => Promise.reject(new Error("No edit asks GitHub")),
      shelf: { offered: [], hidden: [], offer: () => {} },
    };
    const tools = [tool(context)];
    const given = input((line) => formatAnchor(anchorAt(file.history.text, line)));
    const value = await best(30, async () => {
      context.sight.showAll(file);
      const call = { type: "toolCall", id: "call", name: tools[0]?.name ?? "", arguments: given } as const;
      const signal = new AbortController().signal;
      const { error, result } = await callTool(call, {
        batch: String(Math.random()),
        tools,
        signal,
        progress: () => {},
      });
      if (error !== undefined) throw new Error(JSON.stringify(result.content));
    });
    return { value, unit: "ms", against: null, ratio: null };
  } finally {
    workspace.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const cases: readonly (EditModeCase & { readonly name: string; readonly what: string })[] = [
  {
    name: "hashline",
    what: "an edit by anchors",
    mode: "hashline",
    tool: hashlineEdit,
    input: (anchor) => ({ input: `§file.ts\n≔${anchor(5000)}\n  changed();\n»${anchor(9000)}\n  added();` }),
  },
  {
    name: "replace",
    what: "an edit by quoting",
    mode: "replace",
    tool: replaceEdit,
    input: () => ({
      path: "file.ts",
      edits: [
        { old_text: lines[4999], new_text: "  changed();" },
        { old_text: lines[8999], new_text: `${lines[8999]}\n  added();` },
      ],
    }),
  },
  {
    name: "replace-shifted",
    what: "an edit by quoting, with other indentation",
    mode: "replace",
    tool: replaceEdit,
    input: () => ({
      path: "file.ts",
      edits: [{ old_text: `${lines[4999]?.trim()}\n${lines[5000]?.trim()}`, new_text: "changed();" }],
    }),
  },
];

const hunks = (prefix: string) =>
  `@@\n-${prefix}${lines[4999]}\n+${prefix}  changed();\n@@\n ${prefix}${lines[8998]}\n ${prefix}${lines[8999]}\n+${prefix}  added();\n`;

const patchCases: typeof cases = [
  {
    name: "apply_patch",
    what: "an edit by a patch",
    mode: "apply_patch",
    tool: applyPatch,
    input: () => ({ input: `*** Begin Patch\n*** Update File: file.ts\n${hunks("")}*** End Patch\n` }),
  },
  {
    name: "patch",
    what: "an edit by hunks",
    mode: "patch",
    tool: patch,
    input: () => ({ edits: [{ path: "file.ts", diff: hunks("") }] }),
  },
  {
    name: "patch-shifted",
    what: "an edit by hunks, with other indentation",
    mode: "patch",
    tool: patch,
    input: () => ({ edits: [{ path: "file.ts", diff: hunks("  ") }] }),
  },
  {
    name: "vim",
    what: "an edit by keys",
    mode: "vim",
    tool: vimEdit,
    input: () => ({ path: "file.ts", keys: "5000GScchanged();<Esc>9000Goadded();<Esc>" }),
  },
];

export const benches: readonly Bench[] = [...cases, ...patchCases].map((one) => ({
  name: `edit/${one.name}`,
  what: `${one.what} of two places in a file of ${lineCount.toLocaleString("en")} lines, without writing it to disk`,
  versus: "",
  goal: "under 5 ms",
  isReached: ({ value }) => value < 5,
  measure: () => measureEdit(one),
}));
