// The review as a window folds it, against what the server tells.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ChangeSet } from "@codemirror/state";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { modelOf } from "@stet/testkit/model-of";
import { Random } from "@stet/testkit/random";
import { TestService } from "@stet/testkit/test-service";
import { agentEdits, must, personEdits, TestWorkspace } from "@stet/testkit/workspace";
import { LiveDocument } from "./live-document.ts";
import { LiveReview, type ReviewReply } from "./live-review.ts";

/** A window that shows one document, and hears of it when it is told to. */
class Window {
  readonly api: TestService;
  readonly document: number;
  readonly live: LiveDocument;
  readonly review: LiveReview;
  asked = 0;
  #cursor: number;
  #answers: Promise<unknown>[] = [];

  constructor(api: TestService, document: number, text: string, revision: number, cursor: number) {
    this.api = api;
    this.document = document;
    this.live = new LiveDocument(text, revision, "window");
    this.#cursor = cursor;
    this.review = new LiveReview({
      ask: () => {
        this.asked += 1;
        const answer = api.ok("GET", `/api/documents/${document}/review?pieces=true`);
        this.#answers.push(answer);
        return answer;
      },
      server: () => ({ revision: this.live.revision, text: this.live.serverText }),
      onChange: () => {},
    });
  }

  static async open(api: TestService, path: string): Promise<Window> {
    const tab = await api.ok("POST", "/api/tabs", { path });
    const { text, revision } = await api.ok("GET", `/api/documents/${tab.document}`);
    const { cursor } = await api.ok("GET", "/api/workspace");
    const window = new Window(api, tab.document, text, revision, cursor);
    window.review.refresh();
    return window;
  }

  /** Hears at most so many events. */
  async hear(limit: number): Promise<number> {
    await this.api.service.logs.settled();
    const page = await this.api.ok("GET", `/api/workspace/events?cursor=${this.#cursor}&limit=${limit}`);
    const events: LogEvent[] = page.events;
    for (const { type, data, cursor } of events) {
      this.#cursor = cursor;
      if (type !== "document.changed" && type !== "review.updated") continue;
      if (data.document !== this.document) continue;
      if (type === "document.changed") {
        if (data.change === null || !this.live.receive([data])) {
          const { text, revision } = await this.api.ok("GET", `/api/documents/${this.document}`);
          this.live.restart(text, revision, true, (before, after) =>
            ChangeSet.of({ from: 0, to: before.length, insert: after }, before.length),
          );
        }
        this.review.textMoved();
      }
      this.review.hear(data);
    }
    return events.length;
  }

  /** Hears everything, and every answer. */
  async settle(): Promise<void> {
    for (;;) {
      const isQuiet = (await this.hear(100)) === 0;
      const waiting = this.#answers;
      this.#answers = [];
      await Promise.all(waiting);
      await new Promise(setImmediate);
      if (isQuiet && waiting.length === 0) return;
    }
  }
}

async function opened(t: TestContext, text: string) {
  const workspaceFiles = new TestWorkspace(t, { "a.md": text });
  const api = await TestService.open(t, workspaceFiles, modelOf([]));
  const window = await Window.open(api, "a.md");
  await window.settle();
  const { workspace } = api.service;
  const serverReview = async (): Promise<ReviewReply> => {
    const reply = await api.ok("GET", `/api/documents/${window.document}/review`);
    return reply;
  };
  return { api, window, workspace, serverReview };
}

const text = `${Array.from({ length: 12 }, (_, at) => `line ${at}`).join("\n")}\n`;

test("for random histories a window folds the hunks that the server tells, with the same ids", async (t) => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const random = new Random(seed);
    const { window, workspace, serverReview } = await opened(t, text);
    const { document } = window;
    const trace: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      const state = must(workspace.documents.current(document));
      const { text: now, revision } = state.history;
      // The last raw line is empty: it is behind the last line break.
      const line = now.line(1 + random.below(Math.max(1, now.lines - 1)));
      const kind = random.pick(["type", "type", "type", "agent", "accept", "reject", "undo", "save"]);
      trace.push(kind);
      const open = (await serverReview()).hunks;
      const hunk = open[random.below(Math.max(1, open.length))];
      if (kind === "type") {
        const insert = random.pick(["x", "new\n", "\n", ""]);
        const change = ChangeSet.of(
          { from: line.from, to: insert === "" ? line.to : line.from, insert },
          now.length,
        );
        must(workspace.documents.change(document, { revision, change, origin: "user" }));
      } else if (kind === "agent") {
        agentEdits(workspace, [
          [document, { op: "replace", from: line.number, to: line.number, content: `agent ${step}\nmore` }],
        ]);
      } else if (kind === "accept" || kind === "reject") {
        if (hunk !== undefined) workspace.review[kind]({ hunks: [hunk.hunk_id] });
      } else if (kind === "undo") {
        workspace.review.undo();
      } else await workspace.saving.save([document]);
      if (random.below(3) === 0) await window.hear(1 + random.below(3));
      if (random.below(2) === 0) continue;
      await window.settle();
      assert.deepEqual(window.review.view(), await serverReview(), `seed ${seed}: ${trace.join(" ")}`);
    }
  }
});

test("what is typed and decided in a document needs no request", async (t) => {
  const { window, workspace, serverReview } = await opened(t, text);
  const { document } = window;
  agentEdits(workspace, [
    [document, { op: "replace", from: 2, to: 2, content: "agent" }],
    [document, { op: "replace", from: 5, to: 5, content: "agent, too" }],
  ]);
  await window.settle();
  const { asked } = window;
  const [first, second] = (await serverReview()).hunks;
  personEdits(workspace, document, { op: "replace", from: 2, to: 2, content: "mine" });
  personEdits(workspace, document, { op: "insert", after: 0, content: "above" });
  must(workspace.review.accept({ hunks: [first?.hunk_id ?? ""] }));
  must(workspace.review.reject({ hunks: [second?.hunk_id ?? ""] }));
  must(workspace.review.undo());
  await window.settle();
  assert.deepEqual(window.review.view(), await serverReview());
  assert.equal(window.asked, asked);
});
