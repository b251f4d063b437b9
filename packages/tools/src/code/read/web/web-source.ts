// Pages of the web, read as text. A page is fetched once; reading on in it takes what was fetched.

import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { ImageContent } from "@stet/protocol/message";
import type { CodeContext } from "../../code-context.ts";
import { pagedText } from "../paged-text.ts";
import type { Source } from "../source.ts";
import { fetchPage } from "./fetch-page.ts";
import { isPublicAddress } from "./private-address.ts";
import { renderPage } from "./render-page.ts";
import { parseWebAddress, type WebTarget } from "./web-address.ts";

const shownLines = 300;
const maxPages = 20;
/** Characters of all pages that are kept. */
const maxCharacters = 50_000_000;

interface KeptPage {
  readonly text: string;
  readonly details: PageDetails;
  readonly image: ImageContent | undefined;
}

interface PageDetails {
  readonly kind: "url";
  readonly url: string;
  readonly finalUrl: string;
  readonly contentType: string;
  readonly method: string;
  readonly notes: readonly string[];
}

/** Pages that were fetched, by toolset, the oldest first. */
const pagesOf = new WeakMap<CodeContext["turn"], Map<string, KeptPage>>();

export const webSource: Source = {
  async read(path, context, call) {
    const target = parseWebAddress(path);
    if (target === undefined || isFault(target)) return target;
    const pages = pagesOf.get(context.turn) ?? new Map<string, KeptPage>();
    pagesOf.set(context.turn, pages);
    const key = `${target.isRaw ? "raw" : "rendered"} ${target.url.href}`;
    const known = target.selector === undefined ? undefined : pages.get(key);
    const page = known ?? (await load(target, context, call));
    if (isFault(page)) return page;
    pages.delete(key);
    pages.set(key, page);
    forgetOldest(pages);
    return answer(target, page, context);
  },
};

/** The newest always stays. */
function forgetOldest(pages: Map<string, KeptPage>): void {
  let characters = 0;
  for (const { text } of pages.values()) characters += text.length;
  for (const [key, { text }] of pages) {
    if (pages.size === 1 || (pages.size <= maxPages && characters <= maxCharacters)) return;
    pages.delete(key);
    characters -= text.length;
  }
}

async function load(
  { url, isRaw }: WebTarget,
  context: CodeContext,
  call: ToolContext,
): Promise<KeptPage | Fault> {
  const fetched = await fetchPage(url, {
    mayAsk: context.settings.privatePages ? () => true : isPublicAddress,
    signal: call.signal,
    permit: (hop) => context.permit({ tool: "read", targets: [{ kind: "url", url: hop.href }] }, call),
  });
  if (isFault(fetched)) return fetched;
  const { text, method, notes, image } = await renderPage(fetched, isRaw, call);
  const { contentType } = fetched;
  return {
    text,
    image,
    details: { kind: "url", url: url.href, finalUrl: fetched.url.href, contentType, method, notes },
  };
}

function answer({ url, selector, isRaw }: WebTarget, page: KeptPage, context: CodeContext): ToolOutcome {
  const { text, details, image } = page;
  const limit = Math.min(shownLines, context.settings.readLimit);
  const paged = pagedText(context, text, {
    selector,
    isRaw: true,
    source: `${url.href}${isRaw ? ":raw" : ""}`,
    limit,
  });
  const isWhole = selector === undefined && paged.details.nextLine === undefined;
  const artifact = isWhole || selector !== undefined ? undefined : context.keepArtifact?.(text);
  const head = [
    `URL: ${details.finalUrl}`,
    `Content-Type: ${details.contentType || "(none)"}`,
    `Method: ${details.method}`,
    ...(details.notes.length === 0 ? [] : [`Notes: ${details.notes.join("; ")}`]),
    "",
    "---",
    "",
  ];
  const tail = artifact === undefined ? [] : [`[The full text is at ${artifact}.]`];
  const content = [...head, paged.content, ...tail].join("\n");
  return {
    content: image === undefined ? content : [{ type: "text", text: content }, image],
    details: { ...details, ...paged.details, artifact },
  };
}
