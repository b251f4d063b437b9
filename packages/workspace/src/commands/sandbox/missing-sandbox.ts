// Why commands would run without a sandbox here: a sentence for people, before the first command.

import { commandEnvironment, type Environment } from "../command-environment.ts";
import { findSandbox } from "./sandbox.ts";

export interface WantedSandbox {
  /** Absolute, every link resolved. */
  readonly root: string;
  readonly environment: Environment;
  /** Whether the person wants one. */
  readonly isEnabled: boolean;
}

/** Undefined where they run in one. */
export function missingSandbox({ root, environment, isEnabled }: WantedSandbox): string | undefined {
  if (!isEnabled) return "The sandbox is switched off by the setting sandbox.enabled.";
  const { kind, reason } = findSandbox({ path: commandEnvironment(environment).PATH ?? "", root });
  return kind === "none" ? reason : undefined;
}
