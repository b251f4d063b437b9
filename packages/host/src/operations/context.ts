// What fills a session's context, and what it cost.

import { textTokens } from "@stet/agent/context-size";
import type { Operations } from "@stet/protocol/api/operation";
import type { ContextPart, ModelCost } from "@stet/protocol/api/session-state";
import { isFault } from "@stet/protocol/fault";
import type { Message } from "@stet/protocol/message";
import { buildContext } from "@stet/session/session-context";
import type { Session } from "@stet/session/session-tree";
import { repositoryRootOf } from "@stet/workspace/files/workspace-root";
import type { Host } from "../host.ts";
import { userConfigFolder } from "../settings/configuration.ts";
import { isTrusted } from "../settings/trust.ts";
import { findInstructions } from "../turn/instructions.ts";
import { keptChoices } from "../turn/session-choices.ts";
import { windowOf } from "./context-window.ts";

export function contextOperations(host: Host) {
  const { sessions, workspace, environment } = host;

  const instructions = () => {
    const { path: root } = workspace.root;
    return findInstructions({
      configFolder: userConfigFolder(environment),
      root: repositoryRootOf(root, environment) ?? root,
      folder: root,
      trusted: isTrusted(root, environment) ? root : undefined,
    });
  };

  return {
    async sessionContext({ params }) {
      const session = await sessions.find(params.session_id);
      if (isFault(session)) return session;
      const configured = host.configuration();
      if (isFault(configured)) return configured;
      const toolset = keptChoices(session).toolset ?? configured.settings.toolset;
      const overhead = sessions.uses.overhead(toolset);
      const files = instructions().map(({ path, text }) => ({ path, tokens: textTokens(text) }));
      const estimated = withNames({
        system: overhead?.system ?? 0,
        instructions: files.reduce((sum, { tokens }) => sum + tokens, 0),
        tools: overhead?.tools ?? 0,
        ...sizesOf(buildContext(session).messages),
      });
      const sum = estimated.reduce((all, { tokens }) => all + tokens, 0);
      const counted = (await sessions.uses.of(session)).context_tokens;
      // What a provider counted is right; how it is made up is estimated, so the parts are fitted to it.
      const total = overhead === undefined ? Math.max(sum, counted) : counted || sum;
      return {
        parts: fitted(estimated, overhead === undefined ? sum : total),
        tokens: total,
        window: await windowOf(host, params.session_id),
        instruction_files: files,
        is_complete: overhead !== undefined,
      };
    },

    async sessionCost({ params }) {
      const session = await sessions.find(params.session_id);
      return isFault(session) ? session : { models: costOf(session) };
    },
  } satisfies Partial<Operations>;
}

type Sizes = Readonly<Record<ContextPart["name"], number>>;

function sizesOf(messages: readonly Message[]): Omit<Sizes, "system" | "instructions" | "tools"> {
  const sizes = { summary: 0, messages: 0, thinking: 0, calls: 0, results: 0 };
  for (const message of messages) {
    const kind = message.role === "toolResult" ? "results" : "messages";
    if (typeof message.content === "string") {
      sizes[kind] += textTokens(message.content);
      continue;
    }
    for (const part of message.content) {
      if (part.type === "text") sizes[kind] += textTokens(part.text);
      else if (part.type === "thinking") sizes.thinking += textTokens(part.thinking);
      else if (part.type === "toolCall")
        sizes.calls += textTokens(part.name + JSON.stringify(part.arguments));
      // About what providers count for a picture.
      else sizes[kind] += 1000;
    }
  }
  return sizes;
}

function withNames(sizes: Sizes): ContextPart[] {
  return Object.entries(sizes).map(([name, tokens]) => ({ name: name as ContextPart["name"], tokens }));
}

function fitted(parts: readonly ContextPart[], total: number): ContextPart[] {
  const sum = parts.reduce((all, { tokens }) => all + tokens, 0);
  const share = sum === 0 ? 0 : total / sum;
  return parts.flatMap(({ name, tokens }) =>
    tokens === 0 ? [] : { name, tokens: Math.round(tokens * share) },
  );
}

/** Over all ways that the conversation took: those that were left were paid for, too. */
function costOf(session: Session): ModelCost[] {
  const byModel = new Map<string, ModelCost>();
  const slots = session.log.index.slots.filter(({ head }) => head.role === "assistant");
  for (const entry of session.log.read(slots)) {
    if (isFault(entry) || entry.type !== "message" || entry.message.role !== "assistant") continue;
    const { provider, model: name, usage } = entry.message;
    const model = `${provider}/${name}`;
    const before = byModel.get(model);
    byModel.set(model, {
      model,
      answers: (before?.answers ?? 0) + 1,
      input: (before?.input ?? 0) + usage.input,
      output: (before?.output ?? 0) + usage.output,
      cache_read: (before?.cache_read ?? 0) + usage.cacheRead,
      cache_write: (before?.cache_write ?? 0) + usage.cacheWrite,
      cost_usd: (before?.cost_usd ?? 0) + usage.cost.total,
      cost_known: (before?.cost_known ?? true) && usage.cost.isUnknown !== true,
    });
  }
  return [...byModel.values()].sort((one, other) => other.cost_usd - one.cost_usd);
}
