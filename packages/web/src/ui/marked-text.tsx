// A text with some of its letters marked: what a filter or a search found.

import { For } from "solid-js";

export function MarkedText(props: {
  readonly text: string;
  /** As [from, to), in order and without overlap. */
  readonly marks: readonly (readonly [number, number])[];
}) {
  const parts = () => {
    const list: { text: string; isMarked: boolean }[] = [];
    let at = 0;
    for (const [from, to] of props.marks) {
      if (from > at) list.push({ text: props.text.slice(at, from), isMarked: false });
      list.push({ text: props.text.slice(from, to), isMarked: true });
      at = to;
    }
    if (at < props.text.length) list.push({ text: props.text.slice(at), isMarked: false });
    return list;
  };
  return (
    <For each={parts()}>{(part) => (part.isMarked ? <mark class="found">{part.text}</mark> : part.text)}</For>
  );
}
