// Whatever ends the process, the terminal is put back first. A signal that nobody else handles still ends the process as it would
// have; one that somebody handles is theirs, and the terminal is restored when the process exits after that.

const endingSignals = ["SIGINT", "SIGTERM", "SIGQUIT"] as const;

export interface ProcessEndHandlers {
  /** Synchronous. May be called more than once. */
  readonly restore: () => void;
  readonly onHangUp: () => void;
}

/** Returns what takes the handlers away again. */
export function onProcessEnd({ restore, onHangUp }: ProcessEndHandlers): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    if (process.listenerCount(signal) > 1) return;
    restore();
    process.off(signal, onSignal);
    process.kill(process.pid, signal);
  };
  process.on("exit", restore);
  process.on("SIGHUP", onHangUp);
  for (const signal of endingSignals) process.on(signal, onSignal);
  return () => {
    process.off("exit", restore);
    process.off("SIGHUP", onHangUp);
    for (const signal of endingSignals) process.off(signal, onSignal);
  };
}
