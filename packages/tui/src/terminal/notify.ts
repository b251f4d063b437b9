// A notification of the desktop, by the terminal: OSC 9 (iTerm2 and others), OSC 99 (Kitty), OSC 777 (urxvt, VTE, foot) or a bell.

import { controlText } from "./control-text.ts";
import type { Capabilities, Terminal } from "./terminal.ts";

export interface Notification {
  readonly title: string;
  readonly body: string;
}

export function notify(terminal: Pick<Terminal, "write" | "capabilities">, notification: Notification): void {
  terminal.write(notificationSequence(terminal.capabilities.notifications, notification));
}

export function notificationSequence(
  protocol: Capabilities["notifications"],
  notification: Notification,
): string {
  const title = controlText(notification.title, 100);
  const body = controlText(notification.body, 300);
  if (protocol === "none") return "";
  if (protocol === "osc9") return `\u001b]9;${body === "" ? title : `${title}: ${body}`}\u0007`;
  // A semicolon ends the title.
  if (protocol === "osc777") return `\u001b]777;notify;${title.replaceAll(";", ",")};${body}\u0007`;
  if (protocol === "osc99") {
    const bodyPart = body === "" ? "" : `\u001b]99;i=stet:d=1:p=body;${body}\u001b\\`;
    return `\u001b]99;i=stet:d=${body === "" ? 1 : 0}:p=title;${title}\u001b\\${bodyPart}`;
  }
  return "\u0007";
}
