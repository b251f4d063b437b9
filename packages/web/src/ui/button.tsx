// Buttons: with words in them, with a picture and a label that names it, or as bare as what is in them.

import { type Component, type JSX, splitProps } from "solid-js";
import { Dynamic } from "solid-js/web";
import { useWorkbench } from "../workspace/workbench.ts";

type Attributes = Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, "class" | "onClick" | "type"> & {
  /** Beside the one that makes it a button. */
  readonly class?: string;
  readonly onPress: (event: MouseEvent & { readonly currentTarget: HTMLButtonElement }) => unknown;
};

export function Button(props: Attributes & { readonly small?: boolean }) {
  const [own, rest] = splitProps(props, ["class", "onPress", "small"]);
  return (
    <button
      type="button"
      class={`button ${own.small === true ? "small " : ""}${own.class ?? ""}`}
      onClick={(event) => void own.onPress(event)}
      {...rest}
    />
  );
}

/** Looks like what is in it. */
export function BareButton(props: Attributes) {
  const [own, rest] = splitProps(props, ["class", "onPress"]);
  return (
    <button
      type="button"
      class={`bare ${own.class ?? ""}`}
      onClick={(event) => void own.onPress(event)}
      {...rest}
    />
  );
}

interface Picture {
  readonly icon: Component<{ readonly size: number }>;
  readonly size?: number;
  readonly label: string;
}

/** Runs a command, and shows its keys. */
export function CommandButton(props: Picture & { readonly command: string }) {
  const { commands } = useWorkbench();
  return (
    <IconButton
      {...props}
      title={commands.titleOf(props.label, props.command)}
      onPress={() => commands.run(props.command)}
    />
  );
}

/** Its label is its title, too, unless there is another one. */
export function IconButton(props: Attributes & Picture) {
  const [own, rest] = splitProps(props, ["class", "icon", "label", "onPress", "size"]);
  return (
    <button
      type="button"
      class={`icon-button ${own.class ?? ""}`}
      aria-label={own.label}
      title={own.label}
      onClick={(event) => void own.onPress(event)}
      {...rest}
    >
      <Dynamic component={own.icon} size={own.size ?? 16} />
    </button>
  );
}
