// Exit codes that scripts can rely on.

export const exitCode = {
  done: 0,
  /** The model, the disk or the network failed. */
  failed: 1,
  /** The command was not understood. */
  usage: 2,
  /** A limit of the turn was reached; its changes remain. */
  limit: 3,
  /** Refused, with nothing changed: a conflict, an unknown hunk, a path outside. */
  refused: 4,
  interrupted: 130,
} as const;
