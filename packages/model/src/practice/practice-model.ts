// The practice model: Stet's embedded default while no real model is connected. It is a deterministic program behind the
// model contract, and says so. It understands a fixed set of requests (request.ts), knows the tools of the
// toolsets in toolset.ts, and makes one call at a time. Asked as a subagent, it answers from the text it is given
// (subagent.ts).
//
// It has no memory: like any model it decides the next step from the request alone. Each step repeats its skill over the
// calls and results in the conversation (steps.ts).

import type { AssistantContent } from "@stet/protocol/message";
import type { Model, ModelRequest } from "@stet/protocol/model-stream";
import { freePrice } from "../prices.ts";
import { conversationOf } from "./conversation.ts";
import { deleteLines, insertText, setLine } from "./line-skills.ts";
import { count, findText, listFiles, outlineFile, showFile, summariseFile } from "./look.ts";
import { replaceText, settled } from "./replace.ts";
import { requestsOf } from "./request.ts";
import type { Request } from "./request-lines.ts";
import { lastAnswer, nextStep, Obstacle, type Steps } from "./steps.ts";
import { speak } from "./stream.ts";
import { isSubagentRequest, subagentAnswer } from "./subagent.ts";
import type { Desk } from "./target.ts";
import { changeHeadings, tidySpaces } from "./tidy.ts";
import { toolsetFor, toolsetOf } from "./toolset.ts";

export interface PracticeOptions {
  /** Between two words; 0 streams as fast as it is read. */
  readonly wordDelayMs?: number;
}

const speaker = { provider: "practice", name: "practice" };

export function practiceModel({ wordDelayMs = 4 }: PracticeOptions = {}): Model {
  return {
    ...speaker,
    contextWindow: 1_000_000,
    price: freePrice,
    maxOutput: 32_768,
    stream: (request, signal) => {
      // Nobody watches a subagent speak.
      const pace = { wordDelayMs: isSubagentRequest(request) ? 0 : wordDelayMs, signal };
      return speak(speaker, request, () => blocksOf(request), pace);
    },
  };
}

function blocksOf(request: ModelRequest): readonly AssistantContent[] {
  const asSubagent = subagentAnswer(request);
  if (asSubagent !== undefined) return asSubagent;
  const conversation = conversationOf(request.messages, (text) => requestsOf(text) !== undefined);
  const requests = requestsOf(conversation.request);
  if (requests === undefined) return [{ type: "text", text: unknownRequest(conversation.request) }];
  const { answer, records } = conversation;
  const toolset = toolsetFor(request.toolChoice === "none" ? [] : request.tools);
  if (toolset === undefined) {
    const before = toolsetOf(records);
    if (before === undefined) return [{ type: "text", text: noTools }];
    return [{ type: "text", text: lastAnswer(carryOut({ toolset: before, answer }, requests), records) }];
  }
  const step = nextStep(carryOut({ toolset, answer }, requests), records);
  if (typeof step === "string") return [{ type: "text", text: step }];
  const call: AssistantContent = {
    type: "toolCall",
    id: `practice_${request.messages.length}`,
    name: step.tool,
    arguments: step.arguments,
  };
  if (step.thought === "" || request.thinking === "off") return [call];
  return [{ type: "thinking", thinking: step.thought }, call];
}

function* carryOut(desk: Desk, requests: readonly Request[]): Steps<string> {
  const answers: string[] = [];
  for (const request of requests) {
    if (desk.toolset.isStopped?.()) break;
    const placed = yield* placedRequest(desk, request);
    if (placed instanceof Obstacle) answers.push(placed.sentence);
    else answers.push(yield* desk.toolset.skill?.(desk, placed) ?? skillFor(desk, placed));
  }
  const language = requests.some((request) => "language" in request && request.language === "vi")
    ? "vi"
    : "en";
  const last = yield* desk.toolset.finish?.(language) ?? nothingLeft();
  return [answers.join("\n\n"), ...(last === undefined ? [] : [last])].join(" ");
}

/** The request with its place as the toolset understands it. */
function* placedRequest(desk: Desk, asked: Request): Steps<Request | Obstacle> {
  if (!("scope" in asked) || asked.kind === "list") return asked;
  const request = asked.kind === "replace" ? yield* settled(desk, asked) : asked;
  if (request instanceof Obstacle) return request;
  const isPlaced = request.kind !== "replace" || request.isPlaced;
  const scope = yield* desk.toolset.place(isPlaced ? request.scope : { kind: "unsaid" });
  if (scope instanceof Obstacle) return scope;
  return scope.kind === "unsaid" && !isPlaced ? request : { ...request, scope };
}

// biome-ignore lint/correctness/useYield: it stands for a last step where there is none.
function* nothingLeft(): Steps<undefined> {
  return undefined;
}

function skillFor(desk: Desk, request: Request): Steps<string> {
  switch (request.kind) {
    case "replace":
      return replaceText(desk, request);
    case "renameFile":
      return refuse(
        `I have no tool that renames a file, so ${request.from} keeps its name. If you mean the text “${request.from}” inside files, say: replace “${request.from}” with “${request.to}” in all files.`,
      );
    case "setLine":
      return setLine(desk, request);
    case "insert":
      return insertText(desk, request);
    case "delete":
      return deleteLines(desk, request);
    case "tidy":
      return tidySpaces(desk, request);
    case "headings":
      return changeHeadings(desk, request);
    case "count":
      return count(desk, request);
    case "list":
      return listFiles(desk, request);
    case "outline":
      return outlineFile(desk, request);
    case "summarise":
      return summariseFile(desk, request);
    case "show":
      return showFile(desk, request);
    case "find":
      return findText(desk, request);
    case "findScene":
      return findText(desk, { kind: "find", query: request.description, scope: request.scope });
    case "analyse":
      return refuse(
        `I have no tool here that looks for the ${request.task === "characters" ? "characters" : request.task} of a text. Toolset tabs has one (\`--toolset tabs\`).`,
      );
    case "setting":
      return refuse(
        `I have no tool here that changes the setting of a text. Toolset tabs has one (\`--toolset tabs\`); to change only the words, say: replace “${request.from}” with “${request.to}”.`,
      );
    case "create":
      return refuse(
        `I have no tool here that creates a ${desk.toolset.noun}, so there is no ${request.title}.`,
      );
    case "command":
      return refuse("I have no tool here that runs commands. Toolset code has one (`--toolset code`).");
  }
}

// biome-ignore lint/correctness/useYield: a skill that needs no call is still a skill.
function* refuse(sentence: string): Steps<string> {
  return sentence;
}

const noTools =
  "I am Stet's practice model and work only through tools on your files, but none that I know is offered here. Start Stet with `--toolset project`, `--toolset tabs`, `--toolset paper` or `--toolset code`, or connect a real model; `stet models` lists what can be used.";

function unknownRequest(request: string): string {
  if (/(?<!\p{L})(?:tôi|bạn|là|và|của|cho|không|hãy|viết|giúp)(?!\p{L})/iu.test(request)) {
    return "Tôi là mô hình luyện tập có sẵn của Stet, một chương trình đơn giản: tôi đổi chữ (sửa … thành …), thêm và xóa dòng, tìm, đếm, liệt kê tệp, lập dàn ý, trích câu chính, sửa khoảng trắng và cấp tiêu đề; với `--toolset tabs` còn đổi tên nhân vật, liệt kê nhân vật và tìm cảnh, với `--toolset code` còn chạy lệnh (chạy `npm test`). Để làm việc khác, hãy nối một mô hình thật: đặt OPENAI_API_KEY, ANTHROPIC_API_KEY hoặc GEMINI_API_KEY, hoặc dùng `--model openai-compatible/NAME` với OPENAI_BASE_URL; `stet models` liệt kê những gì dùng được.";
  }
  return "I am Stet's built-in practice model, a small program and no AI: I can replace or rename text, insert, append and delete lines, find, count, list files, outline, pick out the main sentences, fix white space and change heading levels; with `--toolset tabs` also rename a character of a book, list its characters and find a scene, with `--toolset code` also run a command (run `npm test`). For anything else connect a real model: set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or use `--model openai-compatible/NAME` with OPENAI_BASE_URL; `stet models` lists what can be used.";
}
