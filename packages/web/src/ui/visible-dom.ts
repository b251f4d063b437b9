// The one exit for text to the page: the functions that compiled components call, with three of them replaced (`moduleName` in
// vite.config.ts). Whatever a component shows, names, words of a model, lines of a file, goes through here, and characters that
// turn text around or cannot be seen are made visible; so nobody has to think of it. Values of fields stay as they are.

import { visible } from "@stet/protocol/visible";
import type { JSX } from "solid-js";
import {
  insert as insertAsIs,
  type MountableElement,
  setAttribute as setAsIs,
  spread as spreadAsIs,
} from "solid-js/web";

export * from "solid-js/web";

/** Attributes that people read or hear. */
const readAttributes = new Set(["title", "aria-label", "aria-description", "placeholder", "alt"]);

export function insert(
  parent: MountableElement,
  content: unknown,
  marker?: Node | null,
  initial?: JSX.Element,
): JSX.Element {
  return insertAsIs(parent, visibleContent(content), marker, initial);
}

export function setAttribute(node: Element, name: string, value: string): void {
  setAsIs(node, name, typeof value === "string" && readAttributes.has(name) ? visible(value) : value);
}

/** Attributes and children of `{...props}`, which are read where they are set. */
export function spread(node: Element, props: object, isSVG?: boolean, skipChildren?: boolean): void {
  const read = new Proxy(props, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === "children") return visibleContent(value);
      return typeof value === "string" && readAttributes.has(String(name)) ? visible(value) : value;
    },
  });
  spreadAsIs(node, read, isSVG, skipChildren);
}

/** Text may be inside of lists, and be returned by functions. */
function visibleContent(content: unknown): unknown {
  if (typeof content === "string") return visible(content);
  if (typeof content === "function") return () => visibleContent(content());
  return Array.isArray(content) ? content.map(visibleContent) : content;
}
