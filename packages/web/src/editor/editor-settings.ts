// What an editor does differently from document to document and from moment to moment: its language, its layout, whether it
// can be edited. Each follows its source for as long as the document is open, whether it is shown or not.

import { foldGutter, type LanguageSupport } from "@codemirror/language";
import { highlightSelectionMatches } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { visible } from "@stet/protocol/visible";
import { createEffect, createMemo, createRoot, on } from "solid-js";
import { type Burden, type FileKind, fileKindOf } from "./file-kind.ts";
import { languageOf } from "./languages.ts";
import type { OpenDocument } from "./open-document.ts";

export interface TextShape {
  readonly name: string;
  readonly kind: FileKind;
  readonly wraps: boolean;
  readonly burden: Burden;
}

const quietFolds = foldGutter({ openText: "⌄", closedText: "›" });

/** Prose has a measure of its own and no numbers; what is a burden is laid out as plainly as possible. */
export function layoutOf({ name, kind, wraps, burden }: TextShape): Extension {
  const isProse = kind === "prose" && burden === "none";
  return [
    EditorView.editorAttributes.of({ class: isProse ? "is-prose" : "is-code" }),
    EditorView.contentAttributes.of({
      "aria-label": name === "" ? "Text" : visible(`Text of ${name}`),
      // Reachable by keyboard anyway; said for those who only look at this.
      tabindex: "0",
      spellcheck: isProse ? "true" : "false",
      autocorrect: "off",
      autocapitalize: isProse ? "sentences" : "off",
    }),
    isProse ? [] : lineNumbers(),
    burden === "none" ? [quietFolds, highlightSelectionMatches({ minSelectionLength: 2 })] : [],
    wraps && burden !== "lines" ? EditorView.lineWrapping : [],
  ];
}

export class EditorSettings {
  readonly #document: OpenDocument;
  readonly #layout = new Compartment();
  readonly #language = new Compartment();
  readonly #lock = new Compartment();
  #hasLanguage = false;

  constructor(document: OpenDocument) {
    this.#document = document;
  }

  extensions(): Extension {
    return [
      this.#layout.of(layoutOf(this.#shape())),
      this.#language.of([]),
      this.#lock.of(lockedOr(this.#document.workbench.state.lock.locked)),
    ];
  }

  #shape(): TextShape {
    const { workbench, name } = this.#document;
    const { wrapsLines } = workbench.layout.state;
    return { name, kind: fileKindOf(name), wraps: wrapsLines, burden: this.#document.burden() };
  }

  /** Returns how to stop. */
  follow(): () => void {
    const document = this.#document;
    const { workbench } = document;
    return createRoot((dispose) => {
      const shape = createMemo(() => this.#shape(), undefined, {
        equals: (one, other) => JSON.stringify(one) === JSON.stringify(other),
      });
      // What they are at first is part of the state already.
      const later = { defer: true };
      createEffect(
        on(
          shape,
          (changed) => document.dispatch({ effects: this.#layout.reconfigure(layoutOf(changed)) }),
          later,
        ),
      );
      createEffect(
        on(
          () => workbench.state.lock.locked,
          (isLocked) => document.dispatch({ effects: this.#lock.reconfigure(lockedOr(isLocked)) }),
          later,
        ),
      );
      const languageName = createMemo(() => (document.burden() === "none" ? document.name : ""));
      createEffect(on(languageName, (name) => void this.#load(name, () => languageName() === name)));
      return dispose;
    });
  }

  async #load(name: string, isStillWanted: () => boolean): Promise<void> {
    const language: LanguageSupport | undefined = await languageOf(name);
    if (!isStillWanted() || (language === undefined && !this.#hasLanguage)) return;
    this.#hasLanguage = language !== undefined;
    this.#document.dispatch({ effects: this.#language.reconfigure(language ?? []) });
  }
}

function lockedOr(isLocked: boolean): Extension {
  if (!isLocked) return [];
  return [
    EditorState.readOnly.of(true),
    EditorView.editorAttributes.of({ class: "is-locked" }),
    EditorView.contentAttributes.of({ "aria-readonly": "true" }),
  ];
}
