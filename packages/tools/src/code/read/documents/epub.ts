// A book in the order of its spine, as Markdown. Pictures are left out.

import { posix } from "node:path";
import { documentParts, partText } from "./document-parts.ts";
import { htmlMarkdown } from "./html-markdown.ts";
import { descendants, parseXml, textIn, type XmlElement } from "./xml-tree.ts";

export async function epubMarkdown(bytes: Uint8Array): Promise<string> {
  const parts = await documentParts(bytes, (path) => /\.(?:xml|opf|x?html?)$/i.test(path));
  const container = partText(parts, "META-INF/container.xml");
  if (container === undefined) throw new Error("it is a ZIP file, but not a book");
  // Fonts may be scrambled without harm.
  const encryption = partText(parts, "META-INF/encryption.xml") ?? "";
  if (/CipherReference[^>]+\.x?html?["']/i.test(encryption)) throw new Error("its text is encrypted");
  const packagePath = descendants(plainXml(container), "rootfile")[0]?.attributes["full-path"];
  const text = packagePath === undefined ? undefined : partText(parts, packagePath);
  if (packagePath === undefined || text === undefined)
    throw new Error("it does not name what it consists of");
  const book = plainXml(text);
  const items = new Map(
    named(book, "item").map(({ attributes }) => [attributes.id ?? "", attributes.href ?? ""]),
  );
  const chapters = named(book, "itemref").flatMap(({ attributes }) => {
    const href = items.get(attributes.idref ?? "");
    return href === undefined ? [] : [chapter(partText(parts, placeOf(packagePath, href)))];
  });
  const title = named(book, "title")[0];
  const heading = title === undefined ? [] : [`# ${textIn(title).trim()}`];
  return [...heading, ...chapters.filter((part) => part !== "")].join("\n\n---\n\n");
}

/** A declaration of the document type is allowed in books, but not entities of their own. */
function plainXml(text: string): XmlElement {
  if (/<!ENTITY/i.test(text)) throw new Error("it declares entities, which books do not");
  return parseXml(text.replace(/<!DOCTYPE[^>[]*>/i, ""));
}

/** Elements of a name, with whatever prefix. */
function named(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => {
    if (typeof child === "string") return [];
    return child.name.replace(/^.*:/, "") === name ? [child] : named(child, name);
  });
}

function placeOf(packagePath: string, href: string): string {
  const [path = ""] = href.split("#");
  let plain = path;
  try {
    plain = decodeURIComponent(path);
  } catch {
    // Not encoded, then.
  }
  return posix.join(posix.dirname(packagePath), plain);
}

function chapter(html: string | undefined): string {
  if (html === undefined) return "";
  // An empty element may be written short in XHTML, which HTML takes for one that is never closed.
  const whole = html
    .replace(/<\?xml[^>]*\?>/, "")
    .replace(
      /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)([a-z][a-z0-9:]*)([^<>]*)\/>/gi,
      "<$1$2></$1>",
    );
  const [, body = whole] = /<body[^>]*>([\s\S]*?)(?:<\/body\s*>|$)/i.exec(whole) ?? [];
  return htmlMarkdown(body, () => undefined).trim();
}
