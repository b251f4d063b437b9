// XML as a tree that keeps the order of things. Entities of the document's own are not expanded; XML's five and numbers are.

import { XMLParser } from "fast-xml-parser";

export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

const maxDepth = 500;

export function parseXml(text: string): XmlElement {
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "",
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    processEntities: true,
    ignoreDeclaration: true,
    ignorePiTags: true,
  });
  const tree: unknown = parser.parse(text);
  return { name: "", attributes: {}, children: childrenOf(tree, 0) };
}

function childrenOf(nodes: unknown, depth: number): (XmlElement | string)[] {
  if (!Array.isArray(nodes)) return [];
  if (depth > maxDepth) throw new Error("its XML is nested too deeply");
  return nodes.flatMap((node: unknown): (XmlElement | string)[] => {
    if (typeof node !== "object" || node === null) return [];
    const [name, value] = Object.entries(node).find(([key]) => key !== ":@") ?? [];
    if (name === undefined) return [];
    if (name === "#text") return [String(value)];
    const attributes =
      ":@" in node && typeof node[":@"] === "object" && node[":@"] !== null ? node[":@"] : {};
    const texts = Object.entries(attributes).map(([key, text]) => [key, String(text)]);
    return [{ name, attributes: Object.fromEntries(texts), children: childrenOf(value, depth + 1) }];
  });
}

/** All elements of a name below one, in order; not those inside of one that was found. */
export function descendants({ children }: XmlElement, name: string): XmlElement[] {
  return children.flatMap((child) => {
    if (typeof child === "string") return [];
    return child.name === name ? [child] : descendants(child, name);
  });
}

export function textIn({ children }: XmlElement): string {
  return children.map((child) => (typeof child === "string" ? child : textIn(child))).join("");
}
