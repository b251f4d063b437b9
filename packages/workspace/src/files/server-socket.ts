// Where the server of a folder listens for commands of the same account: a Unix socket in Stet's data folder, which is closed
// to other accounts and not part of what sandboxed commands see; on Windows a named pipe.

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { makePrivateFolder } from "@stet/storage/private-files";

/** What the systems take, in bytes: 104 with the end on macOS, 108 on Linux. */
const longestPath = 103;

/** For a folder (a real path); undefined where the data folder's path is too long for one. */
export function socketPath(root: string, data: string): string | undefined {
  const digest = createHash("sha256").update(root).digest("hex").slice(0, 12);
  if (process.platform === "win32") {
    const whose = createHash("sha256").update(data).digest("hex").slice(0, 12);
    return `\\\\.\\pipe\\stet-${whose}-${digest}`;
  }
  const path = join(data, "sockets", digest);
  return Buffer.byteLength(path) > longestPath ? undefined : path;
}

/**
 * Makes way for a server: the socket of one that was killed is removed. False where a server answers there, as one that
 * shares the folder through PostgreSQL does.
 */
export async function freeSocket(path: string): Promise<boolean | Fault> {
  if (await isAnswered(path)) return false;
  if (process.platform === "win32") return true;
  const made = attempt("created", dirname(path), () => {
    makePrivateFolder(dirname(path));
    rmSync(path, { force: true });
  });
  return isFault(made) ? made : true;
}

async function isAnswered(path: string): Promise<boolean> {
  const { connect } = await import("node:net");
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
