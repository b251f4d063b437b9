// A line of text to type, named by a label that only screen readers tell.

import { type JSX, splitProps } from "solid-js";

export function Field(
  props: Omit<JSX.InputHTMLAttributes<HTMLInputElement>, "class" | "onInput"> & {
    readonly class?: string;
    readonly label: string;
    readonly onType: (text: string) => unknown;
  },
) {
  const [own, rest] = splitProps(props, ["class", "label", "onType"]);
  return (
    <input
      class={`field ${own.class ?? ""}`}
      autocomplete="off"
      aria-label={own.label}
      onInput={(event) => void own.onType(event.currentTarget.value)}
      {...rest}
    />
  );
}
