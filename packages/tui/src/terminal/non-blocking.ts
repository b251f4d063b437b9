// Node writes to a terminal synchronously: a terminal that reads slowly, or was stopped with Ctrl-S, would hold up the whole
// process. Its handle can be told not to. This is no documented interface, so where it is missing writing stays as it is.

import type { WriteStream } from "node:tty";

export function setBlocking(stream: WriteStream, isBlocking: boolean): void {
  const handle: unknown = Reflect.get(stream, "_handle");
  if (typeof handle !== "object" || handle === null || !("setBlocking" in handle)) return;
  if (typeof handle.setBlocking === "function") handle.setBlocking(isBlocking);
}
