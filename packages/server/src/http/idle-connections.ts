// A limit on idle connections, so that they never exhaust the server's connections.
//
// A connection is idle from its beginning to its first request, and between a reply and the next request. One whose first
// request does not come in time is closed. Where all connections are taken, the one that has been idle longest is closed for
// the next: a client that opens thousands and sends nothing locks no other out.

import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Connections that the system may accept while the evicted ones are being closed. */
const surplus = 512;

export interface IdleLimits {
  readonly maxConnections: number;
  /** How long a connection may take to begin its first request, in milliseconds. */
  readonly silentTimeout: number;
  /** Over TLS bytes have come before there is a request. */
  readonly isEncrypted: boolean;
}

/** Returns how to close all that are idle. */
export function limitIdleConnections(server: Server, limits: IdleLimits): () => void {
  const { maxConnections, silentTimeout, isEncrypted } = limits;
  /** In the order in which they became idle, by the name of their other end. */
  const idle = new Map<string, Socket>();
  const firstRequests = new Map<string, NodeJS.Timeout>();
  let open = 0;
  server.maxConnections = maxConnections + surplus;
  server.on("connection", (socket) => {
    const name = otherEnd(socket);
    open += 1;
    idle.set(name, socket);
    const closeSilent = () => {
      // What has begun to send gets the reply that it was too slow.
      if (isEncrypted || socket.bytesRead === 0) socket.destroy();
    };
    firstRequests.set(name, setTimeout(closeSilent, silentTimeout).unref());
    socket.once("close", () => {
      open -= 1;
      idle.delete(name);
      clearTimeout(firstRequests.get(name));
      firstRequests.delete(name);
    });
    if (open > maxConnections) closeOldest();
  });
  const closeOldest = () => {
    for (const [name, socket] of idle) {
      idle.delete(name);
      socket.destroy();
      return;
    }
  };
  server.on("request", ({ socket }, reply) => {
    const name = otherEnd(socket);
    const connection = idle.get(name);
    idle.delete(name);
    clearTimeout(firstRequests.get(name));
    reply.once("close", () => {
      if (connection !== undefined && !connection.destroyed) idle.set(name, connection);
    });
  });
  return () => {
    for (const socket of idle.values()) socket.destroy();
  };
}

/** A request over TLS comes from another socket than the connection, with the same other end. */
function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
