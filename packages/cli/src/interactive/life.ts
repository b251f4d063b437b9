// Ends that are not the person's: signals, and a bug that nobody caught. The terminal is given back before anything is said.

import { visibleName } from "@stet/protocol/visible";
import type { CommandContext } from "../command.ts";
import type { Interactive } from "./interactive.ts";

/** Returns what takes the handlers away again. */
export function watchLife(app: Interactive, { terminal }: CommandContext): () => void {
  const leave = () => void app.leave();
  // Whoever tells of the bug and ends the process comes after this.
  const onBug = () => {
    app.screenParts.stop();
    const id = app.opened?.conversation.id ?? "";
    const how = id === "" ? "" : ` To go on: stet --resume ${visibleName(id.slice(0, 8))}`;
    terminal.note(`Stet ended because of a mistake in it. What was said and changed is kept.${how}\n`);
  };
  process.on("SIGTERM", leave).on("SIGHUP", leave);
  process.prependListener("uncaughtException", onBug);
  process.prependListener("unhandledRejection", onBug);
  return () => {
    process.off("SIGTERM", leave).off("SIGHUP", leave);
    process.off("uncaughtException", onBug).off("unhandledRejection", onBug);
  };
}
