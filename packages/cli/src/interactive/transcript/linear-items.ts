// A conversation for a screen reader: each line is written once, when it is final, and nothing is drawn over. States and signs
// are words, and there are no colours. What the model says comes sentence by sentence.

import type { Item, QuestionItem, ToolItem } from "@stet/client/items";
import type { Question } from "@stet/protocol/question";
import { noAnswer, questionText } from "@stet/protocol/question-text";
import { diffCounts, diffParts } from "./diff-rows.ts";
import type { ItemOf } from "./item-block.ts";
import { PlainMarkdown } from "./linear-markdown.ts";
import { type NoteItem, noteOf } from "./notes.ts";
import { questionChoices } from "./question-choices.ts";
import { cleanLine, cleanText, durationText, plural } from "./rows.ts";
import type { ThinkingView } from "./thinking-block.ts";
import { wordCount } from "./thinking-block.ts";
import { isClosed } from "./todo-list.ts";

const maxDiffLines = 40;
const maxOutputLines = 8;

export interface LinearOptions {
  readonly thinking: ThinkingView;
  readonly write: (line: string) => void;
}

/** What of an item was written. */
interface Written {
  /** Characters of a text. */
  read: number;
  markdown: PlainMarkdown | undefined;
  isBegun: boolean;
  isEnded: boolean;
}

export class LinearItems {
  readonly #options: LinearOptions;
  readonly #written = new Map<string, Written>();
  #items: readonly Item[] = [];

  constructor(options: LinearOptions) {
    this.#options = options;
  }

  /** Writes what is final now and was not before. */
  update(items: readonly Item[]): void {
    let same = 0;
    while (same < items.length && items[same] === this.#items[same]) same += 1;
    this.#items = items;
    for (const item of items.slice(same)) this.#item(item);
  }

  #item(item: Item): void {
    const known = this.#written.get(item.key);
    const written = known ?? { read: 0, markdown: undefined, isBegun: false, isEnded: false };
    if (known === undefined) this.#written.set(item.key, written);
    if (written.isEnded) return;
    if (item.kind === "assistant") this.#says(item, written);
    else if (item.kind === "thinking") this.#thinks(item, written);
    else if (item.kind === "tool") this.#call(item, written);
    else if (item.kind === "question") this.#question(item, written);
    else {
      written.isEnded = true;
      this.#lines(item.kind === "user" ? `You: ${item.text.trim()}` : noteLines(item));
    }
  }

  #says({ text, isStreaming }: ItemOf<"assistant">, written: Written): void {
    written.markdown ??= new PlainMarkdown();
    const lines = written.markdown.add(text.slice(written.read));
    written.read = text.length;
    if (!isStreaming) {
      lines.push(...written.markdown.end());
      written.isEnded = true;
    }
    for (const line of lines) {
      this.#lines(written.isBegun ? line : `Agent: ${line}`);
      written.isBegun = true;
    }
  }

  #thinks(item: ItemOf<"thinking">, written: Written): void {
    const { thinking } = this.#options;
    if (thinking === "hidden") return;
    if (thinking === "shown") this.#says({ ...item, kind: "assistant" }, written);
    else if (!item.isStreaming) {
      this.#lines(`Thought: ${plural(wordCount(item.text), "word")}.`);
      written.isEnded = true;
    }
  }

  #call(item: ToolItem, written: Written): void {
    const isRunning = item.status === "running";
    // What takes long is told when it begins, too.
    if (isRunning && item.arguments !== undefined && item.traits.includes("runs") && !written.isBegun) {
      written.isBegun = true;
      this.#lines(`Begun: ${cleanLine(item.words)}`);
    }
    if (isRunning) return;
    written.isEnded = true;
    this.#lines(callLines(item).join("\n"));
  }

  #question(item: QuestionItem, written: Written): void {
    const { asked, answer, questionId } = item;
    if (!written.isBegun) this.#lines(linearQuestion(asked).join("\n"));
    written.isBegun = true;
    if (questionId !== null) return;
    written.isEnded = true;
    this.#lines(answer === null || answer === noAnswer ? "Not answered." : `Answer: ${answer}`);
  }

  #lines(text: string): void {
    for (const line of cleanText(text).split("\n")) this.#options.write(line.trimEnd());
  }
}

/** The question, with a number before each answer. */
export function linearQuestion(question: Question): string[] {
  const kind = question.kind === "permission" ? "Permission" : "Question";
  const by = question.agent === undefined ? "" : ` of ${cleanLine(question.agent)}`;
  const choices = questionChoices(question).filter(({ kind }) => kind !== "done");
  return [
    `${kind}${by}: ${questionText(question).trim()}`,
    ...choices.map(({ label }, index) => `${index + 1}: ${label}`),
  ];
}

function noteLines(item: NoteItem): string {
  const { symbol, lines } = noteOf(item);
  const word =
    symbol === "failure" ? "Error" : symbol === "warning" || symbol === "stopped" ? "Warning" : "Note";
  return `${word}: ${lines.join("\n")}`;
}

const states: Readonly<Record<ToolItem["status"], string>> = {
  running: "Begun",
  ok: "Done",
  failed: "Failed",
  stopped: "Stopped",
};

function callLines(item: ToolItem): string[] {
  const { command, diff, durationMs, status, reason, todo } = item;
  const facts: string[] = [];
  if (command !== undefined)
    facts.push(
      command.timedOut
        ? "timed out"
        : command.exitCode === null
          ? "goes on"
          : `exit code ${command.exitCode}`,
    );
  if (diff !== "") {
    const { added, removed } = diffCounts(diff);
    facts.push(`${plural(added, "line")} added, ${removed} removed`);
  }
  if (durationMs !== null && durationMs >= 1000) facts.push(durationText(durationMs));
  const title = [`${states[status]}: ${cleanLine(item.words)}`, ...facts].join(", ");
  const lines = [title];
  if (status === "failed" && command === undefined && reason !== "")
    lines.push(`Reason: ${cleanLine(reason)}`);
  if (diff !== "") lines.push(...diffLines(diff));
  if (command !== undefined && command.output.trim() !== "")
    lines.push("Output:", ...command.output.trimEnd().split("\n").slice(-maxOutputLines));
  if (todo !== undefined) lines.push(...todoLines(todo));
  return lines;
}

function diffLines(diff: string): string[] {
  const lines = diffParts(diff).flatMap((part) => {
    if (part.kind === "file") return `In ${part.name}:`;
    if (part.kind !== "line" || part.line.kind === "context") return [];
    return `${part.line.kind === "added" ? "Added" : "Removed"} line ${part.line.number}: ${part.line.text}`;
  });
  const hidden = lines.length - maxDiffLines;
  return hidden > 0 ? [...lines.slice(0, maxDiffLines), `And ${hidden} more lines.`] : lines;
}

function todoLines(todo: NonNullable<ToolItem["todo"]>): string[] {
  const words = { pending: "To do", in_progress: "Now", completed: "Done", abandoned: "Dropped" } as const;
  const tasks = todo.flatMap((phase) => phase.tasks);
  const open = tasks
    .filter((task) => !isClosed(task))
    .map(({ content, status }) => `${words[status]}: ${content}`);
  return [`Tasks: ${tasks.length - open.length} of ${tasks.length} done.`, ...open];
}
