// A process that appends messages to a session and tells each on its output once it is acknowledged.
//   node session-append-child.ts FILE NAME COUNT

import { writeSync } from "node:fs";
import { isFault } from "@stet/protocol/fault";
import { must, openSession, said } from "./sample-session.ts";

const [path = "", name = "", count = ""] = process.argv.slice(2);
const session = openSession(path);
for (let number = 0; number < Number(count); number += 1) {
  const entry = session.appendMessage(said(`${name} ${number} ${"x".repeat(number % 5000)}`));
  if (isFault(entry)) throw new Error(entry.message);
  writeSync(1, `${entry.id}\n`);
  // A new title rewrites the file, which is when an entry of another process could get lost.
  if (number % 20 === 19) must(session.rename(`${name} ${number}`, "user"));
}
