// What the practice model understands: one wish a message, in English or Vietnamese. `phrases` is the whole grammar; the first
// form that matches wins. Their named groups are the parts of a wish; `readers` turns the groups of each kind into a wish.
//
//   quotation   "…" “…” „…“ «…» ‘…’ `…` ```…``` and '…' around whole words. What is quoted is never read as a command: it
//               is masked as ⟦n⟧ while the sentence is understood
//   scope       "in novel.md", "in all files", "in the notes folder", "in this document": taken out before the forms are tried

import { type RequestScope, type Sentence, sentenceOf, takeScope, unmasked } from "./sentence.ts";

export type RequestLanguage = "en" | "vi";

type Wish =
  | {
      readonly kind: "replace";
      readonly from: string;
      readonly to: string;
      readonly isWholeWord: boolean;
      readonly ignoresCase: boolean;
    }
  /** Lines from 1; negative numbers count from the last one, which is -1. Text is inserted before `first`. */
  | { readonly kind: "set" | "insert"; readonly first: number; readonly last: number; readonly text: string }
  | { readonly kind: "delete"; readonly first: number; readonly last: number }
  | { readonly kind: "find"; readonly text: string }
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "list" | "outline" };

export type Request = Wish & { readonly scope: RequestScope; readonly language: RequestLanguage };
export type ReplaceWish = Request & { readonly kind: "replace" };

type Kind = Wish["kind"];

/** Forms are tried in this order, without regard to case, on the sentence without its scope and its last mark. */
const phrases: Readonly<Record<RequestLanguage, readonly (readonly [Kind, RegExp])[]>> = {
  en: [
    ["command", /(?:run|execute)\s+(?:(?:the|this)\s+(?:shell\s+)?command\s+)?(?<command>.+)/],
    ["set", /(?:replace|change|set|rewrite)\s+line\s+(?<line>\d+)\s+(?:with|by|to|as)\s*:?\s+(?<text>.+)/],
    ["delete", /(?:delete|remove)\s+lines?\s+(?<line>\d+)(?:\s*(?:to|-|–|through|and)\s*(?<last>\d+))?/],
    ["delete", /(?:delete|remove)\s+the\s+(?<end>first|last)\s+line/],
    ["insert", /(?:insert|add)\s+(?<text>.+?)\s+(?<side>before|after)\s+line\s+(?<line>\d+)/],
    ["insert", /(?:insert|add|append)\s+(?<text>.+?)\s+(?:at|to)\s+the\s+(?<end>end|start|beginning|top)/],
    ["insert", /(?:append|add)(?:\s*:)?\s+(?<text>.+)/],
    ["insert", /(?<end>prepend)(?:\s*:)?\s+(?<text>.+)/],
    ["replace", /(?:find\s+and\s+)?(?:replace|substitute)\s+(?<from>.+?)\s+(?:with|by)\s+(?<to>.+)/],
    [
      "replace",
      /(?:rename|change|turn|correct|fix)\s+(?:the\s+character\s+)?(?<from>.+?)\s+(?:to|into|->|→)\s+(?<to>.+)/,
    ],
    ["replace", /(?:remove|delete)\s+the\s+(?:word|text|phrase|name)\s+(?<from>.+)/],
    ["list", /(?:list|show)(?:\s+me)?\s+(?:(?:all|the|my|open)\s+)*(?:files|documents|tabs)/],
    ["list", /(?:which|what)\s+(?:files|documents|tabs)(?:\s+(?:are|do|is|have)\b.*)?/],
    ["outline", /(?:(?:show|give)(?:\s+me)?\s+)?(?:(?:the|an)\s+)?(?:outline|headings|table of contents)/],
    ["find", /(?:find|search(?:\s+for)?|look\s+for)\s+(?<text>.+)/],
    ["find", /where\s+(?:is|are|do|does)\s+(?<text>.+?)(?:\s+(?:mentioned|used|named|appears?|occurs?))?/],
    ["find", /(?:which|what)\s+(?:files?|lines?|tabs?)\s+(?:mentions?|contains?|uses?)\s+(?<text>.+)/],
  ],
  vi: [
    ["command", /chạy\s+(?:lệnh\s+)?(?<command>.+)/],
    ["set", /(?:sửa|đổi|thay)\s+dòng\s+(?<line>\d+)\s+(?:thành|bằng)\s+(?<text>.+)/],
    ["delete", /(?:xóa|xoá|bỏ)\s+dòng\s+(?<line>\d+)(?:\s*(?:đến|tới|-|–)\s*(?<last>\d+))?/],
    ["insert", /(?:thêm|chèn)\s+(?<text>.+?)\s+(?<side>trước|sau)\s+dòng\s+(?<line>\d+)/],
    ["insert", /(?:thêm|chèn)\s+(?<text>.+?)\s+vào\s+(?<end>cuối|đầu)/],
    ["insert", /thêm(?:\s*:)?\s+(?<text>.+)/],
    [
      "replace",
      /(?:thay thế|thay đổi|đổi tên|sửa|đổi|thay)\s+(?:nhân vật\s+)?(?<from>.+?)\s+(?:thành|bằng|sang)\s+(?<to>.+)/,
    ],
    ["replace", /(?:xóa|xoá|bỏ)\s+(?:từ|chữ|cụm từ)\s+(?<from>.+)/],
    ["list", /liệt kê\s+(?:(?:các|tất cả)\s+)*(?:tệp|file|tập tin|tài liệu|thẻ|tab)/],
    ["outline", /(?:lập\s+)?dàn ý/],
    ["find", /tìm(?:\s+kiếm)?\s+(?<text>.+)/],
    ["find", /(?<text>.+?)\s+(?:nằm\s+|xuất hiện\s+)?ở đâu/],
  ],
};

const languages: readonly RequestLanguage[] = ["en", "vi"];
const forms = languages.flatMap((language) =>
  phrases[language].map(([kind, form]) => ({
    kind,
    language,
    pattern: new RegExp(`^${form.source}$`, "isu"),
  })),
);

type Groups = Readonly<Record<string, string | undefined>>;

/** Undefined where nothing is understood, also where the message holds a second wish. */
export function requestOf(message: string): Request | undefined {
  const said = sentenceOf(message);
  const isCommand = /^(?:run|execute|chạy)\s/iu.test(said.text);
  if (!isCommand && /[,;.]?\s(?:then|rồi|sau đó)\s|;\s/iu.test(said.text)) return undefined;
  const { sentence: scoped, scope } = isCommand ? { sentence: said, scope: noScope } : takeScope(said);
  const { sentence, flags } = takeFlags(scoped);
  const text = sentence.text.replace(/[.!?]+$/, "");
  for (const { kind, language, pattern } of forms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const wish = wishOf(kind, sentence, match.groups ?? {}, sentence.text.slice(text.length), flags);
    if (wish !== undefined) return { ...wish, scope, language };
  }
  return undefined;
}

const noScope: RequestScope = { kind: "unsaid" };

function takeFlags(sentence: Sentence) {
  const inside = /[,\s(]*(?:also\s+)?inside\s+(?:of\s+)?words\)?/iu;
  const anyCase = /[,\s(]*(?:ignoring\s+case|case[- ]insensitively|không phân biệt hoa thường)\)?/iu;
  const flags = { isWholeWord: !inside.test(sentence.text), ignoresCase: anyCase.test(sentence.text) };
  const text = sentence.text.replace(inside, "").replace(anyCase, "");
  return { sentence: { ...sentence, text }, flags };
}

function wishOf(
  kind: Kind,
  sentence: Sentence,
  groups: Groups,
  mark: string,
  flags: ReturnType<typeof takeFlags>["flags"],
): Wish | undefined {
  const operand = (name: string) => operandOf(sentence, groups[name] ?? "");
  const written = () => writtenOf(sentence, groups.text ?? "", mark);
  switch (kind) {
    case "replace": {
      const [from, to] = [operand("from"), operand("to")];
      // "… with light in the kitchen": a file's name without its ending, or a part of the text? Who means the text quotes it.
      const isUnclear = from === "" || /\s(?:in|trong)\s/iu.test(groups.to ?? "");
      return isUnclear ? undefined : { kind, from, to, ...flags };
    }
    case "set":
      return { kind, ...linesOf(groups), text: written() };
    case "insert":
      return { kind, ...positionOf(groups), text: written() };
    case "delete":
      return { kind, ...linesOf(groups) };
    case "find": {
      const text = operand("text");
      return text === "" ? undefined : { kind, text };
    }
    case "command": {
      const command = commandOf(sentence, (groups.command ?? "") + mark);
      return command === undefined ? undefined : { kind, command };
    }
    default:
      return { kind };
  }
}

function linesOf({ line, last, end }: Groups): { readonly first: number; readonly last: number } {
  const first = line === undefined ? (end?.toLowerCase() === "last" ? -1 : 1) : Number(line);
  return { first, last: Number(last ?? first) };
}

/** The line before which something is inserted; behind the last one where nothing is said. */
function positionOf({ line, side = "", end = "" }: Groups): {
  readonly first: number;
  readonly last: number;
} {
  const isStart = /^(?:start|beginning|top|prepend|đầu)$/iu.test(end);
  const before = line === undefined ? (isStart ? 1 : -1) : Number(line);
  const first = /^(?:after|sau)$/iu.test(side) ? before + 1 : before;
  return { first, last: first };
}

/** What an operand names: its quotation where it has one, else its own words without what only leads to them. */
function operandOf(sentence: Sentence, words: string): string {
  const quoted = /⟦(\d+)⟧/.exec(words);
  if (quoted !== null) return sentence.quotations[Number(quoted[1])] ?? "";
  return words
    .trim()
    .replace(/^(?:(?:all|every|each|the)\s+)*(?:occurrences?|instances?|mentions?)\s+of\s+/i, "")
    .replace(/^(?:all|every|each)\s+(?=\S)/i, "")
    .replace(/^(?:the\s+)?(?:word|name|character|term|phrase|text|typo)\s+(?=\S)/i, "")
    .replace(/^(?:(?:từ|chữ|tên|cụm từ)\s+(?=\S))+/iu, "")
    .replace(/(?:'s|’s)\s+name$/i, "")
    .replace(/[,;:]+$/u, "")
    .trim();
}

/** Text to be written keeps its full stop, which `mark` is where it ends the sentence. */
function writtenOf(sentence: Sentence, words: string, mark: string): string {
  const lead = /^(?:(?:the|a|an|new)\s+)*(?:line|text|sentence|paragraph|dòng)\s*:?\s+(?=\S)/iu;
  const text = words.trim().replace(lead, "");
  const quoted = /^⟦(\d+)⟧$/.exec(text);
  if (quoted !== null) return sentence.quotations[Number(quoted[1])] ?? "";
  return unmasked(sentence, sentence.text.trimEnd().endsWith(text + mark) ? text + mark : text);
}

/** A quoted command as it stands; unquoted, all that is said, if it begins like the name of a program. */
function commandOf(sentence: Sentence, words: string): string | undefined {
  const quoted = /^⟦(\d+)⟧[.!?]*$/.exec(words.trim());
  if (quoted !== null) return sentence.quotations[Number(quoted[1])]?.trim() || undefined;
  const plain = words.trim().replace(/(?<=[\p{L}\p{N}⟧])[.!?]$/u, "");
  const isProgram = /^(?:[A-Z_][A-Z0-9_]*=\S*|[a-z0-9_.~/][\w.+~/-]*)(?:\s|$)/.test(plain);
  const isProse = /^(?:a|an|all|any|every|it|my|our|some|that|the|them|these|this|those|through|your)\b/.test(
    plain,
  );
  return isProgram && !isProse ? unmasked(sentence, plain) : undefined;
}
