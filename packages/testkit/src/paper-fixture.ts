// A paper on the fixture: a workspace with one text, its turn and its tools, called one after the other as a loop would.

import type { TestContext } from "node:test";
import { callTool } from "@stet/agent/call-tool";
import type { ChatEvent } from "@stet/protocol/events/chat-events";
import type { LineEdit } from "@stet/text/edits";
import type { PaperContext } from "@stet/tools/paper/paper";
import { paperToolset } from "@stet/tools/paper/paper-toolset";
import type { Toolset } from "@stet/tools/toolset";
import type { Turn } from "@stet/workspace/turns/turns";
import type { Workspace } from "@stet/workspace/workspace";
import { must, personEdits, TestWorkspace } from "./workspace.ts";

export interface PaperAnswer {
  readonly [field: string]: unknown;
}

export interface Called {
  readonly isError: boolean;
  /** What the model is told. */
  readonly answer: PaperAnswer;
  readonly events: readonly ChatEvent[];
}

export class PaperFixture {
  readonly workspace: Workspace;
  readonly document: number;
  readonly turn: Turn;
  readonly toolset: Toolset;
  #calls = 0;

  constructor(workspace: Workspace, document: number, options: Partial<PaperContext> = {}) {
    this.workspace = workspace;
    this.document = document;
    this.turn = workspace.beginTurn({ summary: "test" });
    this.toolset = paperToolset({ turn: this.turn, document, messages: () => [], ...options });
  }

  static async open(
    t: TestContext,
    text: string,
    options: Partial<PaperContext> = {},
  ): Promise<PaperFixture> {
    const workspace = await new TestWorkspace(t, { "paper.txt": text }).open();
    const { id } = must(workspace.documents.open("paper.txt"));
    return new PaperFixture(workspace, id, options);
  }

  /** The same with all of its lines shown to the model. */
  static async openSeen(t: TestContext, text: string): Promise<PaperFixture> {
    const fixture = await PaperFixture.open(t, text);
    const end = text.split("\n").length;
    for (let start = 1; start <= end; start += 300)
      await fixture.done("get_context_lines", { ranges: [{ start, end: Math.min(end, start + 299) }] });
    return fixture;
  }

  get text(): string {
    return must(this.turn.peek(this.document)).text.toString();
  }

  get rev(): number {
    return must(this.turn.peek(this.document)).revision;
  }

  /** The person edits lines while the turn goes on. */
  person(...edits: LineEdit[]): void {
    personEdits(this.workspace, this.document, ...edits);
  }

  /** One call in a message of its own, unless a batch is given. */
  async call(name: string, args: Record<string, unknown> = {}, batch?: string): Promise<Called> {
    this.#calls += 1;
    const { result } = await callTool(
      { type: "toolCall", id: `call_${this.#calls}`, name, arguments: args },
      {
        batch: batch ?? `alone ${this.#calls}`,
        tools: this.toolset.tools,
        signal: new AbortController().signal,
        progress: () => {},
      },
    );
    const [part] = result.content;
    const answer: PaperAnswer = JSON.parse(part?.type === "text" ? part.text : "null");
    const details = result.details as { events?: readonly ChatEvent[] } | undefined;
    return { isError: result.isError, answer, events: details?.events ?? [] };
  }

  /** The model's result of a call that must succeed. */
  async done(name: string, args: Record<string, unknown> = {}): Promise<PaperAnswer> {
    const { isError, answer } = await this.call(name, args);
    if (isError) throw new Error(`${name} was refused: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** The model's result of a call that must be refused. */
  async refused(name: string, args: Record<string, unknown> = {}): Promise<PaperAnswer> {
    const { isError, answer } = await this.call(name, args);
    if (!isError) throw new Error(`${name} was not refused: ${JSON.stringify(answer)}`);
    return answer;
  }
}
