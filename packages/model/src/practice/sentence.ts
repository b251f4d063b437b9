// The parts of a message that mean the same in every wish: quotations, politeness, and where something shall be done.

export type RequestScope =
  | { readonly kind: "files"; readonly names: readonly string[] }
  | { readonly kind: "folder"; readonly prefix: string }
  | { readonly kind: "all" }
  /** "this document" */
  | { readonly kind: "front" }
  | { readonly kind: "unsaid" };

export interface Sentence {
  /** With its quotations masked. */
  readonly text: string;
  readonly quotations: readonly string[];
  /** The same with their quotation marks, as they were written. */
  readonly marked: readonly string[];
}

const quotationForms =
  /```[^\n`]*\n([\s\S]*?)\n?```|`([^`\n]+)`|"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«\s*([^»]*?)\s*»|‘([^’]*)’(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])'([^']*(?:'(?=[\p{L}])[^']*)*)'(?![\p{L}\p{N}])/gu;

export function sentenceOf(message: string): Sentence {
  const quotations: string[] = [];
  const marked: string[] = [];
  const text = message.trim().replace(quotationForms, (...parts) => {
    quotations.push(String(parts.slice(1, 9).find((part) => typeof part === "string") ?? ""));
    marked.push(String(parts[0]));
    return `⟦${quotations.length - 1}⟧`;
  });
  const polite = text
    .replace(/^(?:hi|hello|hey|ok(?:ay)?|now|xin chào)[,!.]?\s+/i, "")
    .replace(
      /^(?:please\s+|(?:can|could|would|will)\s+you\s+(?:please\s+)?|i\s+(?:want|need)\s+(?:you\s+)?to\s+|(?:xin|vui lòng|hãy|làm ơn)\s+)+/i,
      "",
    )
    .replace(/(?:,?\s+(?:please|thanks|thank you|for me|giúp tôi|nhé))+(?=[.!?]*$)/i, "");
  return { text: polite.trim(), quotations, marked };
}

export function unmasked({ marked }: Sentence, words: string): string {
  return words.replace(/⟦(\d+)⟧/g, (_, index) => marked[Number(index)] ?? "");
}

const path = String.raw`(?:[\p{L}\p{N}_@~+-][\p{L}\p{N}_@~+.\/-]*)?\.[\p{L}][\p{L}\p{N}]{0,9}(?![\p{L}\p{N}\/])`;
const name = String.raw`(?:${path}|⟦\d+⟧)`;
const wholePath = new RegExp(`^${path}$`, "u");

const allForm =
  /[\s,(]*(?<![\p{L}\p{N}])(?:everywhere|(?:in|across|throughout|of)\s+(?:all|every|each)\s+(?:(?:the|my|our)\s+)?(?:files?|documents?|tabs?|notes|chapters)|(?:in|across|throughout|of)\s+(?:(?:the|my|this)\s+)?(?:(?:whole|entire)\s+)?(?:project|folder|book|manuscript)(?!\p{L})|(?:trong\s+|ở\s+)?(?:tất cả|mọi|toàn bộ)\s+(?:các\s+)?(?:tệp|file|tập tin|tài liệu|thẻ|tab|dự án|nơi)|khắp nơi)\)?/iu;
const folderForm =
  /[\s,(]*(?<!\p{L})(?:in|under|of|trong)\s+(?:the\s+)?(?:(?:folder|directory|thư mục)\s+([\p{L}\p{N}_./-]+)|([\p{L}\p{N}_./-]+)\s+(?:folder|directory)|([\p{L}\p{N}_.-]+(?:\/[\p{L}\p{N}_.-]+)*)\/(?=[\s,.!?)]|$))\)?/iu;
const frontForm = String.raw`(?:(?:this|the\s+(?:current|open)|the)\s+(?:document|file|text|story|novel|tab|paper)|(?:bài viết|văn bản|tài liệu|tệp|bài)(?:\s+này)?)`;

/** Takes the scope out of a sentence: "to" names a target only for what is added. */
export function takeScope(sentence: Sentence): { readonly sentence: Sentence; readonly scope: RequestScope } {
  const isAdding = /^(?:append|add|prepend|insert|thêm|chèn)(?!\p{L})/iu.test(sentence.text);
  const lead = `(?:in|of|from|inside|trong|của|khỏi|ở${isAdding ? "|to|into|vào" : ""})`;
  const files = new RegExp(
    String.raw`(?:[\s,(]*(?<!\p{L})(?:${lead}|^outline)|(?<=cuối|đầu))\s+(?:the\s+)?(?:(?:file|document|tệp|tập tin)\s+)?(${name}(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and|và)\s+)${name})*)\)?(?=[\s,.:;!?)]|$)`,
    "giu",
  );
  for (const match of [...sentence.text.matchAll(files)].reverse()) {
    const found = (match[1] ?? "").match(new RegExp(name, "gu")) ?? [];
    const names = found.map((one) => sentence.quotations[Number(/⟦(\d+)⟧/.exec(one)?.[1])] ?? one);
    if (!names.every((one) => wholePath.test(one))) continue;
    const verb = /^outline/i.exec(match[0].trim())?.[0] ?? "";
    return { sentence: without(sentence, match, verb), scope: { kind: "files", names } };
  }
  const front = new RegExp(String.raw`[\s,(]*(?<!\p{L})${lead}\s+${frontForm}(?!\p{L})\)?`, "iu").exec(
    sentence.text,
  );
  if (front !== null) return { sentence: without(sentence, front), scope: { kind: "front" } };
  const folder = folderForm.exec(sentence.text);
  const prefix = (folder?.[1] ?? folder?.[2] ?? folder?.[3] ?? "").replace(/\/+$/, "");
  if (folder !== null && !/^(?:this|the|whole|entire)$/i.test(prefix))
    return { sentence: without(sentence, folder), scope: { kind: "folder", prefix } };
  const all = allForm.exec(sentence.text);
  if (all !== null) return { sentence: without(sentence, all), scope: { kind: "all" } };
  return { sentence, scope: { kind: "unsaid" } };
}

function without(sentence: Sentence, match: RegExpExecArray, instead = ""): Sentence {
  const before = sentence.text.slice(0, match.index) + instead;
  const after = sentence.text.slice(match.index + match[0].length);
  const space = /^[.!?:]/.test(after) ? "" : " ";
  return { ...sentence, text: `${before}${space}${after.replace(/^[\s,]+/, "")}`.trim() };
}
