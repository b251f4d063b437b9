// The rules that a person gave for a session: in memory, gone when the process ends.

import type { PermissionRule } from "./permission-rule.ts";

const maxRules = 500;

export class SessionRules {
  private readonly bySession = new Map<string, PermissionRule[]>();

  list(session: string): readonly PermissionRule[] {
    return this.bySession.get(session) ?? [];
  }

  add(session: string, rules: readonly PermissionRule[]): void {
    this.bySession.set(session, [...this.list(session), ...rules].slice(-maxRules));
  }
}
