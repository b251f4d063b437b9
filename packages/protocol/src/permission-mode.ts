// What toolset code may do without a question.

export const permissionModes = ["plan", "ask", "auto-edit", "full"] as const;

/** plan: read only. ask: every change and unknown command is asked. auto-edit: edits need no question. full: nothing does. */
export type PermissionMode = (typeof permissionModes)[number];

/** The one of two that allows less. */
export function narrower(one: PermissionMode, other: PermissionMode): PermissionMode {
  return permissionModes.indexOf(one) <= permissionModes.indexOf(other) ? one : other;
}
