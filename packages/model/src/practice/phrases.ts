// The parts of a request that mean the same in every sentence: quotations, politeness, and where something shall be done.
//
//   quotation   "…" “…” „…“ «…» ‘…’ `…` ```…``` and '…' around whole words. What is quoted is never read as a command:
//               it is masked as ⟦n⟧ while the sentence is understood
//   scope       one file, a folder, all files, this document, or unsaid. A bare name behind an unquoted text ("… with light in the
//               kitchen") may be a file or a part of the text; only the project can tell, so it stays a guess

export type Scope =
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "files"; readonly names: readonly string[] }
  | { readonly kind: "folder"; readonly prefix: string }
  | { readonly kind: "all" }
  /** "this document" */
  | { readonly kind: "current" }
  | { readonly kind: "unsaid" };

export interface Sentence {
  /** With its quotations masked. */
  readonly text: string;
  readonly quotations: readonly string[];
  /** The same with their quotation marks, as they were written. */
  readonly quoted: readonly string[];
}

const quotationForms =
  /```[^\n`]*\n([\s\S]*?)\n?```|`([^`\n]+)`|"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«\s*([^»]*?)\s*»|‘([^’]*)’(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])'([^']*(?:'(?=[\p{L}])[^']*)*)'(?![\p{L}\p{N}])/gu;

export function sentenceOf(request: string): Sentence {
  const quotations: string[] = [];
  const asWritten: string[] = [];
  const text = request.trim().replace(quotationForms, (...parts) => {
    const quoted = parts.slice(1, 9).find((part) => typeof part === "string");
    quotations.push(String(quoted ?? ""));
    asWritten.push(String(parts[0]));
    return `⟦${quotations.length - 1}⟧`;
  });
  return { text: withoutPoliteness(text), quotations, quoted: asWritten };
}

function withoutPoliteness(text: string): string {
  return text
    .replace(/^(?:hi|hello|hey|ok(?:ay)?|so|now|xin chào)[,!.]?\s+/i, "")
    .replace(
      /^(?:please\s+|kindly\s+|(?:can|could|would|will)\s+you\s+(?:please\s+)?|i(?:'d| would)?\s+(?:want|like|need)\s+(?:you\s+)?to\s+|let(?:'s| us)\s+|help me\s+(?:to\s+)?|(?:xin|vui lòng|hãy|làm ơn)\s+)+/i,
      "",
    )
    .replace(/(?:,?\s+(?:please|thanks|thank you|for me|giúp tôi|nhé))+(?=[.!?]*$)/i, "")
    .trim();
}

/** What an operand names: its quotation where it has one, else its own words without what only leads to them. */
export function operandOf(sentence: Sentence, words: string): string {
  const quoted = /⟦(\d+)⟧/.exec(words);
  if (quoted !== null) return sentence.quotations[Number(quoted[1])] ?? "";
  return words
    .trim()
    .replace(/^(?:(?:all|every|each|any|the)\s+)*(?:occurrences?|instances?|mentions?|uses?)\s+of\s+/i, "")
    .replace(/^(?:all|every|each)\s+(?:the\s+)?(?=\S)/i, "")
    .replace(
      /^(?:the\s+)?(?:words?|names?|characters?|terms?|phrases?|strings?|texts?|variables?|functions?|lines?|typos?|spelling|misspelling)\s+(?:of\s+)?(?=\S)/i,
      "",
    )
    .replace(/(?:'s|’s)\s+name$/i, "")
    .replace(/^(?:(?:từ|chữ|tên|cụm từ|của|nhân vật)\s+(?=\S))+/iu, "")
    .replace(/(?<=[^\s.])[.!?,;:]+$/u, "")
    .trim();
}

/** Text to be written keeps its full stop. */
export function writtenTextOf(sentence: Sentence, words: string): string {
  const only =
    /^(?:(?:the|a|an|new|this)\s+)*(?:(?:line|text|words?|sentence|paragraph|note|item)\s*:?\s*)?⟦(\d+)⟧[.!]?$/i.exec(
      words.trim(),
    );
  if (only !== null) return sentence.quotations[Number(only[1])] ?? "";
  return unmasked(
    sentence,
    words.trim().replace(/^(?:(?:the|a|an|new)\s+)*(?:line|text|sentence|paragraph)\s*:?\s+(?=\S)/i, ""),
  );
}

function unmasked(sentence: Sentence, words: string): string {
  return words.replace(/⟦(\d+)⟧/g, (_, index) => `"${sentence.quotations[Number(index)] ?? ""}"`);
}

const pathForm = String.raw`(?:[\p{L}\p{N}_@~+-][\p{L}\p{N}_@~+.\/-]*)?\.[\p{L}][\p{L}\p{N}]{0,9}(?![\p{L}\p{N}\/])`;
const nameForm = String.raw`(?:${pathForm}|⟦\d+⟧)`;
const wholePath = new RegExp(`^${pathForm}$`, "u");

export function isPath(text: string): boolean {
  return wholePath.test(text) && !text.includes(" ");
}

const allForm =
  /[\s,(]*(?<![\p{L}\p{N}])(?:everywhere|project-?\s?wide|(?:in|across|throughout|over|through|of|from)\s+(?:all|every|each)\s+(?:of\s+)?(?:(?:the|my|our)\s+)?(?:files?|documents?|tabs?|notes|chapters|texts?|pages)|(?:in|across|throughout|over|through|of)\s+(?:(?:the|my|our|this)\s+)?(?:(?:whole|entire|complete|full)\s+)?(?:project|workspace|folder|repository|repo|book|manuscript)(?!\p{L})|throughout(?!\s+\S)|(?:trong\s+|ở\s+)?(?:tất cả|mọi|toàn bộ)\s+(?:các\s+)?(?:tệp|file|tập tin|tài liệu|thẻ|tab|dự án|nơi)|khắp nơi)\)?/iu;
const folderForm =
  /[\s,(]*(?<!\p{L})(?:in|under|of|from|across|trong)\s+(?:the\s+)?(?:(?:folder|directory|thư mục)\s+([\p{L}\p{N}_./-]+)|([\p{L}\p{N}_./-]+)\s+(?:folder|directory)|([\p{L}\p{N}_.-]+(?:\/[\p{L}\p{N}_.-]+)*)\/(?=[\s,.!?)]|$))\)?/iu;

const thisDocument = String.raw`(?:(?:this|the\s+(?:current|active|open))\s+(?:document|file|text|story|novel|tab|paper|chapter|page|note|draft|article|essay)|the\s+(?:document|file|text|tab)|(?:bài viết|văn bản|tài liệu|truyện|tiểu thuyết|thẻ|tab|tệp|bài)(?:\s+(?:này|hiện tại|đang mở))|bài viết|văn bản|tài liệu)(?![\p{L}\p{N}]|\s+(?:⟦|[\p{L}\p{N}_./-]*\.[\p{L}]))`;
const wholeThisDocument = new RegExp(`^(?:(?:in|of|for|from|trong|của)\\s+)?${thisDocument}$`, "iu");

export interface Scoped {
  readonly sentence: Sentence;
  readonly scope: Scope;
}

/** Takes the scope out of a sentence. `prepositions` are those that lead to a place for the verb at hand. */
export function takeScope(sentence: Sentence, prepositions: string): Scoped {
  const file = new RegExp(
    String.raw`[\s,(]*(?<!\p{L})(?:${prepositions})\s+(?:(?:the|my)\s+)?(?:(?:file|document|tệp|tập tin)\s+)?(${nameForm}(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and|&|và)\s+)(?:(?:${prepositions})\s+)?(?:the\s+)?${nameForm})*)(?:\s+(?:files?|documents?))?(?:\s+only)?\)?(?=[\s,.:;!?)]|$)`,
    "giu",
  );
  for (const match of [...sentence.text.matchAll(file)].reverse()) {
    const found = (match[1] ?? "").match(new RegExp(nameForm, "gu")) ?? [];
    const names = found.map((name) => sentence.quotations[Number(/⟦(\d+)⟧/.exec(name)?.[1])] ?? name);
    const [name] = names;
    if (name === undefined || !names.every(isPath)) continue;
    const scope: Scope = names.length === 1 ? { kind: "file", name } : { kind: "files", names };
    return { sentence: without(sentence, match), scope };
  }
  const current = new RegExp(
    String.raw`[\s,(]*(?<!\p{L})(?:${prepositions})\s+${thisDocument}\)?`,
    "iu",
  ).exec(sentence.text);
  if (current !== null) return { sentence: without(sentence, current), scope: { kind: "current" } };
  const folder = folderForm.exec(sentence.text);
  if (folder !== null) {
    const prefix = (folder[1] ?? folder[2] ?? folder[3] ?? "").replace(/\/+$/, "");
    const isWhole = /^(?:this|whole|entire|same|current)$/i.test(prefix);
    return {
      sentence: without(sentence, folder),
      scope: isWhole ? { kind: "all" } : { kind: "folder", prefix },
    };
  }
  const all = allForm.exec(sentence.text);
  if (all !== null) return { sentence: without(sentence, all), scope: { kind: "all" } };
  const leading = /^in\s+(?:the\s+|my\s+)?([\p{L}\p{N}_-]+(?:\s+[\p{L}\p{N}_-]+)?),\s+/iu.exec(sentence.text);
  if (leading === null) return { sentence, scope: { kind: "unsaid" } };
  return { sentence: without(sentence, leading), scope: { kind: "file", name: leading[1] ?? "" } };
}

function without(sentence: Sentence, match: RegExpExecArray): Sentence {
  const before = sentence.text.slice(0, match.index);
  const after = sentence.text.slice(match.index + match[0].length);
  const space = /^[.!?]/.test(after) ? "" : " ";
  return { ...sentence, text: `${before}${space}${after.replace(/^[\s,]+/, "")}`.trim() };
}

/** A file that is named as the object of a verb: a path, a quotation, or the words of its name. */
export function namedFile(sentence: Sentence, words: string): Scope {
  const whole =
    /^\s*(?:in|of|across|for)?\s*(?:all|every|each)\s+(?:(?:of\s+)?(?:the|my|our)\s+)?(?:files?|documents?|notes|chapters)/i;
  if (whole.test(words) || allForm.test(` ${words}`)) return { kind: "all" };
  if (wholeThisDocument.test(words.trim())) return { kind: "current" };
  const path = new RegExp(pathForm, "u").exec(words);
  if (path !== null && !words.includes("⟦")) return { kind: "file", name: path[0] };
  const name = operandOf(sentence, words)
    .replace(
      /^(?:(?:in|of|for|from|trong|của)\s+)?(?:(?:the|my|this|our)\s+)?(?:(?:file|document|tệp)(?:\s+|$))?/i,
      "",
    )
    .replace(/\s*(?:file|document)$/i, "")
    .trim();
  if (/^(?:it|this|that|everything|project|book|text|)$/i.test(name)) return { kind: "unsaid" };
  return { kind: "file", name };
}
