// A page of HTML as Markdown: what there is to read on it, without what surrounds that. Runs in a process of its own
// (read/apart.ts). Scripts are never run.

import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { htmlMarkdown } from "../documents/html-markdown.ts";

export interface PageJob {
  readonly html: string;
  /** Links are told from here. */
  readonly url: string;
}

export interface PageText {
  readonly text: string;
  /** `readable`: what there is to read was found; `html`: the whole page. */
  readonly method: "readable" | "html";
}

/** Elements; more than this is a page made by a program, and is taken whole. */
const maxElements = 50_000;
/** Of all text on a page, as much has to be in what was found for it to be taken for the page. */
const leastShare = 0.25;

export function pageMarkdown({ html, url }: PageJob): PageText {
  const whole = /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;
  const { document } = parseHTML(whole);
  const resolve = resolver(document.querySelector("base")?.getAttribute("href") ?? "", url);
  for (const element of document.querySelectorAll("script, style, noscript, template, iframe, svg"))
    element.remove();
  const title = document.querySelector("title")?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  const body = String(document.body?.innerHTML ?? "");
  const length = String(document.body?.textContent ?? "").trim().length;
  const article = readable(document);
  if (article !== undefined && article.length >= length * leastShare) {
    const text = htmlMarkdown(article.html, resolve).trim();
    if (text !== "") return { text: withTitle(article.title || title, text), method: "readable" };
  }
  return { text: withTitle(title, htmlMarkdown(body, resolve).trim()), method: "html" };
}

function readable(
  document: ConstructorParameters<typeof Readability>[0],
): { html: string; title: string; length: number } | undefined {
  try {
    // Classes tell which language code is in.
    const found = new Readability(document, { maxElemsToParse: maxElements, keepClasses: true }).parse();
    if (!found?.content) return undefined;
    return { html: found.content, title: found.title ?? "", length: (found.textContent ?? "").trim().length };
  } catch {
    // Too many elements, or a page that it cannot make sense of: the whole page is told then.
    return undefined;
  }
}

function withTitle(title: string, text: string): string {
  if (title === "" || text.startsWith(`# ${title}`)) return text;
  return `# ${title}\n\n${text}`;
}

/** Links as they are from the page. A link within the page leads nowhere in a text. */
function resolver(base: string, url: string): (link: string) => string | undefined {
  const from = URL.canParse(base, url) ? new URL(base, url).href : url;
  return (link) => {
    if (link.startsWith("#")) return undefined;
    if (!URL.canParse(link, from)) return undefined;
    const target = new URL(link, from);
    return ["http:", "https:", "mailto:"].includes(target.protocol) ? target.href : undefined;
  };
}
