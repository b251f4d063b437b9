// A session as lines of JSON: a file of its own that an import reads, with everything in it that is stored elsewhere.

import { isFault } from "@stet/protocol/fault";
import type { Session } from "./session-tree.ts";

export function exportLines(session: Session, redact: <T>(value: T) => T): string {
  const entries = session.entries().filter((entry) => !isFault(entry));
  return [session.header, ...entries].map((line) => `${JSON.stringify(redact(line))}\n`).join("");
}
