// A real repository with a model that plays a programmer in toolset code, for one test: whole turns, with session, ledger,
// commands and sandbox as a person has them.

import { execFileSync } from "node:child_process";
import type { TestContext } from "node:test";
import { loadConfiguration, type Settings } from "@stet/host/settings/configuration";
import { type FinishedTurn, runAgentTurn, type TurnEvent } from "@stet/host/turn/agent-turn";
import type { Fault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { optionTexts, questionText } from "@stet/protocol/question-text";
import { buildContext } from "@stet/session/session-context";
import { SessionStore } from "@stet/session/session-store";
import type { Session } from "@stet/session/session-tree";
import { SessionRules } from "@stet/tools/permission/session-rules";
import type { Workspace } from "@stet/workspace/workspace";
import { modelOf, type PlayedModel, type PlayedReply } from "./model-of.ts";
import { must, TestWorkspace } from "./workspace.ts";

export type TurnScript = (request: ModelRequest, index: number) => PlayedReply;

export interface TurnFixture {
  readonly place: TestWorkspace;
  readonly workspace: Workspace;
  readonly session: Session;
  /** What the person was asked. */
  readonly questions: string[];
  turn(script: TurnScript | readonly PlayedReply[], signal?: AbortSignal): Promise<FixtureTurn>;
}

export interface FixtureTurn {
  readonly finished: FinishedTurn | Fault;
  readonly events: readonly TurnEvent[];
  readonly model: PlayedModel;
  /** Answers of the tools, in order. */
  readonly answers: readonly { readonly tool: string; readonly text: string; readonly isError: boolean }[];
  readonly messages: readonly Message[];
}

export interface TurnFixtureOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly settings?: Partial<Settings>;
  readonly answer?: (question: string, options: readonly string[]) => string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly isRepository?: boolean;
}

export async function openTurnFixture(
  t: TestContext,
  options: TurnFixtureOptions = {},
): Promise<TurnFixture> {
  const place = new TestWorkspace(t, { ...options.files });
  if (options.isRepository !== false) commitAll(place.root);
  const workspace = await place.open();
  const store = new SessionStore({ dataFolder: place.dataFolder });
  const session = store.create(place.root);
  const environment = { ...process.env, XDG_CONFIG_HOME: place.folder, ...options.environment };
  const { settings } = must(loadConfiguration({ folder: place.root, environment, isTrusted: false }));
  const questions: string[] = [];
  const sessionRules = new SessionRules();
  return {
    place,
    workspace,
    session,
    questions,
    async turn(script, signal = new AbortController().signal) {
      const model = modelOf(script);
      const running = runAgentTurn({
        workspace,
        session,
        model,
        settings: { ...settings, toolset: "code", ...options.settings },
        instructions: [],
        text: "Do it.",
        ask: async (question) => {
          const [text, choices] = [questionText(question), optionTexts(question)];
          questions.push(text);
          return options.answer?.(text, choices) ?? choices[0] ?? "";
        },
        signal,
        artifacts: store.artifacts(session),
        code: {
          sessionRules,
          environment,
          isInteractive: true,
          configFolders: { project: undefined, user: place.folder },
        },
      });
      const events: TurnEvent[] = [];
      for (;;) {
        const step = await running.next();
        if (step.done !== true) {
          events.push(step.value);
          continue;
        }
        const answers = events.flatMap((event) => {
          return event.type === "tool_end"
            ? [{ tool: event.name, text: event.content, isError: event.isError }]
            : [];
        });
        return { finished: step.value, events, model, answers, messages: buildContext(session).messages };
      }
    },
  };
}

function commitAll(folder: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  git("init", "-q");
  git("-c", "user.name=t", "-c", "user.email=t@example.com", "add", "-A");
  git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "begin");
}

/** The newest answer of a tool that the model has got. */
export function lastAnswer({ messages }: ModelRequest): string {
  const last = messages.findLast((message) => message.role === "toolResult");
  const parts = last?.role === "toolResult" ? last.content : [];
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** The anchor that the newest answer with this line has shown it under. */
export function anchorOf(request: ModelRequest, line: string): string {
  for (const message of request.messages.toReversed()) {
    if (message.role !== "toolResult") continue;
    for (const part of message.content) {
      const shown = part.type === "text" ? part.text.split("\n") : [];
      const found = shown.findLast((text) => text.endsWith(`|${line}`) && /^[ +*]?\d+[a-z]{2}\|/.test(text));
      if (found !== undefined) return /(\d+[a-z]{2})\|/.exec(found)?.[1] ?? "";
    }
  }
  throw new Error(`no line ${JSON.stringify(line)} was shown with an anchor`);
}
