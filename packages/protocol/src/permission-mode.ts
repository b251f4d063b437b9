// What toolset code may do without a question.

export const permissionModes = ["plan", "ask", "auto-edit", "full"] as const;

/** plan: read only. ask: every change and unknown command is asked. auto-edit: edits need no question. full: nothing does. */
export type PermissionMode = (typeof permissionModes)[number];
