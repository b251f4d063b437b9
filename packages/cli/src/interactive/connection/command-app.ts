// The API of a host in this process, for commands and other terminals that come through its socket. No port is opened, so
// nobody can sign in.

import type { Host } from "@stet/host/host";
import { Access } from "@stet/server/http/access";
import { createApp } from "@stet/server/http/app";
import { EventStreams } from "@stet/server/http/streams";
import { log } from "@stet/storage/operator-log";

export function commandApp({ operations, limits, workspace }: Host) {
  const onError = (error: unknown) => log("error", "request.broken", {}, error);
  const streams = new EventStreams(limits, onError);
  const { path: root } = workspace.root;
  const app = createApp({ operations, access: new Access(), limits, root, streams, onError });
  return { app, streams };
}
