// Requests about a document as a whole: its characters, plot and style, a scene by what happens in it, another setting, and
// a new document (see request.ts).

import {
  isPath,
  namedFile,
  operandOf,
  type Scope,
  type Sentence,
  takeScope,
  writtenTextOf,
} from "./phrases.ts";
import type { Request } from "./request-lines.ts";

type Task = (Request & { readonly kind: "analyse" })["task"];

const analysisForms: readonly (readonly [Task, RegExp])[] = [
  [
    "characters",
    /^(?:who\s+are|what\s+are|list|name|show(?:\s+me)?|give\s+me|tell\s+me|find|extract|identify|analy[sz]e)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:main\s+|major\s+|important\s+)?(?:characters|people|protagonists)(?:\s+(?:in|of|from)\s+(.+?))?[?.!]*$/is,
  ],
  [
    "characters",
    /^(?:which|what)\s+characters\s+(?:are\s+there|appear|occur|does|do)(?:\s+(?:in|of)\s+(.+?))?[?.!]*$/is,
  ],
  [
    "characters",
    /^(?:ai là|liệt kê|kể tên|có những|cho (?:tôi )?biết|tìm)\s+(?:tất cả\s+)?(?:các\s+|những\s+)?nhân vật(?:\s+chính)?(?:\s+nào)?(?:\s+(?:trong|của)\s+(.+?))?[?.!]*$/isu,
  ],
  [
    "characters",
    /^(?:các\s+|những\s+)?nhân vật(?:\s+chính)?(?:\s+(?:trong|của)\s+(.+?))?\s+(?:là|gồm)\s+(?:những\s+)?ai[?.!]*$/isu,
  ],
  [
    "plot",
    /^(?:(?:what\s+is|what's|describe|analy[sz]e|tell\s+me)\s+(?:the\s+)?plot|(?:phân tích\s+)?cốt truyện(?:\s+là\s+gì)?)(?:\s+(?:in|of|trong|của)\s+(.+?))?[?.!]*$/isu,
  ],
  [
    "style",
    /^(?:(?:what\s+is|what's|describe|analy[sz]e)\s+(?:the\s+)?(?:writing\s+)?style|phân tích (?:văn phong|phong cách))(?:\s+(?:in|of|trong|của)\s+(.+?))?[?.!]*$/isu,
  ],
];

export function analysisRequest(sentence: Sentence): Request | undefined {
  for (const [task, form] of analysisForms) {
    const match = form.exec(sentence.text);
    if (match === null) continue;
    const scope: Scope = match[1] === undefined ? { kind: "unsaid" } : namedFile(sentence, match[1]);
    return { kind: "analyse", task, scope };
  }
  return undefined;
}

const sceneForms: readonly RegExp[] = [
  /^(?:find|show(?:\s+me)?|locate|search\s+for|look\s+for|where\s+is)\s+(?:me\s+)?(?:the\s+|a\s+|any\s+|all\s+)?(?:scene|passage|part|moment|paragraph|section|bit)s?\s+(?:where|when|in\s+which|about|that\s+describes?|describing)\s+(.+?)[?.!]*$/is,
  /^tìm\s+(?:cho tôi\s+)?(?:cảnh|đoạn văn|đoạn|chỗ|phần)\s+(?:(?:mà|khi|lúc|nơi|nói về|kể về|tả|về)\s+)*(.+?)[?.!]*$/isu,
];

/** What is wanted with the found text besides finding it is more than a search can do. */
export const furtherWish =
  /(?:\band|,|\bthen|và|rồi)\s+(?:then\s+)?(?:expand|rewrite|improve|shorten|extend|change|edit|make|delete|remove|translate|viết|sửa|xóa|mở rộng)(?!\p{L})/iu;

export function sceneRequest(original: Sentence): Request | undefined {
  const { sentence, scope } = takeScope(original, "in|inside|within|trong");
  for (const form of sceneForms) {
    const match = form.exec(sentence.text);
    const words = match?.[1] ?? "";
    if (words === "" || furtherWish.test(words)) continue;
    // A quotation alone is the text that is sought, not what it means.
    if (/^⟦\d+⟧$/.test(words)) return { kind: "find", query: operandOf(sentence, words), scope };
    return { kind: "findScene", description: writtenTextOf(sentence, words), scope };
  }
  return undefined;
}

const settingForms: readonly RegExp[] = [
  /^(?:change|move|transfer|relocate|shift|adapt)\s+(?:(?:the|this|my)\s+)?(?:story|novel|book|text|document|setting|scene)(?:'s\s+setting)?\s+from\s+(.+?)\s+to\s+(.+?)[.!]*$/is,
  /^(?:đổi|chuyển|thay)\s+(?:bối cảnh|truyện|câu chuyện|tiểu thuyết)(?:\s+này)?\s+từ\s+(.+?)\s+(?:sang|thành|đến|tới)\s+(.+?)[.!]*$/isu,
];

/** "Change this story from London to Tokyo." */
export function settingRequest(original: Sentence): Request | undefined {
  const ofSetting = /^(\S+)\s+(?:the\s+)?setting\s+of\s+(?:this|the)\s+(?:story|novel|book|text|document)\s/i;
  const text = original.text.replace(ofSetting, "$1 the setting ");
  const { sentence, scope } = takeScope({ ...original, text }, "in|of|trong|của");
  for (const [index, form] of settingForms.entries()) {
    const match = form.exec(sentence.text);
    if (match === null) continue;
    const [from, to] = [operandOf(sentence, match[1] ?? ""), operandOf(sentence, match[2] ?? "")];
    if (from !== "" && to !== "")
      return { kind: "setting", from, to, scope, language: index === 0 ? "en" : "vi" };
  }
  return undefined;
}

const bareCreation =
  /^(?:create|make)\s+(⟦\d+⟧|[^\s:⟦]+\.[\p{L}\p{N}]+)(?:\s*(?::|,?\s*(?:with|containing|saying)(?:\s+the)?(?:\s+(?:text|content|line))?\s*:?)\s*(.+))?$/isu;
const saidText = /\s(?:with|containing)\s+the\s+(?:text|content|line)\s/i;

const creationForms: readonly RegExp[] = [
  /^(?:create|make|start|open|add)\s+(?:an?\s+)?(?:new\s+)?(?:empty\s+|blank\s+)?(?:document|tab|file|note)\s+(?:(?:called|named|titled)\s+)?(⟦\d+⟧|[^\s:⟦]+\.[\p{L}\p{N}]+)(?:\s*(?::|,?\s*(?:with|containing|saying)(?:\s+the)?(?:\s+(?:text|content|line))?\s*:?)\s*(.+))?$/isu,
  bareCreation,
  /^(?:tạo|mở)\s+(?:một\s+)?(?:tệp|tập tin|tài liệu|văn bản|thẻ|tab|file)\s+(?:mới\s+)?(?:(?:có\s+)?tên(?:\s+là)?\s+)?(⟦\d+⟧|[^\s:⟦]+\.[\p{L}\p{N}]+)(?:\s*(?::|,?\s*(?:với|có|chứa)(?:\s+(?:nội dung|dòng|chữ))?\s*:?)\s*(.+))?$/isu,
];

export function creationRequest(sentence: Sentence): Request | undefined {
  for (const form of creationForms) {
    const match = form.exec(sentence.text);
    if (match === null) continue;
    const title = operandOf(sentence, match[1] ?? "");
    const words = match[2] ?? "";
    // "… with a poem about the sea" wants text that somebody has to write first.
    const isGiven =
      words === "" || words.includes("⟦") || sentence.text.includes(":") || saidText.test(sentence.text);
    if (title === "" || !isGiven) return undefined;
    // Without a word for what it is, only a path names it.
    if (form === bareCreation && !isPath(title)) return undefined;
    return { kind: "create", title, text: words === "" ? "" : writtenTextOf(sentence, words) };
  }
  return undefined;
}
