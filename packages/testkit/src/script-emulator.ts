// The emulator as a terminal of random scripts.

import type { ScriptTerminal } from "./terminal-script.ts";
import { VirtualTerminal } from "./virtual-terminal.ts";

export class ScriptEmulator extends VirtualTerminal implements ScriptTerminal {
  async readTape(): Promise<{ readonly rows: readonly string[]; readonly cursorRow: number }> {
    return this.writtenTape;
  }
}
