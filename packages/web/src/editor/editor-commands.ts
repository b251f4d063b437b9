// What can be done with the text in front, by name and by key.

import { foldAll, foldCode, unfoldAll, unfoldCode } from "@codemirror/language";
import { findNext, findPrevious, openSearchPanel } from "@codemirror/search";
import type { EditorView } from "@codemirror/view";
import type { Workbench } from "../workspace/workbench.ts";
import { showReplace } from "./find-tools.ts";
import type { OpenDocument } from "./open-document.ts";

const leastFontSize = 10;
const largestFontSize = 32;

/** For as long as the component that calls it lives. */
export function useEditorCommands(workbench: Workbench, shown: () => OpenDocument | undefined): void {
  const group = "Edit";
  const isEnabled = () => shown()?.view !== undefined;
  const withView = (action: (view: EditorView) => unknown) => () => {
    const view = shown()?.view;
    if (view !== undefined) action(view);
  };
  const { layout } = workbench;
  const resize = (by: number) => () => {
    const size = layout.state.editorFontSize + by;
    layout.set({ editorFontSize: Math.max(leastFontSize, Math.min(largestFontSize, size)) });
  };
  const fold = (id: string, title: string, action: (view: EditorView) => unknown) => {
    return { id: `edit.${id}`, title, group, isEnabled, run: withView(action) };
  };
  workbench.commands.use(
    {
      id: "edit.find",
      title: "Find in the text",
      group,
      keys: ["Mod-f"],
      isEnabled,
      run: withView(openSearchPanel),
    },
    {
      id: "edit.replace",
      title: "Replace in the text",
      group,
      keys: ["Mod-h"],
      isEnabled,
      run: withView(openReplace),
    },
    { id: "edit.findNext", title: "Find the next", group, keys: ["F3"], isEnabled, run: withView(findNext) },
    {
      id: "edit.findPrevious",
      title: "Find the previous",
      group,
      keys: ["Shift-F3"],
      isEnabled,
      run: withView(findPrevious),
    },
    {
      id: "edit.goToLine",
      title: "Go to a line",
      group,
      keys: ["Mod-g"],
      isEnabled,
      run: () => {
        const document = shown();
        if (document !== undefined) void goToLine(workbench, document);
      },
    },
    { id: "edit.larger", title: "Make the text larger", group, keys: ["Alt-="], run: resize(1) },
    { id: "edit.smaller", title: "Make the text smaller", group, keys: ["Alt--"], run: resize(-1) },
    fold("fold", "Fold the section at the cursor", foldCode),
    fold("unfold", "Unfold the section at the cursor", unfoldCode),
    fold("foldAll", "Fold all sections", foldAll),
    fold("unfoldAll", "Unfold all sections", unfoldAll),
  );
}

function openReplace(view: EditorView): void {
  openSearchPanel(view);
  showReplace(view, true);
  const field = (name: string) => view.dom.querySelector<HTMLInputElement>(`.cm-search input[name=${name}]`);
  // Nothing to look for yet: that comes first.
  if (field("search")?.value !== "") field("replace")?.select();
}

async function goToLine(workbench: Workbench, document: OpenDocument): Promise<void> {
  const { lines } = document.state.doc;
  const typed = await workbench.dialogs.prompt({
    title: "Go to a line",
    label: `Line, from 1 to ${lines.toLocaleString("en")}`,
    action: "Go",
  });
  if (typed === undefined) return;
  const line = Number.parseInt(typed.replaceAll(/[,.\s]/g, ""), 10);
  if (Number.isNaN(line)) workbench.notices.tell({ text: `“${typed}” is no line number.`, tone: "plain" });
  else document.reveal(line);
}
