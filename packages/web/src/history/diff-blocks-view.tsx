// Blocks of a change, drawn: prose word by word in one text, everything else line by line.

import { diffWords } from "@stet/text/words";
import { For, Match, Show, Switch } from "solid-js";
import { VList } from "virtua/solid";
import { plural } from "../status/word-count.ts";
import { type ChangeBlock, type DiffBlock, isProse, type Verdict } from "./diff-blocks.ts";
import "./diff-blocks-view.css";

/** Up to here everything is drawn at once, as high as it is. */
const maxPlainBlocks = 60;
/** Longer changes are shown without looking for words. */
const maxComparedCharacters = 20_000;

export function DiffBlocks(props: {
  readonly blocks: readonly DiffBlock[];
  /** Decides how it is shown, until a block names another file. */
  readonly path: string | null;
  readonly label: string;
}) {
  const proseAt = (index: number) => {
    for (let at = index; at >= 0; at -= 1) {
      const block = props.blocks[at];
      if (block?.kind === "file") return isProse(block.name);
    }
    return isProse(props.path);
  };
  return (
    <Show
      when={props.blocks.length > maxPlainBlocks}
      fallback={
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section class="diff-blocks plain" tabIndex={0} aria-label={props.label}>
          <For each={props.blocks}>
            {(block, index) => <Block block={block} isProse={proseAt(index())} />}
          </For>
        </section>
      }
    >
      <div class="diff-blocks long">
        <VList data={props.blocks} tabIndex={0} role="region" aria-label={props.label}>
          {(block, index) => <Block block={block} isProse={proseAt(index())} />}
        </VList>
      </div>
    </Show>
  );
}

function Block(props: { readonly block: DiffBlock; readonly isProse: boolean }) {
  const as = <Kind extends DiffBlock["kind"]>(kind: Kind) =>
    props.block.kind === kind ? (props.block as Extract<DiffBlock, { kind: Kind }>) : undefined;
  return (
    <Switch>
      <Match when={as("file")}>{(block) => <h3 class="diff-file">{block().name}</h3>}</Match>
      <Match when={as("fold")}>
        {(block) => <p class="diff-fold quiet">{plural(block().lines, "line")} as before</p>}
      </Match>
      <Match when={as("context")}>
        {(block) => (
          <div class="diff-lines" classList={{ prose: props.isProse }}>
            <For each={block().lines}>
              {(text, index) => (
                <div class="diff-line">
                  <span class="diff-number faint">{block().line + index()}</span>
                  <span class="diff-text verbatim faint">{text}</span>
                </div>
              )}
            </For>
          </div>
        )}
      </Match>
      <Match when={as("change")}>
        {(block) => (
          <>
            <Show when={block().verdict}>{(verdict) => <VerdictWord verdict={verdict()} />}</Show>
            <Change block={block()} isProse={props.isProse} />
          </>
        )}
      </Match>
    </Switch>
  );
}

const verdictWords: Readonly<Record<Verdict, string>> = {
  accepted: "Accepted",
  rejected: "Rejected",
  open: "Not decided yet",
  mixed: "Accepted in part",
};

export function VerdictWord(props: { readonly verdict: Verdict }) {
  return <p class={`diff-verdict row aside ${props.verdict}`}>{verdictWords[props.verdict]}</p>;
}

/** What was changed, without the lines around it. */
export function Change(props: { readonly block: ChangeBlock; readonly isProse: boolean }) {
  const removed = () => props.block.removed.join("\n");
  const added = () => props.block.added.join("\n");
  const isCompared = () =>
    props.block.removed.length > 0 &&
    props.block.added.length > 0 &&
    removed().length + added().length <= maxComparedCharacters;
  return (
    <Show when={props.isProse && isCompared()} fallback={<ChangedLines block={props.block} />}>
      <div class="diff-lines prose changed">
        <div class="diff-line">
          <span class="diff-number faint">{props.block.line}</span>
          <span class="diff-text verbatim">
            <For each={diffWords(removed(), added())}>
              {({ kind, text }) => (
                <Switch fallback={<span>{text}</span>}>
                  <Match when={kind === "removed"}>
                    <del class="diff-del">{text}</del>
                  </Match>
                  <Match when={kind === "added"}>
                    <ins class="diff-ins">{text}</ins>
                  </Match>
                </Switch>
              )}
            </For>
          </span>
        </div>
      </div>
    </Show>
  );
}

function ChangedLines(props: { readonly block: ChangeBlock }) {
  return (
    <div class="diff-lines changed">
      <For each={props.block.removed}>
        {(text) => (
          <div class="diff-line removed">
            <span class="diff-number faint" aria-hidden="true">
              −
            </span>
            <del class="diff-text verbatim">{text}</del>
          </div>
        )}
      </For>
      <For each={props.block.added}>
        {(text, index) => (
          <div class="diff-line added">
            <span class="diff-number faint">{props.block.line + index()}</span>
            <ins class="diff-text verbatim">{text}</ins>
          </div>
        )}
      </For>
    </div>
  );
}
