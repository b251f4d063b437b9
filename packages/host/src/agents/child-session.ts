// The conversation of an agent that was sent: a file of its own beside the artifacts of the session that it works for.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AgentView, agentView } from "@stet/protocol/api/agents";
import { type Fault, isFault } from "@stet/protocol/fault";
import { sessionVersion } from "@stet/session/entry";
import { SessionLog } from "@stet/session/session-log";
import type { SessionStore } from "@stet/session/session-store";
import { Session } from "@stet/session/session-tree";
import { tellIfFault } from "@stet/storage/notices";
import type { AgentDefinition } from "@stet/tools/agents/agent-definition";
import { childSessionId, isAgentId } from "./agent-ids.ts";

export interface ChildFiles {
  readonly files: SessionStore;
  /** Of the session that it works for. */
  readonly session: string;
  /** Undefined for one that leaves nothing behind. */
  readonly folder: string | undefined;
  readonly root: string;
}

/** The conversation of an agent, as it was left; a new one where there is none. */
export function openChildSession(
  { files, session, folder, root }: ChildFiles,
  agent: string,
): Session | Fault {
  const path = childPath(folder, agent);
  if (path !== undefined && existsSync(path)) return files.open(path);
  const header = {
    type: "session",
    version: sessionVersion,
    id: childSessionId(session, agent),
    timestamp: new Date().toISOString(),
    cwd: root,
    parentSession: session,
    title: agent,
  } as const;
  return new Session(
    SessionLog.create(header, { path, blobs: path === undefined ? undefined : files.blobs }),
  );
}

/** Undefined where an agent of this name can have no file. */
export function childPath(folder: string | undefined, agent: string): string | undefined {
  return folder === undefined || !isAgentId(agent) ? undefined : join(folder, `${agent}.jsonl`);
}

/** What an agent was begun with, for whoever reads its conversation. */
export function noteBeginning(
  session: Session,
  definition: AgentDefinition,
  task: string,
  schema: unknown,
): void {
  if (session.log.index.slots.some(({ head }) => head.type === "session_init")) return;
  tellIfFault(
    session.append({
      type: "session_init",
      systemPrompt: definition.prompt,
      task,
      tools: definition.tools ?? [],
      ...(schema === undefined ? {} : { outputSchema: schema }),
    }),
  );
}

const agentEntry = "agent";

/** Tells the session of an agent: that it works, so that one whose process is lost can be asked again, or how it ended. */
export function noteAgent(session: Session, view: AgentView): void {
  tellIfFault(session.append({ type: "custom", customType: agentEntry, data: { ...view, question: null } }));
}

/** The same of one that has ended, with the turn that it changed files in. */
export function noteEnd(session: Session, view: AgentView, files: readonly string[]): void {
  noteAgent(session, view);
  const { turn } = view;
  const summary = `${view.agent_id}: ${view.description}`;
  if (turn !== null) tellIfFault(session.append({ type: "turn", turnId: turn, summary, files }));
}

/** The agents of a session as it has them: the newest of each. */
export function notedAgents(session: Session): AgentView[] {
  const slots = session.log.index.slots.filter(({ head }) => head.type === "custom");
  const found = new Map<string, AgentView>();
  for (const entry of session.log.read(slots)) {
    if (isFault(entry) || entry.type !== "custom" || entry.customType !== agentEntry) continue;
    const view = agentView.safeParse(entry.data);
    if (view.success) found.set(view.data.agent_id, view.data);
  }
  return [...found.values()];
}

/** The same, where none of them is at work any more. */
export function endedAgents(session: Session): AgentView[] {
  return notedAgents(session).map(asEnded);
}

/** One that never came to tell how it ended was at work when its process was lost. */
export function asEnded(view: AgentView): AgentView {
  if (!isAtWork(view)) return view;
  const summary = "The process in which it worked was lost. Its conversation is kept: it can be asked again.";
  return { ...view, status: "aborted", step: "", summary };
}

export function isAtWork({ status }: Pick<AgentView, "status">): boolean {
  return status === "pending" || status === "running";
}
