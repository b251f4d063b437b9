// Requests about lines and their form: white space, headings, single lines, insertions (see request.ts).

import { namedFile, operandOf, type Scope, type Sentence, takeScope, writtenTextOf } from "./phrases.ts";

export type Language = "en" | "vi";

export type Place =
  | { readonly kind: "start" }
  | { readonly kind: "end" }
  | { readonly kind: "line"; readonly line: number; readonly side: "before" | "after" }
  | { readonly kind: "heading"; readonly title: string; readonly side: "before" | "after" }
  | { readonly kind: "text"; readonly text: string; readonly side: "before" | "after" };

export type LineChoice =
  /** Negative numbers count from the last line, which is -1. */
  | { readonly kind: "range"; readonly first: number; readonly last: number }
  | { readonly kind: "containing"; readonly text: string; readonly isEvery: boolean };

export type Request =
  | {
      readonly kind: "replace";
      readonly from: string;
      readonly to: string;
      readonly scope: Scope;
      /** What is meant instead if a file has this name. */
      readonly guess?: { readonly to: string; readonly name: string };
      /** Whether the sentence says where. "Every" alone means all files of a project, but not more than a document in front. */
      readonly isPlaced: boolean;
      readonly isWholeWord: boolean;
      readonly ignoresCase: boolean;
      /** The text is the name of a character of a story. */
      readonly isCharacter: boolean;
      readonly language: Language;
    }
  | { readonly kind: "renameFile"; readonly from: string; readonly to: string }
  | { readonly kind: "setLine"; readonly line: number; readonly text: string; readonly scope: Scope }
  | { readonly kind: "insert"; readonly text: string; readonly place: Place; readonly scope: Scope }
  | { readonly kind: "delete"; readonly lines: LineChoice; readonly scope: Scope }
  | { readonly kind: "tidy"; readonly isTrailing: boolean; readonly isDouble: boolean; readonly scope: Scope }
  | { readonly kind: "headings"; readonly change: HeadingChange; readonly scope: Scope }
  | {
      readonly kind: "count";
      readonly what: "words" | "lines" | "characters" | "files" | "headings" | { readonly text: string };
      readonly scope: Scope;
    }
  | { readonly kind: "list" | "outline" | "summarise" | "show"; readonly scope: Scope }
  | { readonly kind: "find"; readonly query: string; readonly scope: Scope }
  | { readonly kind: "findScene"; readonly description: string; readonly scope: Scope }
  | { readonly kind: "analyse"; readonly task: "characters" | "plot" | "style"; readonly scope: Scope }
  | {
      readonly kind: "setting";
      readonly from: string;
      readonly to: string;
      readonly scope: Scope;
      readonly language: Language;
    }
  | { readonly kind: "create"; readonly title: string; readonly text: string }
  | {
      readonly kind: "command";
      /** Undefined: whatever runs the tests here. */
      readonly command: string | undefined;
      readonly folder: string | undefined;
    };

export interface HeadingChange {
  /** Only headings of this level. */
  readonly level?: number;
  /** Only the heading with this title. */
  readonly title?: string;
  readonly to: { readonly by: number } | { readonly level: number };
}

export function tidyRequest(original: Sentence): Request | undefined {
  const { text } = original;
  if (
    !/^(?:fix|remove|strip|trim|delete|clean(?:\s+up)?|tidy(?:\s+up)?|get rid of|collapse|correct|replace|xóa|xoá)(?!\p{L})/iu.test(
      text,
    )
  )
    return undefined;
  const isTrailing =
    /\b(?:trailing|end[- ]of[- ]line)\b.*?\b(?:white\s?-?spaces?|spaces?|blanks?|tabs?)\b|\b(?:white\s?-?space|spaces)\s+at\s+(?:the\s+)?(?:line\s+ends?|ends?\s+of)/i.test(
      text,
    );
  const isDouble =
    /\b(?:double[d]?|multiple|extra|repeated|superfluous)\s+(?:white\s?-?)?(?:spaces?|blanks?)\b/i.test(text);
  const isGeneral = /\bwhite\s?-?space\b/i.test(text) && !isTrailing && !isDouble;
  if (!isTrailing && !isDouble && !isGeneral) return undefined;
  const { scope, sentence } = takeScope(original, "in|from|of|inside");
  const object = /\s(?:in|from|of)\s+([^⟦]+?|⟦\d+⟧)[.!?]*$/i.exec(
    sentence.text.replace(/at the ends? of(?: the)?(?: all)? lines?/i, ""),
  );
  const named = scope.kind === "unsaid" && object !== null ? namedFile(sentence, object[1] ?? "") : scope;
  return { kind: "tidy", isTrailing: isTrailing || isGeneral, isDouble: isDouble || isGeneral, scope: named };
}

export function headingRequest(original: Sentence): Request | undefined {
  const { sentence, scope } = takeScope(original, "in|of|from|inside");
  const { text } = sentence;
  const marks =
    /^(?:change|turn|convert|make|replace)\s+(?:(?:all|every|the)\s+)*(#{1,6})\s*(?:headings?\s+)?(?:to|into|with|by)\s+(?:be\s+)?(#{1,6})(?:\s+headings?)?[.!]*$/i.exec(
      text,
    );
  if (marks !== null) {
    return {
      kind: "headings",
      change: { level: marks[1]?.length ?? 1, to: { level: marks[2]?.length ?? 1 } },
      scope,
    };
  }
  const levels =
    /^(?:change|turn|convert|make|set)\s+(?:(?:all|every|the)\s+)*(?:level[- ](\d)|h(\d))(?:\s+headings?)?\s+(?:to|into|be|as)?\s*(?:be\s+)?(?:level[- ](\d)|h(\d))(?:\s+headings?)?[.!]*$/i.exec(
      text,
    );
  if (levels !== null) {
    const change = { level: Number(levels[1] ?? levels[2]), to: { level: Number(levels[3] ?? levels[4]) } };
    return { kind: "headings", change, scope };
  }
  const every =
    /^(?:change|turn|convert|make|set)\s+(?:(?:all|every|the)\s+)*headings?\s+(?:(?:to|into|be)\s+)?(?:level[- ](\d)|h(\d))[.!]*$/i.exec(
      text,
    );
  if (every !== null) {
    return { kind: "headings", change: { to: { level: Number(every[1] ?? every[2]) } }, scope };
  }
  const single =
    /^(?:change|turn|make|set|convert)\s+(?:the\s+)?(?:level\s+of\s+)?(?:the\s+)?heading\s+(.+?)\s+(?:to|into|be|a|as)?\s*(?:a\s+)?(?:level[- ](\d)|h(\d))(?:\s+heading)?[.!]*$/i.exec(
      text,
    );
  if (single !== null) {
    const title = operandOf(sentence, single[1] ?? "").replace(/\s+(?:to|into|be|a)$/i, "");
    return { kind: "headings", change: { title, to: { level: Number(single[2] ?? single[3]) } }, scope };
  }
  if (
    !/\bheadings?\b/i.test(text) ||
    !/^(?:demote|promote|increase|decrease|raise|lower|shift|move|make|push|indent|outdent|deepen|change)\b/i.test(
      text,
    )
  )
    return undefined;
  const isDemotion =
    /^(?:demote|lower|push|indent|deepen)\b|\b(?:deeper|lower|down|smaller|demote)\b|^increase\b.*\blevels?\b/i.test(
      text,
    );
  const isPromotion =
    /^(?:promote|raise|outdent)\b|\b(?:higher|up|bigger|larger|shallower)\b|^decrease\b.*\blevels?\b/i.test(
      text,
    );
  if (isDemotion === isPromotion) return undefined;
  const amount =
    numberIn(
      /\b(?:by\s+)?(\d|one|two|three)(?:\s+levels?|\s*$|[.!]|\s+(?:deeper|lower|higher|up|down))/i.exec(
        text,
      )?.[1],
    ) ?? 1;
  const ofOne =
    /\bheading\s+(⟦\d+⟧|(?!by\b|levels?\b|in\b|one\b|up\b|down\b)[^⟦]+?)(?:\s+(?:by\s+)?(?:\d|one|two|three)\b.*|\s+(?:up|down|deeper|higher|lower))?[.!]*$/i.exec(
      text,
    );
  const level = /\b(?:level[- ](\d)|h(\d))\s+headings?\b/i.exec(text);
  const object =
    /\bheadings?\s+(?:in|of|from)\s+(.+?)(?:\s+(?:by\s|one\s|a\s|two\s|up|down|deeper).*)?[.!]*$/i.exec(text);
  const change: HeadingChange = {
    to: { by: isDemotion ? amount : -amount },
    ...(level === null ? {} : { level: Number(level[1] ?? level[2]) }),
    ...(ofOne === null ? {} : { title: operandOf(sentence, ofOne[1] ?? "") }),
  };
  const named = scope.kind === "unsaid" && object !== null ? namedFile(sentence, object[1] ?? "") : scope;
  return { kind: "headings", change, scope: named };
}

export function lineRequest(original: Sentence): Request | undefined {
  const { sentence, scope } = takeScope(original, "in|of|from|inside|trong|của|khỏi|ở");
  const { text } = sentence;
  const set =
    /^(?:(?:replace|change|set|rewrite|make|turn)\s+(?:the\s+)?line\s+(\d+)\s+(?:with|by|to|into|as|say|read)|(?:sửa|đổi|thay)\s+dòng\s+(\d+)\s+(?:thành|bằng))\s*:?\s+(.+)$/isu.exec(
      text,
    );
  if (set !== null) {
    return {
      kind: "setLine",
      line: Number(set[1] ?? set[2]),
      text: writtenTextOf(sentence, set[3] ?? ""),
      scope,
    };
  }
  const verb = /^(?:delete|remove|erase|drop|cut|xóa|xoá|bỏ)\s+(.+)$/isu.exec(text);
  if (verb === null) return undefined;
  const object = (verb[1] ?? "").replace(/[.!?]+$/, "");
  const range =
    /^(?:the\s+)?(?:lines?|dòng)\s+(\d+)(?:\s*(?:to|-|–|through|thru|until|till|and|\.\.|đến|tới)\s*(?:lines?\s+)?(\d+))?$/iu.exec(
      object,
    );
  if (range !== null) {
    const first = Number(range[1]);
    return { kind: "delete", lines: { kind: "range", first, last: Number(range[2] ?? first) }, scope };
  }
  const ordinal = ordinals.indexOf(/^(?:the\s+)?(\p{L}+)\s+line$/iu.exec(object)?.[1]?.toLowerCase() ?? "");
  if (ordinal > 0) {
    return { kind: "delete", lines: { kind: "range", first: ordinal + 1, last: ordinal + 1 }, scope };
  }
  const end = /^(?:the\s+)?(first|last)(?:\s+(\d+|one|two|three))?\s+lines?$/i.exec(object);
  if (end !== null) {
    const count = numberIn(end[2]) ?? 1;
    const isFirst = end[1]?.toLowerCase() === "first";
    return {
      kind: "delete",
      lines: { kind: "range", first: isFirst ? 1 : -count, last: isFirst ? count : -1 },
      scope,
    };
  }
  const containing =
    /^(?:(all|every|each|the|any|tất cả)\s+)*(?:các\s+)?(lines?|dòng)\s+(?:(?:that|which|có)\s+)?(?:contain(?:s|ing)?|mention(?:s|ing)?|with|say(?:s|ing)?|ha(?:s|ve|ving)|includ(?:es?|ing)|chứa|có)\s+(.+)$/isu.exec(
      object,
    );
  if (containing === null) return undefined;
  const isEvery = /^(?:all|every|each|any|tất cả)/iu.test(object) || containing[2]?.toLowerCase() === "lines";
  return {
    kind: "delete",
    lines: { kind: "containing", text: operandOf(sentence, containing[3] ?? ""), isEvery },
    scope,
  };
}

export function insertRequest(original: Sentence): Request | undefined {
  const verb = /^(append|prepend|insert|add|write|put|thêm|chèn)\s+/iu
    .exec(original.text)?.[1]
    ?.toLowerCase();
  if (verb === undefined) return undefined;
  // A colon behind a quotation belongs to something else, such as a heading's title.
  const colon = /^([^\n:⟦]*?)\s*:\s*([\s\S]+)$/u.exec(original.text);
  const [before, behind] = colon === null ? [original.text, undefined] : [colon[1] ?? "", colon[2] ?? ""];
  const { sentence, scope } = takeScope(
    { ...original, text: before },
    "in|to|into|of|onto|inside|trong|vào|của",
  );
  const [rest, place] = takePlace(sentence, verb);
  const words = rest.replace(/^(?:append|prepend|insert|add|write|put|thêm|chèn)\s*/iu, "");
  const object = /^(.*?)\s*(?<!\p{L})(?:to|into|in|of)\s+(?:the\s+)?([\p{L}\p{N}_ -]+|⟦\d+⟧)[.!?]*$/isu.exec(
    ` ${words}`,
  );
  const isToFile = place.kind === "end" && /\s(?:to|into)\s+(?:the\s+)?[\p{L}\p{N}_-]+[.!?]*$/u.test(words);
  const isNamed =
    scope.kind === "unsaid" &&
    object !== null &&
    (behind !== undefined || /⟦/.test(object[1] ?? "") || isToFile);
  const named = isNamed ? namedFile(sentence, object?.[2] ?? "") : scope;
  const text = writtenTextOf(sentence, behind ?? (isNamed ? (object?.[1] ?? "") : words));
  // "Add a scene about the storm" wants text that somebody has to write first.
  const isGiven = behind !== undefined || words.includes("⟦");
  const isOwnWords =
    !/^(?:write|put)$/.test(verb) && !/^(?:a|an|some|more|another|one|two|three)\s/.test(words);
  if (text === "" || !(isGiven || isOwnWords)) return undefined;
  return { kind: "insert", text, place, scope: named };
}

const places: readonly (readonly [RegExp, (match: RegExpExecArray, sentence: Sentence) => Place])[] = [
  [
    /[\s,]*\b(before|above|after|below|behind|under|at)\s+line\s+(\d+)/i,
    (match) => ({
      kind: "line",
      line: Number(match[2]),
      side: sideOf(match[1] === "at" ? "before" : match[1]),
    }),
  ],
  [
    /[\s,]*(trước|sau)\s+dòng\s+(\d+)/iu,
    (match) => ({ kind: "line", line: Number(match[2]), side: match[1] === "trước" ? "before" : "after" }),
  ],
  [
    /[\s,]*\b(before|above|after|below|behind|under)\s+(?:the\s+)?(?:heading|section|chapter heading|title)\s+(⟦\d+⟧|[^⟦]+?)(?=\s*[.!?]?\s*$)/i,
    (match, sentence) => ({
      kind: "heading",
      title: operandOf(sentence, match[2] ?? ""),
      side: sideOf(match[1]),
    }),
  ],
  [
    /[\s,]*\b(before|above|after|below|behind|under)\s+(?:the\s+)?(⟦\d+⟧|[^⟦]+?)\s+(?:heading|section)(?=\s*[.!?]?\s*$)/i,
    (match, sentence) => ({
      kind: "heading",
      title: operandOf(sentence, match[2] ?? ""),
      side: sideOf(match[1]),
    }),
  ],
  [
    /[\s,]*\b(before|above|after|below|behind)\s+(?:the\s+)?line\s+(?:(?:that|which)\s+)?(?:contain(?:s|ing)|with|says?|saying|mentions?|mentioning|has)\s+(⟦\d+⟧|[^⟦]+?)(?=\s*[.!?]?\s*$)/i,
    (match, sentence) => ({
      kind: "text",
      text: operandOf(sentence, match[2] ?? ""),
      side: sideOf(match[1]),
    }),
  ],
  [
    /[\s,]*\b(before|above|after|below|behind|under)\s+(⟦\d+⟧)(?=\s*[.!?]?\s*$)/i,
    (match, sentence) => ({
      kind: "text",
      text: operandOf(sentence, match[2] ?? ""),
      side: sideOf(match[1]),
    }),
  ],
  [
    /[\s,]*\b(?:at|to|on)\s+(?:the\s+)?(?:very\s+)?(?:end|bottom)(?:\s+of(?:\s+the\s+file)?)?|[\s,]*(?:ở\s+|vào\s+)?cuối(?:\s+tệp)?/iu,
    () => ({ kind: "end" }),
  ],
  [
    /[\s,]*\b(?:at|to|on)\s+(?:the\s+)?(?:very\s+)?(?:start|beginning|top|front)(?:\s+of(?:\s+the\s+file)?)?|[\s,]*(?:ở\s+|vào\s+)?đầu(?:\s+tệp)?/iu,
    () => ({ kind: "start" }),
  ],
];

function takePlace(sentence: Sentence, verb: string): readonly [string, Place] {
  for (const [form, place] of places) {
    const match = form.exec(sentence.text);
    if (match === null) continue;
    const rest = sentence.text.slice(0, match.index) + sentence.text.slice(match.index + match[0].length);
    return [rest.trim(), place(match, sentence)];
  }
  return [sentence.text, { kind: verb === "prepend" ? "start" : "end" }];
}

function sideOf(word: string | undefined): "before" | "after" {
  return /^(?:before|above)$/i.test(word ?? "") ? "before" : "after";
}

const ordinals = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");

function numberIn(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  const named = ["one", "two", "three"].indexOf(word.toLowerCase());
  const number = named < 0 ? Number(word) : named + 1;
  return Number.isFinite(number) ? number : undefined;
}
