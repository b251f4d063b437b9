// The practice model: Stet's embedded default while no real model is connected. It is a deterministic program behind the
// model contract, and says so. It understands one wish a message (request.ts), or several for agents that it sends
// (delegate.ts), knows the tools of four toolsets through an
// adapter each, and makes one call at a time.
//
// It has no memory: like any model it decides the next step from the request alone. Each step repeats its work over the calls
// and results in the conversation (steps.ts).

import type { AssistantContent } from "@stet/protocol/message";
import type { Model, ModelRequest } from "@stet/protocol/model-stream";
import { freePrice } from "../table/prices.ts";
import { changeLines } from "./change.ts";
import { codeAdapter } from "./code.ts";
import { conversationOf } from "./conversation.ts";
import { delegate, delegationOf, deliveryIn, giveBack, isSent, saying } from "./delegate.ts";
import { findText, listDocuments, outlineOf } from "./look.ts";
import { paperAdapter } from "./paper.ts";
import { projectAdapter } from "./project.ts";
import { replaceText } from "./replace.ts";
import { type Request, requestOf } from "./request.ts";
import { nextStep, noCallsLeft, type Steps } from "./steps.ts";
import { speak } from "./stream.ts";
import { tabsAdapter } from "./tabs.ts";
import { adapterFor, type PracticeTools } from "./toolset.ts";

export interface PracticeOptions {
  /** Between two words; 0 streams as fast as it is read. */
  readonly wordDelayMs?: number;
}

const speaker = { provider: "practice", name: "practice" };
const adapters = [projectAdapter, tabsAdapter, paperAdapter, codeAdapter];

export function practiceModel({ wordDelayMs = 4 }: PracticeOptions = {}): Model {
  return {
    ...speaker,
    contextWindow: 1_000_000,
    price: freePrice,
    maxOutput: 32_768,
    stream: (request, signal) => speak(speaker, request, () => blocksOf(request), { wordDelayMs, signal }),
  };
}

function blocksOf(request: ModelRequest): readonly AssistantContent[] {
  const { message, records } = conversationOf(request.messages);
  const tools = request.toolChoice === "none" ? [] : request.tools;
  const skill = skillFor(message, tools, records.length > 0);
  const step = typeof skill === "string" ? skill : nextStep(skill, records);
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

/** What it does now, or what it has to say. */
function skillFor(message: string, tools: ModelRequest["tools"], hasBegun: boolean): Steps<string> | string {
  const wish = requestOf(message);
  const delegation = wish === undefined ? delegationOf(message) : undefined;
  if (wish === undefined && delegation === undefined) {
    const words = deliveryIn(message) ?? unknownWish(message);
    return isSent(tools) ? giveBack(tools, saying(words)) : words;
  }
  const toolset = adapterFor(adapters, tools)?.open(tools);
  // At the end of a turn's limits tools are not offered any more.
  if (toolset === undefined) return hasBegun ? noCallsLeft.sentence : noTools;
  const answer = wish === undefined ? delegation && delegate(tools, delegation) : carryOut(toolset, wish);
  if (answer === undefined) return noTools;
  return isSent(tools) ? giveBack(tools, answer) : answer;
}

function* carryOut(toolset: PracticeTools, wish: Request): Steps<string> {
  const answer = yield* answerTo(toolset, wish);
  const last = toolset.finish === undefined ? undefined : yield* toolset.finish(wish.language);
  return last === undefined ? answer : `${answer} ${last}`;
}

function answerTo(toolset: PracticeTools, wish: Request): Steps<string> {
  switch (wish.kind) {
    case "replace":
      return replaceText(toolset, wish);
    case "list":
      return listDocuments(toolset, wish.scope);
    case "outline":
      return outlineOf(toolset, wish.scope);
    case "find":
      return findText(toolset, wish);
    case "command":
      return toolset.run(wish.command);
    default:
      return changeLines(toolset, wish);
  }
}

const noTools =
  "I am Stet's practice model and work only through tools on your files, but none that I know is offered here. Start Stet with `--toolset project`, `--toolset tabs`, `--toolset paper` or `--toolset code`, or connect a real model; `stet models` lists what can be used.";

const unknownIn = {
  en: "I am Stet's built-in practice model, a small program and no AI. I understand one wish a message: replace or rename text (Replace “A” with “B” in all files), insert, append, delete and replace lines, find, list files, outline, with `--toolset code` run a command (Run `npm test`), and send agents (Send two agents (@task): Replace “A” with “B” in notes.md; Where is “C” mentioned?). For anything else connect a real model: `stet login` in a terminal, `/login` in the conversation there, or “Connect a model” in the window; `stet models` lists what can be used.",
  vi: "Tôi là mô hình luyện tập có sẵn của Stet, một chương trình đơn giản. Mỗi tin nhắn tôi hiểu một việc: đổi chữ (sửa … thành …), thêm, xóa và sửa dòng, tìm, liệt kê tệp, lập dàn ý, với `--toolset code` chạy một lệnh (chạy `npm test`), và cử tác tử (cử hai tác tử @task: sửa “A” thành “B” trong notes.md; tìm “C”). Để làm việc khác, hãy nối một mô hình thật: `stet login` trong terminal, hoặc “Connect a model” trong cửa sổ; `stet models` liệt kê những gì dùng được.",
} as const;

function unknownWish(message: string): string {
  const isVietnamese = /(?<!\p{L})(?:tôi|bạn|là|và|của|cho|không|hãy|viết|giúp)(?!\p{L})/iu.test(message);
  return unknownIn[isVietnamese ? "vi" : "en"];
}
