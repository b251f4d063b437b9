// What can be done with the text in front, by name and by key.

import { foldAll, foldCode, unfoldAll, unfoldCode } from "@codemirror/language";
import { findNext, findPrevious, openSearchPanel } from "@codemirror/search";
import type { EditorView } from "@codemirror/view";
import { always, commandsOf } from "../app/commands.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { showReplace } from "./find-tools.ts";
import type { OpenDocument } from "./open-document.ts";

const leastFontSize = 10;
const largestFontSize = 32;

/** For as long as the component that calls it lives. */
export function useEditorCommands(workbench: Workbench, shown: () => OpenDocument | undefined): void {
  const command = commandsOf("Edit");
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
  workbench.commands.use(
    command("edit.find", "Find in the text", "Mod-f", isEnabled, withView(openSearchPanel)),
    command("edit.replace", "Replace in the text", "Mod-h", isEnabled, withView(openReplace)),
    command("edit.findNext", "Find the next", "F3", isEnabled, withView(findNext)),
    command("edit.findPrevious", "Find the previous", "Shift-F3", isEnabled, withView(findPrevious)),
    command("edit.goToLine", "Go to a line", "Mod-g", isEnabled, () => {
      const document = shown();
      if (document !== undefined) void goToLine(workbench, document);
    }),
    command("edit.larger", "Make the text larger", "Alt-=", always, resize(1)),
    command("edit.smaller", "Make the text smaller", "Alt--", always, resize(-1)),
    command("edit.fold", "Fold the section at the cursor", "", isEnabled, withView(foldCode)),
    command("edit.unfold", "Unfold the section at the cursor", "", isEnabled, withView(unfoldCode)),
    command("edit.foldAll", "Fold all sections", "", isEnabled, withView(foldAll)),
    command("edit.unfoldAll", "Unfold all sections", "", isEnabled, withView(unfoldAll)),
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
