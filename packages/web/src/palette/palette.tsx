// One field to go anywhere and do anything by name.

import { isFault } from "@stet/protocol/fault";
import { createEffect, createMemo, createSignal, onMount, Show, untrack } from "solid-js";
import { Virtualizer, type VirtualizerHandle } from "virtua/solid";
import { fileListOf } from "../files/file-list.ts";
import { MarkedText } from "../ui/marked-text.tsx";
import { useWorkbench, type Workbench } from "../workspace/workbench.ts";
import { choicesFor, fileCandidates, type Heading, type PaletteChoice } from "./choices.ts";
import { closePalette, paletteStart, readQuery } from "./palette-state.ts";
import "./palette.css";

const placeholders = {
  files: "Name of a file. > for commands, @ for headings, : for a line",
  commands: "What do you want to do?",
  headings: "A heading of this document",
  line: "Number of a line",
};

const empty = {
  files: "No file fits.",
  commands: "No command fits.",
  headings: "This document has no heading that fits.",
  line: "Type the number of a line of the document in front.",
};

export function Palette() {
  return (
    <Show when={paletteStart() !== undefined}>
      <OpenPalette />
    </Show>
  );
}

function OpenPalette() {
  const workbench = useWorkbench();
  let dialog!: HTMLDialogElement;
  let field!: HTMLInputElement;
  let scroller: VirtualizerHandle | undefined;
  const [text, setText] = createSignal(paletteStart() ?? "");
  const [chosen, setChosen] = createSignal(0);
  const mode = () => readQuery(text()).mode;
  const files = createMemo(() => (mode() === "files" ? fileCandidates(workbench) : []));
  const [headings, setHeadings] = createSignal<readonly Heading[] | undefined>();
  createEffect(() => {
    const tab = mode() === "headings" ? workbench.activeTab()?.tab_id : undefined;
    if (tab !== undefined && untrack(headings) === undefined)
      void loadHeadings(workbench, tab).then(setHeadings);
  });
  const choices = createMemo(() =>
    choicesFor(workbench, text(), { files: files(), headings: headings() ?? [] }),
  );
  createEffect(() => {
    setText(paletteStart() ?? "");
    setChosen(0);
  });
  onMount(() => {
    dialog.showModal();
    field.setSelectionRange(text().length, text().length);
  });

  const isLoaded = () => {
    if (mode() === "files") return fileListOf(workbench).paths() !== undefined;
    return mode() !== "headings" || headings() !== undefined || workbench.activeTab() === undefined;
  };
  const move = (to: number) => {
    const count = choices().length;
    if (count === 0) return;
    const index = (to + count) % count;
    setChosen(index);
    scroller?.scrollToIndex(index, { align: "nearest" });
  };
  const run = (choice: PaletteChoice | undefined) => {
    if (choice === undefined) return;
    dialog.close();
    closePalette();
    void choice.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = 8;
    const to = {
      ArrowDown: chosen() + 1,
      ArrowUp: chosen() - 1,
      PageDown: Math.min(chosen() + page, choices().length - 1),
      PageUp: Math.max(chosen() - page, 0),
    }[event.key];
    if (to !== undefined) move(to);
    else if (event.key === "Enter") run(choices()[chosen()]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <dialog
      class="palette"
      ref={dialog}
      aria-label="Go to a file or run a command"
      onClose={closePalette}
      onPointerDown={(event) => {
        if (event.target === dialog) dialog.close();
      }}
    >
      <div class="palette-box column">
        <input
          class="palette-field"
          ref={field}
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={choices().length > 0 ? `palette-${chosen()}` : undefined}
          aria-label="Go to a file or run a command"
          placeholder={placeholders[mode()]}
          autocomplete="off"
          spellcheck={false}
          value={text()}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setChosen(0);
            scroller?.scrollTo(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div
          class="palette-list"
          id="palette-list"
          role="listbox"
          aria-label="Choices"
          style={{ "--choices": choices().length }}
        >
          <Virtualizer
            ref={(handle) => {
              scroller = handle;
            }}
            data={choices()}
            itemSize={32}
            keepMounted={choices().length > 0 ? [chosen()] : []}
          >
            {(choice, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys.
              <div
                class="palette-choice bar"
                classList={{ chosen: chosen() === index() }}
                id={`palette-${index()}`}
                role="option"
                tabIndex={-1}
                aria-selected={chosen() === index()}
                onPointerMove={() => setChosen(index())}
                onClick={() => run(choice)}
              >
                <Shown choice={choice} />
              </div>
            )}
          </Virtualizer>
        </div>
        <p class="palette-note faint" role="status">
          <Show when={choices().length === 0 && isLoaded()}>{empty[mode()]}</Show>
        </p>
      </div>
    </dialog>
  );
}

function Shown(props: { readonly choice: PaletteChoice }) {
  const start = () => props.choice.nameStart ?? 0;
  const part = (from: number, to: number) => ({
    text: props.choice.text.slice(from, to),
    marks: props.choice.marks
      .map(([one, other]) => [Math.max(one, from) - from, Math.min(other, to) - from] as const)
      .filter(([one, other]) => one < other),
  });
  const name = () => part(start(), props.choice.text.length);
  const folder = () => part(0, Math.max(0, start() - 1));
  return (
    <>
      <span
        class="palette-text ellipsis"
        style={{ "padding-inline-start": `${((props.choice.level ?? 1) - 1) * 0.875}rem` }}
      >
        <MarkedText {...name()} />
      </span>
      <Show when={start() > 0}>
        <span class="palette-folder ellipsis quiet">
          <MarkedText {...folder()} />
        </span>
      </Show>
      <span class="palette-space" />
      <Show when={props.choice.group}>
        <span class="palette-group ellipsis quiet">{props.choice.group}</span>
      </Show>
      <Show when={props.choice.hint}>
        <kbd class="keys">{props.choice.hint}</kbd>
      </Show>
    </>
  );
}

async function loadHeadings(workbench: Workbench, tab: string): Promise<Heading[]> {
  const reply = await workbench.client.call("outline", { params: { tab_id: tab }, query: { max_depth: 6 } });
  if (isFault(reply)) return [];
  const headings: Heading[] = [];
  const walk = (entries: typeof reply.outline) => {
    for (const { title, level, line_start, children } of entries) {
      headings.push({ title, level, line: line_start + 1 });
      walk(children ?? []);
    }
  };
  walk(reply.outline);
  return headings;
}
