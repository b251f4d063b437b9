// Whom connecting a provider asks: the person before a command's terminal, or in the interactive mode.

import type { Dialogs } from "../interactive/app.ts";

export interface ConnectPerson extends Pick<Dialogs, "choose" | "ask"> {
  /** Something to know, which needs no answer. */
  tell(text: string, kind?: "info" | "warning" | "error"): void;
  /** Carries out what takes long; the person can stop it. */
  wait<Result>(words: string, action: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}
