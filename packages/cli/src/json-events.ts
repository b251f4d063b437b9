// `--mode json`: one event a line on standard output. The first names the session; what was changed is given by paths and ids of
// hunks, which the other commands take. Events of agents that the session's own has sent have their `agent`.

import type { TurnEvent } from "@stet/host/turn/agent-turn";
import type { RetryEvent } from "@stet/model/retry";
import type { AgentView } from "@stet/protocol/api/agents";
import type { Session } from "@stet/session/session-tree";
import type { Workspace } from "@stet/workspace/workspace";
import type { Terminal } from "./terminal.ts";

export class JsonEvents {
  readonly #terminal: Terminal;
  readonly #workspace: Workspace;

  constructor(terminal: Terminal, workspace: Workspace) {
    this.#terminal = terminal;
    this.#workspace = workspace;
  }

  begin({ header }: Session, chosen: { readonly model: string; readonly toolset: string }): void {
    this.#tell({ type: "session", id: header.id, cwd: this.#workspace.root.path, ...chosen });
  }

  /** Retries and fallbacks below a turn, which its own events do not have, with the fields that programs know them by. */
  retry(event: RetryEvent): void {
    const { type } = event;
    if (type === "retry_fallback_applied")
      this.#tell({ type, from: event.from, to: event.to, role: event.role });
    else this.#tell(event);
  }

  /** `agent`: whose event it is, where the session's own has sent that one. */
  show(event: TurnEvent, agent?: string): void {
    const whose = agent === undefined ? {} : { agent };
    if (event.type !== "review") {
      this.#tell({ ...event, ...whose });
      return;
    }
    const { review, checkpoints } = this.#workspace;
    const checkpoint = checkpoints.list({ limit: 5 }).find(({ turn }) => turn === event.turn);
    if (checkpoint !== undefined)
      this.#tell({
        type: "checkpoint",
        ...whose,
        id: checkpoint.id,
        turn: event.turn,
        paths: checkpoint.files.flatMap(({ path }) => path ?? []),
      });
    const files = event.documents.flatMap((document) => {
      const file = review.file(document);
      if (file === undefined) return [];
      const hunks = file.hunks.map(({ id, oldStart, newStart, removed, added }) => {
        return { id, oldStart, newStart, removed: removed.length, added: added.length };
      });
      return [{ path: file.path, title: file.title, isOnDisk: file.isOnDisk, hunks }];
    });
    this.#tell({ type: "review", ...whose, turn: event.turn, files });
  }

  /** An agent began, ended or asks, or does something else now. */
  agent(type: "task:subagent:lifecycle" | "task:subagent:progress", data: AgentView): void {
    this.#tell({ type, agent: data.agent_id, data });
  }

  /** What went on beside the turn and was ended with it. */
  ended(jobs: readonly { readonly id: string; readonly label: string }[]): void {
    this.#tell({ type: "background_ended", jobs: jobs.map(({ id, label }) => ({ id, label })) });
  }

  /** What was accepted and written at once. */
  saved(paths: readonly string[]): void {
    this.#tell({ type: "saved", paths });
  }

  #tell(event: object): void {
    this.#terminal.json(event);
  }
}
