// A feed (RSS or Atom) as a list in Markdown: its title, then each entry with its title, link, date and what it says. Runs in
// a process of its own (read/apart.ts).

import { cutText } from "@stet/protocol/cut-text";
import { htmlMarkdown } from "../documents/html-markdown.ts";
import { descendants, parseXml, textIn, type XmlElement } from "../documents/xml-tree.ts";

export interface FeedJob {
  readonly xml: string;
  /** Links are told from here. */
  readonly url: string;
}

const maxSummary = 500;

export function feedMarkdown({ xml, url }: FeedJob): string {
  const tree = parseXml(xml);
  const [head = tree] = [...descendants(tree, "channel"), ...descendants(tree, "feed")];
  const entries = [...descendants(tree, "item"), ...descendants(tree, "entry")];
  const resolve = (link: string) => {
    const target = URL.parse(link, url);
    return target !== null && /^https?:$/.test(target.protocol) ? target.href : undefined;
  };
  const title = field(head, "title") || url;
  const about = field(head, "description", "subtitle");
  const listed = entries.map((entry) => entryMarkdown(entry, resolve));
  return [`# ${title}`, ...(about === "" ? [] : [about]), ...listed].join("\n\n");
}

function entryMarkdown(entry: XmlElement, resolve: (link: string) => string | undefined): string {
  const title = field(entry, "title") || "(no title)";
  const link = linkOf(entry);
  const address = link === "" ? undefined : resolve(link);
  const date = field(entry, "pubDate", "published", "updated", "dc:date");
  const html = raw(entry, "description", "summary", "content", "content:encoded");
  const text = htmlMarkdown(`<div>${html}</div>`, resolve).replace(/\s+/g, " ").trim();
  const lines = [address ?? "", date, cutText(text, maxSummary)].filter((line) => line !== "");
  return [`## ${title}`, ...lines].join("\n");
}

/** RSS has the address as text, Atom as an attribute. */
function linkOf(entry: XmlElement): string {
  const links = children(entry, "link");
  const main = links.find(({ attributes }) => (attributes.rel ?? "alternate") === "alternate") ?? links[0];
  return main === undefined ? "" : (main.attributes.href ?? textIn(main).trim());
}

/** The text of the first of these that says something. */
function raw(element: XmlElement, ...names: readonly string[]): string {
  const texts = names.flatMap((name) => children(element, name).map((child) => textIn(child).trim()));
  return texts.find((text) => text !== "") ?? "";
}

function field(element: XmlElement, ...names: readonly string[]): string {
  return raw(element, ...names)
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ");
}

function children(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => typeof child !== "string").filter((child) => child.name === name);
}
