// Short messages between the agents that live in a session.

import { defineTool, type Tool, type ToolOutcome } from "@stet/agent/tool";
import { isFault } from "@stet/protocol/fault";
import * as z from "zod";
import { cut } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import type { AgentMessages } from "./delegation.ts";

const schema = z.object({
  op: z.string().describe("list or send"),
  to: z.string().optional().describe("An agent's id, or all"),
  message: z.string().optional().describe("What you say"),
  awaitReply: z.boolean().optional().describe("Wait for a reply: true to one, false to all, unless given"),
});

type Input = z.infer<typeof schema>;

export function ircTool(messages: AgentMessages): Tool {
  return defineTool({
    name: "irc",
    description: prompt(import.meta.url, "irc"),
    traits: ["volatile"],
    words: ({ op, to, message }) =>
      op === "send" ? `To ${cut(to)}: ${cut(message)}` : "Who else works here",
    schema,
    async execute(input, call) {
      if (input.op === "list") return peerList(messages);
      return input.op === "send" ? send(messages, input, call.signal) : failed("Unknown irc op.");
    },
  });
}

function peerList({ self, peers }: AgentMessages): ToolOutcome {
  const known = peers();
  const lines = known.map(
    ({ id, agent, status, description }) => `- ${id} (${agent}, ${status}): ${description}`,
  );
  return {
    content: known.length === 0 ? "No other live agents." : [`${known.length} peer(s):`, ...lines].join("\n"),
    details: { op: "list", from: self, peers: known, channels: ["all", ...known.map(({ id }) => id)] },
  };
}

async function send(messages: AgentMessages, input: Input, signal: AbortSignal): Promise<ToolOutcome> {
  const to = input.to?.trim() ?? "";
  const message = input.message?.trim() ?? "";
  if (to === "") return failed('`to` is required for op="send".');
  if (message === "") return failed('`message` is required for op="send".');
  const isBroadcast = to === "all";
  const ids = messages.peers().map(({ id }) => id);
  const targets = isBroadcast ? ids : ids.filter((id) => id === to);
  const notFound = isBroadcast || targets.length > 0 ? [] : [to];
  const awaitReply = input.awaitReply ?? !isBroadcast;
  const replies: { from: string; text: string }[] = [];
  const failures: { id: string; error: string }[] = [];
  const delivered: string[] = [];
  const one = async (id: string) => {
    const said = await messages.say(id, message, awaitReply, signal);
    if (isFault(said)) failures.push({ id, error: said.message });
    else {
      delivered.push(id);
      if (said.reply !== undefined) replies.push({ from: id, text: said.reply });
    }
  };
  await Promise.all(targets.map(one));
  const sections = [
    delivered.length === 0 ? "No recipients received the message." : `Delivered to ${delivered.join(", ")}.`,
    ...(replies.length === 0 ? [] : ["## Replies", ...replies.map(({ from, text }) => `${from}: ${text}`)]),
    ...(failures.length === 0 ? [] : ["## Failed", ...failures.map(({ id, error }) => `${id}: ${error}`)]),
    ...(notFound.length === 0 ? [] : [`Unknown / unavailable peers: ${notFound.join(", ")}`]),
  ];
  return {
    content: sections.join("\n"),
    details: {
      op: "send",
      from: messages.self,
      to,
      delivered,
      ...(replies.length === 0 ? {} : { replies }),
      ...(failures.length === 0 ? {} : { failed: failures }),
      ...(notFound.length === 0 ? {} : { notFound }),
    },
    isFailure: delivered.length === 0,
  };
}

function failed(content: string): ToolOutcome {
  return { content, isFailure: true };
}
