// How agents are sent, as the settings name it.

/** Where an agent's edits are until it ends: staged over the documents, or in a folder of its own. */
export const isolationKinds = ["ledger", "worktree", "copy"] as const;

/** Which fields a call of task may have beside its tasks. */
export const taskModes = ["default", "schema-free", "independent"] as const;
export type TaskMode = (typeof taskModes)[number];
