// The agent's list of tasks in a session, and the person's edits of it. An edit is an entry of the session, and a message
// that the model gets with the next request.

import type { Operations } from "@stet/protocol/api/operation";
import type { TodoPhases } from "@stet/protocol/api/session-state";
import { Fault, isFault } from "@stet/protocol/fault";
import { buildContext } from "@stet/session/session-context";
import type { Session } from "@stet/session/session-tree";
import { todoEditReminder, todoPhases } from "@stet/tools/code/plan/todo";
import type { TodoPhase } from "@stet/tools/code/plan/todo-list";
import { markdownToPhases, phasesToMarkdown } from "@stet/tools/code/plan/todo-markdown";
import type { Host } from "../host.ts";
import { todoEditIn, todoEditType } from "../turn/todo-edit.ts";

export function todoOperations({ sessions, events }: Host) {
  return {
    async getTodo({ params }) {
      const session = await sessions.find(params.session_id);
      return isFault(session) ? session : viewOf(listIn(session));
    },

    async setTodo({ params, body }) {
      const session = await sessions.find(params.session_id);
      if (isFault(session)) return session;
      if (!session.log.isOnDisk && !sessions.isHeld(params.session_id)) return nothingYet();
      const phases = markdownToPhases(body.markdown);
      if (typeof phases === "string") return misread(phases);
      const view = viewOf(phases);
      const kept = session.appendAll([
        { type: "custom", customType: todoEditType, data: { phases } },
        {
          type: "custom_message",
          customType: todoEditType,
          content: todoEditReminder(view.markdown),
          display: false,
          attribution: "user",
        },
      ]);
      if (isFault(kept)) return kept;
      events.tellSession(params.session_id);
      return view;
    },
  } satisfies Partial<Operations>;
}

function listIn(session: Session): readonly TodoPhase[] {
  return todoPhases(buildContext(session).messages, 0, todoEditIn(session));
}

function viewOf(phases: readonly TodoPhase[]): { phases: TodoPhases; markdown: string } {
  const copied = phases.map(({ name, tasks }) => ({ name, tasks: tasks.map((task) => ({ ...task })) }));
  return { phases: copied, markdown: phasesToMarkdown(phases) };
}

function misread(reason: string): Fault {
  return new Fault(
    "invalid_arguments",
    reason,
    "Write a heading for each phase and a line like - [ ] for each task. Nothing was changed.",
  );
}

function nothingYet(): Fault {
  return new Fault(
    "session_not_found",
    "Nothing was answered in this session yet, so it has no list of tasks.",
    "Ask something first.",
  );
}
