// Limits that several packages and every front end share. Each is a default; configuration may change it.

/** A hunk over either of these is split, or marked `oversized_hunk` where it cannot be. */
export const maxHunkLines = 80;
export const maxHunkBytes = 8192;

/** An undeclared edit that removes more than this fraction of a document of at least so many lines is refused. */
export const largeDeletionFraction = 0.5;
export const largeDeletionMinLines = 50;

/** Retention of finished turns: at least this long and at least so many of them, unless the disk budget is used up. */
export const completedTtlHours = 72;
export const minKeptTurns = 1000;
export const ledgerBudgetBytes = 1024 ** 3;

/** Revisions that a document keeps in memory to rebase stale edits from. */
export const maxHistoryLength = 1000;
