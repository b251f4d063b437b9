// The newest list of tasks that the person wrote themselves, as the session has it.

import { isFault } from "@stet/protocol/fault";
import { isRecord } from "@stet/protocol/json-record";
import type { Session } from "@stet/session/session-tree";
import type { TodoEdit } from "@stet/tools/code/plan/todo";

export const todoEditType = "user_todo_edit";

export function todoEditIn(session: Session): TodoEdit | undefined {
  const notes = session.pathSlots().filter(({ head }) => head.type === "custom");
  const entry = session.log.read(notes).findLast((one) => {
    return !isFault(one) && one.type === "custom" && one.customType === todoEditType;
  });
  if (entry === undefined || isFault(entry) || entry.type !== "custom" || !isRecord(entry.data))
    return undefined;
  return { phases: entry.data.phases, at: Date.parse(entry.timestamp) || 0 };
}
