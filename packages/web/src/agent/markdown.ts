// Markdown of a model as nodes of the page. A model may say anything, so nothing of it is trusted: HTML in it is shown as
// text, nothing is loaded from the network, and links open elsewhere. Loaded when the first message is shown.

import DOMPurify, { type Config } from "dompurify";
import { Marked, type Token } from "marked";

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escaped(text),
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  },
});

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (character) => names[character] ?? character);
}

const outside = /^(?:https?|mailto):/i;

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A") safeLink(node);
  if (node.hasAttribute("src") && !/^data:image\//i.test(node.getAttribute("src") ?? ""))
    node.removeAttribute("src");
  node.removeAttribute("style");
  // What scrolls has to be reachable by keyboard.
  if (node.tagName === "PRE" || node.tagName === "TABLE") node.setAttribute("tabindex", "0");
});

/** What is no address is the name of a file in the folder. */
function safeLink(node: Element): void {
  const href = node.getAttribute("href") ?? "";
  if (outside.test(href)) {
    node.setAttribute("target", "_blank");
    node.setAttribute("rel", "noopener noreferrer");
    return;
  }
  node.removeAttribute("href");
  const path = decoded(href.split("#", 1)[0] ?? "");
  if (path === "") return;
  node.setAttribute("data-file", path);
  node.setAttribute("role", "link");
  node.setAttribute("tabindex", "0");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export interface MarkdownBlock {
  readonly raw: string;
  readonly isParagraph: boolean;
  readonly make: () => DocumentFragment;
}

/** The parts of a message from top to bottom. One that was seen before has the same `raw`. */
export function blocksOf(text: string): MarkdownBlock[] {
  return marked
    .lexer(text)
    .filter((token) => token.type !== "space")
    .map((token) => ({
      raw: token.raw,
      isParagraph: token.type === "paragraph",
      make: () => fragmentOf(token),
    }));
}

/** Made blocks by their text, the latest used last. Scrolling through a long conversation meets the same ones again. */
const made = new Map<string, DocumentFragment>();
const maxMade = 2000;
const longestKept = 20_000;

function fragmentOf(token: Token): DocumentFragment {
  const { raw } = token;
  // A reference gets its meaning from elsewhere in its message.
  const isAlone = raw.length <= longestKept && !/\]\[|\]:/.test(raw);
  const known = isAlone ? made.get(raw) : undefined;
  const fragment = known ?? DOMPurify.sanitize(marked.parser([token]), sanitizing);
  if (isAlone) keep(raw, fragment);
  return isAlone ? document.importNode(fragment, true) : fragment;
}

function keep(raw: string, fragment: DocumentFragment): void {
  made.delete(raw);
  made.set(raw, fragment);
  const [oldest] = made.keys();
  if (made.size > maxMade && oldest !== undefined) made.delete(oldest);
}

const sanitizing: Config & { readonly RETURN_DOM_FRAGMENT: true } = {
  RETURN_DOM_FRAGMENT: true,
  USE_PROFILES: { html: true },
  FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select", "video", "audio", "source"],
};
