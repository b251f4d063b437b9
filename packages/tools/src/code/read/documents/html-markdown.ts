// HTML as Markdown. Scripts, styles, forms and images that are part of the page's own bytes are left out; nothing is run and
// nothing is fetched.

import { gfm } from "@joplin/turndown-plugin-gfm";
import TurndownService from "turndown";

/** `resolve` makes links absolute; undefined leaves a link out, and keeps its text. */
export function htmlMarkdown(
  html: string,
  resolve: (link: string) => string | undefined = (link) => link,
): string {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---",
    emDelimiter: "*",
  });
  service.use(gfm);
  service.remove(["script", "style", "noscript", "iframe", "object", "template", "head", "button", "select"]);
  service.addRule("links", {
    filter: (node) => node.nodeName === "A",
    replacement(content, node) {
      const text = content.trim().replace(/\s*\n\s*/g, " ");
      const target = linkOf(attribute(node, "href"), resolve);
      return text === "" || target === undefined ? content : `[${text}](${target})`;
    },
  });
  service.addRule("images", {
    filter: (node) => node.nodeName === "IMG",
    replacement(_, node) {
      const text = attribute(node, "alt").replace(/\s+/g, " ").trim();
      const target = linkOf(attribute(node, "src"), resolve);
      if (target !== undefined) return `![${text}](${target})`;
      return text === "" ? "" : `[image: ${text}]`;
    },
  });
  return service.turndown(html);
}

function linkOf(link: string, resolve: (link: string) => string | undefined): string | undefined {
  const plain = link.trim();
  if (plain === "" || /^(?:javascript|data|vbscript|blob):/i.test(plain.replace(/\s/g, ""))) return undefined;
  // What would end the link in Markdown.
  return resolve(plain)?.replace(/\s/g, "%20").replaceAll("(", "%28").replaceAll(")", "%29");
}

function attribute(node: unknown, name: string): string {
  if (typeof node !== "object" || node === null || !("getAttribute" in node)) return "";
  const value: unknown = typeof node.getAttribute === "function" ? node.getAttribute(name) : "";
  return typeof value === "string" ? value : "";
}
