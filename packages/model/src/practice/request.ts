// What the practice model understands, in this order; the first that fits is meant. [scope]: "in novel.md", "in all
// files", "in the notes folder", "everywhere", before or after the rest. Names may be quoted or not.
//
//   commands     run|execute `npm test` [in the folder F]; run npm test; run the tests
//   white space  fix|remove|trim … trailing white space | double spaces | white space [scope]
//   headings     demote|promote … headings [by n]; level 2 headings to level 3; ## to ###; heading X to level 3
//   lines        delete lines n to m | first n lines | the line that contains X; replace line n with X; sửa dòng n thành X
//   creation     create a document T|F.md [with the text X]
//   insertion    append|prepend|insert|add X to|at the end of|after line n|under the heading Y|before the line with Y
//                or with the text behind a colon: "append to novel.md: …"
//   replacement  replace A with B, rename|change A to B, sửa|đổi|thay A thành B; whole words, unless "inside words" is said;
//                rename the character A to B, đổi tên nhân vật A thành B
//   setting      change this story from A to B, đổi bối cảnh từ A sang B
//   removal      remove the word A
//   count        how many words|lines|characters|files; how many times does A occur; count A
//   analysis     who are the characters; what is the plot; describe the style; các nhân vật là ai
//   scene        find the scene where …, tìm cảnh …
//   files        list the files|tabs; show F; outline of F; summarise F
//   find         find A, where is A, which files mention A, tìm A

import { isPath, namedFile, operandOf, type Scope, type Sentence, sentenceOf, takeScope } from "./phrases.ts";
import { commandRequest } from "./request-command.ts";
import { headingRequest, insertRequest, lineRequest, type Request, tidyRequest } from "./request-lines.ts";
import {
  analysisRequest,
  creationRequest,
  furtherWish,
  sceneRequest,
  settingRequest,
} from "./request-whole.ts";

/** Undefined where nothing is understood. Several wishes joined by "then" are several requests. */
export function requestsOf(text: string): readonly Request[] | undefined {
  const whole = requestOf(sentenceOf(text));
  const parts = partsOf(text);
  if (parts.length < 2) return whole === undefined ? undefined : [whole];
  const requests = parts.map((part) => requestOf(sentenceOf(part)));
  if (requests.every((request) => request !== undefined)) return requests;
  return whole === undefined ? undefined : [whole];
}

function partsOf(text: string): string[] {
  const { text: masked, quoted } = sentenceOf(text);
  if (masked.includes(":")) return [text];
  return masked
    .split(
      /[,;.]?\s+(?:and\s+then|then|after that,?|rồi|sau đó)\s+|;\s+|(?<!find|search),?\s+and\s+(?=(?:replace|rename|append|prepend|insert|add|delete|remove|fix|count|find|list|outline|summari[sz]e|demote|promote|change|create|run|execute)\s)(?!\w+\s+(?:it|them|that)\s)/iu,
    )
    .map((part) => part.replace(/⟦(\d+)⟧/g, (_, index) => quoted[Number(index)] ?? ""));
}

/** "In novel.md, …": the rest is understood by itself, and the place is where it shall be done. */
function requestOf(sentence: Sentence): Request | undefined {
  const leading = /^((?:in|trong)\s[^,]{1,100},)\s+(.+)$/isu.exec(sentence.text);
  if (leading === null) return requestInSentence(sentence);
  const { scope } = takeScope({ ...sentence, text: `${leading[1]} ` }, "in|trong");
  const request = requestInSentence({ ...sentence, text: leading[2] ?? "" });
  if (
    request === undefined ||
    !("scope" in request) ||
    request.scope.kind !== "unsaid" ||
    scope.kind === "unsaid"
  ) {
    return requestInSentence(sentence);
  }
  if (request.kind !== "replace") return { ...request, scope };
  const { guess, ...sure } = request;
  return { ...sure, scope, isPlaced: true };
}

function requestInSentence(sentence: Sentence): Request | undefined {
  return (
    commandRequest(sentence) ??
    tidyRequest(sentence) ??
    headingRequest(sentence) ??
    lineRequest(sentence) ??
    creationRequest(sentence) ??
    insertRequest(sentence) ??
    settingRequest(sentence) ??
    replaceRequest(sentence) ??
    removalRequest(sentence) ??
    countRequest(sentence) ??
    analysisRequest(sentence) ??
    sceneRequest(sentence) ??
    fileRequest(sentence) ??
    findRequest(sentence)
  );
}

const replaceForms: readonly RegExp[] = [
  /^(?:find|search(?:\s+for)?)\s+(.+?)\s+and\s+(?:replace|change|rename)\s+(?:it|them|that|each|all)\s+(?:with|by|to|into)\s+(.+)$/is,
  /^(?:(?:find|search)\s+and\s+)?(?:replace|substitute|swap|exchange)\s+(.+?)\s+(?:with|by|for|through)\s+(.+)$/is,
  /^(?:rename|change|turn|correct|convert|alter|switch|update|edit|fix|modify|make|set)\s+(.+?)\s+(?:to|into|as|->|→)\s+(.+)$/is,
  /^s\/([^/\n]+)\/([^/\n]*)\/g?$/,
  /^(?:call)\s+(.+?)\s+(⟦\d+⟧|\S+)(?:\s+instead)?$/is,
  /^(.+?)\s+(?:should|must|shall)\s+(?:now\s+)?be\s+(?:called|named|renamed(?:\s+to)?|spelled|written(?:\s+as)?)\s+(.+)$/is,
  /^(?:sửa|đổi|thay|thay đổi|đổi tên|thay thế)\s+(.+?)\s+(?:thành|bằng|sang|là)\s+(.+)$/isu,
];
const vietnamese = /(?<!\p{L})(?:sửa|đổi|thay|thành|tìm|xóa|xoá|đếm|tệp|dòng)(?!\p{L})/iu;

function replaceRequest(original: Sentence): Request | undefined {
  const asFiles = /^rename\s+(?:the\s+)?(?:file\s+)?(\S+)\s+(?:to|into|as)\s+(\S+?)[.!?]*$/i.exec(
    original.text,
  );
  if (asFiles !== null) {
    const [from, to] = [operandOf(original, asFiles[1] ?? ""), operandOf(original, asFiles[2] ?? "")];
    if (isPath(from) && isPath(to)) return { kind: "renameFile", from, to };
  }
  let rest = original.text;
  const isInsideWords = /\b(?:inside|within|parts? of|in the middle of)\s+(?:\w+\s+)?words?\b/i.test(rest);
  const ignoresCase =
    /\b(?:ignor\w+|regardless of|whatever)(?:\s+the)?\s+case\b|\bcase[- ]insensitiv\w+/i.test(rest);
  rest = rest
    .replace(/[\s,(]*(?:(?:as|only)\s+)*(?:(?:the|a)\s+)?whole\s+words?(?:\s+only)?\)?/i, "")
    .replace(
      /[\s,(]*(?:also\s+|even\s+)?(?:as\s+)?\b(?:inside|within|parts? of|in the middle of)\s+(?:\w+\s+)?words?\)?/i,
      "",
    )
    .replace(
      /[\s,(]*(?:(?:ignor\w+|regardless of|whatever)(?:\s+the)?\s+case|case[- ]insensitiv\w+)\)?/i,
      "",
    );
  const scoped = takeScope({ ...original, text: rest }, "in|inside|within|throughout|across|from|trong|ở");
  const { sentence } = scoped;
  for (const form of replaceForms) {
    const match = form.exec(sentence.text);
    if (match === null) continue;
    const [fromWords, toWords] = [match[1] ?? "", match[2] ?? ""];
    // More quotations than operands: something was said that this form does not hold.
    if ([fromWords, toWords].some((words) => words.split("⟦").length > 2)) return undefined;
    const from = operandOf(sentence, fromWords);
    const isEvery = /^(?:all|every|each)\s/i.test(fromWords) || /\s(?:all|both)$/i.test(toWords);
    if (from === "" || isWishForStyle(fromWords, toWords)) continue;
    const scope: Scope = scoped.scope.kind === "unsaid" && isEvery ? { kind: "all" } : scoped.scope;
    const guess = scope.kind === "unsaid" ? guessOf(sentence, toWords) : undefined;
    return {
      kind: "replace",
      from,
      to: operandOf(sentence, toWords),
      scope,
      ...(guess === undefined ? {} : { guess }),
      isPlaced: scoped.scope.kind !== "unsaid",
      isWholeWord: !isInsideWords,
      ignoresCase,
      isCharacter: isCharacter(sentence.text, fromWords, from),
      language: vietnamese.test(original.text) ? "vi" : "en",
    };
  }
  return undefined;
}

/** "The character Ahab", but not "the character ;". */
function isCharacter(text: string, words: string, name: string): boolean {
  const isSaid =
    /^(?:the\s+)?(?:(?:main|minor)\s+)?character(?:'s|’s)?\s+(?:name\s+|named\s+|called\s+)?/i.test(
      words.trim(),
    ) ||
    /^(?:tên\s+)?(?:của\s+)?nhân vật\s/iu.test(words.trim()) ||
    /^đổi tên nhân vật\s/iu.test(text);
  return isSaid && /^\p{Lu}[\p{L}\p{M}]/u.test(name);
}

/** "Edit novel.md to be more exciting" is no replacement, whatever its form. */
function isWishForStyle(from: string, to: string): boolean {
  if (from.includes("⟦") || to.includes("⟦")) return false;
  return (
    /^(?:be|make|have|sound|match|use|read|look|feel|fit)\s/.test(to) ||
    /^(?:(?:the|this|my)\s+)?(?:story|novel|book|text|document|setting|style|tone|plot)\s+from\s/i.test(
      from,
    ) ||
    (isPath(from.trim()) && !isPath(to.trim()))
  );
}

/** "light in the kitchen": the kitchen may be a file. Behind a quotation it is nothing else. */
function guessOf(
  sentence: Sentence,
  words: string,
): { readonly to: string; readonly name: string } | undefined {
  const match =
    /^(.+?)\s+(?:in|throughout|trong)\s+(?:the\s+|my\s+)?(⟦\d+⟧|[\p{L}\p{N}_-]+(?:\s+[\p{L}\p{N}_-]+)?)[.!?]*$/isu.exec(
      words,
    );
  if (match === null) return undefined;
  const file = namedFile(sentence, match[2] ?? "");
  return file.kind === "file" ? { to: operandOf(sentence, match[1] ?? ""), name: file.name } : undefined;
}

function removalRequest(original: Sentence): Request | undefined {
  const { sentence, scope } = takeScope(original, "in|from|inside|throughout|trong|khỏi");
  const match = /^(?:remove|delete|erase|drop|xóa|xoá|bỏ)\s+(.+)$/isu.exec(sentence.text);
  if (match === null) return undefined;
  const words = match[1] ?? "";
  if (
    !/⟦/.test(words) &&
    !/^(?:(?:all|every|each|the)\s+)*(?:words?|names?|phrases?|mentions?|occurrences?|từ|chữ)\s/iu.test(words)
  )
    return undefined;
  const from = operandOf(sentence, words);
  const isEvery = scope.kind === "unsaid" && /^(?:all|every|each)\s/i.test(words);
  const language = vietnamese.test(original.text) ? "vi" : "en";
  const where: Scope = isEvery ? { kind: "all" } : scope;
  return from === ""
    ? undefined
    : {
        kind: "replace",
        from,
        to: "",
        scope: where,
        isPlaced: scope.kind !== "unsaid",
        isWholeWord: true,
        ignoresCase: false,
        isCharacter: false,
        language,
      };
}

function countRequest(original: Sentence): Request | undefined {
  const starts =
    /^(?:count|how many|how often|how long|what is the (?:word|line) count|word count|line count|number of|đếm|có bao nhiêu)(?!\p{L})/iu;
  if (!starts.test(original.text)) return undefined;
  const { sentence, scope } = takeScope(original, "in|of|inside|does|do|has|is|for|trong");
  const times = [
    /^how (?:often|many times)\s+(?:(?:is|are|does|do|did|was|has)\s+)?(.+?)\s*(?:occurs?|appears?|comes? up|mentioned|used|named|stands?|written|been used)?[?.!]*$/is,
    /^(?:count|đếm|number of|how many)\s+(?:(?:all|the|every)\s+)*(?:occurrences?|instances?|mentions?|uses?|times|số lần)\s+(?:of\s+|that\s+)?(.+?)(?:\s+(?:are there|occurs?|appears?|there are|xuất hiện))?[?.!]*$/is,
    /^(?:count|đếm)\s+(?:(?:the|every|all)\s+)*(?:words?\s+)?(⟦\d+⟧)[?.!]*$/is,
  ];
  for (const form of times) {
    const match = form.exec(sentence.text);
    if (match !== null) return { kind: "count", what: { text: operandOf(sentence, match[1] ?? "") }, scope };
  }
  const unit = /\b(word|line|character|letter|file|tab|heading|chapter)s?\b|(từ|dòng|ký tự|tệp)/iu.exec(
    sentence.text,
  );
  if (unit === null) {
    if (/^how long(?!p{L})/i.test(sentence.text))
      return {
        kind: "count",
        what: "words",
        scope: objectOf(sentence, scope, /^how long\s+is\s+(.+?)[?.!]*$/i),
      };
    const plain = /^(?:count|đếm|how many)\s+(.+?)(?:\s+are there)?[?.!]*$/is.exec(sentence.text);
    return plain === null
      ? undefined
      : { kind: "count", what: { text: operandOf(sentence, plain[1] ?? "") }, scope };
  }
  const what = units[(unit[1] ?? unit[2] ?? "").toLowerCase()] ?? "words";
  const object =
    /(?:\bin|\bof|\bdoes|\bdo|\bhas|trong)\s+(.+?)(?:\s+(?:have|has|contain|there|có))?[?.!]*$/iu;
  return { kind: "count", what, scope: objectOf(sentence, scope, object) };
}

const units: Readonly<Record<string, "words" | "lines" | "characters" | "files" | "headings">> = {
  word: "words",
  từ: "words",
  line: "lines",
  dòng: "lines",
  character: "characters",
  letter: "characters",
  "ký tự": "characters",
  file: "files",
  tab: "files",
  tệp: "files",
  heading: "headings",
  chapter: "headings",
};

function objectOf(sentence: Sentence, scope: Scope, form: RegExp): Scope {
  if (scope.kind !== "unsaid") return scope;
  const match = form.exec(sentence.text);
  return match === null ? scope : namedFile(sentence, match[1] ?? "");
}

function fileRequest(original: Sentence): Request | undefined {
  const { text } = original;
  const listing =
    /^(?:(?:list|show|display|give)(?:\s+me)?\s+(?:all\s+|every\s+)?(?:(?:the|my|of the)\s+)?(?:project(?:'s)?\s+|open\s+)?(?:files?|documents|tabs)|(?:what|which)\s+(?:files|documents|tabs)(?:\s+(?:are|do|does|is|have)\b.*)?|ls|what(?: is|'s) (?:in )?(?:here|this (?:folder|project))|liệt kê (?:các |tất cả )*(?:tệp|file|tập tin|thẻ|tab|tài liệu))(?=[\s.!?]|$)/iu;
  if (listing.test(text) && !/\b(?:contain|mention|with|use|where)\w*\b/i.test(text)) {
    return { kind: "list", scope: takeScope(original, "in|under|of").scope };
  }
  const shown = /^(?:show|read|open|print|display|cat)(?:\s+me)?\s+(.+?)[?.!]*$/is.exec(text);
  const shownFile = shown === null ? undefined : namedFile(original, shown[1] ?? "");
  if (shownFile?.kind === "file" && isPath(shownFile.name)) return { kind: "show", scope: shownFile };
  const outline =
    /^(?:outline|(?:show|give|list|print|display|what (?:is|are))(?:\s+me)?\s+(?:all\s+)?(?:(?:the|an|a)\s+)?(?:outline|headings|structure|table of contents|chapters|sections)|dàn ý)(?!\p{L})\s*(?:(?:of|in|for|from|của)\s+)?(.*?)[?.!]*$/isu.exec(
      text,
    );
  if (outline !== null) return { kind: "outline", scope: namedFile(original, outline[1] ?? "") };
  const summary =
    /^(?:summari[sz]e|sum up|(?:give|write|show|make)(?:\s+me)?\s+(?:(?:a|the)\s+)?(?:short\s+|brief\s+)?(?:summary|overview)(?:\s+(?:of|for))?|(?:a\s+)?summary(?:\s+of)?|tl;?dr|tóm tắt)(?!\p{L})\s*(.*?)[?.!]*$/isu.exec(
      text,
    ) ?? /^what\s+(?:is|does)\s+(.+?)\s+(?:about|say)[?.!]*$/is.exec(text);
  if (summary !== null) return { kind: "summarise", scope: namedFile(original, summary[1] ?? "") };
  return undefined;
}

function findRequest(original: Sentence): Request | undefined {
  const { sentence, scope } = takeScope(original, "in|inside|within|trong");
  const forms = [
    /^(?:find|search(?:\s+for)?|look\s+(?:for|up)|locate|grep|show(?:\s+me)?|tìm(?:\s+kiếm)?)\s+(?:(?:all|every|each|the|any|me)\s+)*(?:(?:lines?|places?|passages?|files?)\s+(?:that\s+|which\s+|where\s+)?(?:contain|mention|use|with|say)\w*\s+)?(?:where\s+)?(.+?)(?:\s+(?:is|are)\s+(?:mentioned|used|named))?[?.!]*$/isu,
    /^where\s+(?:is|are|do|does|did|was|were|can i find|do i find|else is)\s+(.+?)(?:\s+(?:mentioned|used|occurs?|appears?|come up|comes up|named|stands?|written|described|defined|found|say|talk about))*[?.!]*$/is,
    /^(?:which|what)\s+(?:files?|tabs?|chapters?|notes?|lines?|documents?)\s+(?:contains?|mentions?|uses?|has|have|names?|say)\s+(.+?)[?.!]*$/is,
    /^(.+?)\s+(?:ở đâu|nằm ở đâu|xuất hiện ở đâu)[?.!]*$/isu,
  ];
  for (const form of forms) {
    const match = form.exec(sentence.text);
    if (match !== null && furtherWish.test(match[1] ?? "")) return undefined;
    const query = match === null ? "" : operandOf(sentence, match[1] ?? "");
    const isOfFiles = scope.kind === "unsaid" && /^(?:which|what)\s+(?!lines?\s)/i.test(sentence.text);
    if (query !== "") return { kind: "find", query, scope: isOfFiles ? { kind: "all" } : scope };
  }
  return undefined;
}
