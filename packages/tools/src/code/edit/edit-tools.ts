// The edit tool of each mode, loaded when the mode is used.

import type { CodeTool } from "../code-context.ts";
import type { EditMode } from "../code-settings.ts";

const tools: Readonly<Record<EditMode, () => Promise<CodeTool>>> = {
  hashline: async () => (await import("./hashline/hashline-edit.ts")).hashlineEdit,
  replace: async () => (await import("./replace/replace-edit.ts")).replaceEdit,
  patch: async () => (await import("./patch/patch.ts")).patch,
  apply_patch: async () => (await import("./patch/apply-patch.ts")).applyPatch,
  vim: async () => (await import("./vim/vim-edit.ts")).vimEdit,
  symbol: async () => (await import("./symbol/symbol-edit.ts")).symbolEdit,
};

export function editToolFor(mode: EditMode): Promise<CodeTool> {
  return tools[mode]();
}
