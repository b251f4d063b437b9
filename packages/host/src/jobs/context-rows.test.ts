import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { sessionVersion } from "@stet/session/entry";
import { SessionLog } from "@stet/session/session-log";
import { Session } from "@stet/session/session-tree";
import { must } from "@stet/testkit/workspace";
import { deliveryEntry } from "../turn/conversation.ts";
import { tellContext } from "./context-rows.ts";

function emptySession(): Session {
  const timestamp = new Date(0).toISOString();
  const header = { type: "session", version: sessionVersion, id: "s", timestamp, cwd: "/" } as const;
  return new Session(SessionLog.create(header, { path: undefined, blobs: undefined }));
}

function rowsIn(session: Session): unknown[] {
  return [...session.path()].flatMap((entry) =>
    !isFault(entry) && entry.type === "custom_message" && entry.customType === "context_rows"
      ? [entry.content]
      : [],
  );
}

test("pinned rows that are in sight are not told again, whatever happened in the background since", () => {
  const session = emptySession();
  const happened = (text: string) =>
    must(session.append(deliveryEntry({ source: { kind: "note", id: "n", label: text }, text })));
  tellContext(session, "rows");
  happened("a timer");
  tellContext(session, "rows");
  // What happened may even read like them.
  happened("other rows");
  tellContext(session, "other rows");
  happened("a job");
  tellContext(session, "other rows");
  tellContext(session, "");
  tellContext(session, "rows");
  assert.deepEqual(rowsIn(session), ["rows", "other rows", "rows"]);
});
