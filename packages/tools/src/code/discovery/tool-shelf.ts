// The tools of a toolset, in two rows: those that every request offers, and those that a model gets when it asks for them.

import type { Tool } from "@stet/agent/tool";
import type { Shelf } from "../code-context.ts";

export class ToolShelf implements Shelf {
  /** The same list all the time: it grows. */
  readonly offered: Tool[] = [];
  hidden: readonly Tool[] = [];

  put(offered: readonly Tool[], hidden: readonly Tool[]): void {
    this.offered.push(...offered);
    this.hidden = hidden;
  }

  offer(names: readonly string[]): void {
    for (const tool of this.hidden.filter(({ name }) => names.includes(name))) this.offered.push(tool);
    this.hidden = this.hidden.filter(({ name }) => !names.includes(name));
  }
}
