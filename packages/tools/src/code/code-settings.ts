// The settings of toolset code, with the values they have unless someone says otherwise.

import type { PermissionMode } from "@stet/protocol/permission-mode";
import type { ResourceLimits } from "@stet/workspace/commands/sandbox/resource-limits";
import type { SandboxAccess } from "@stet/workspace/commands/sandbox/sandbox-policy";
import type { PermissionRule } from "../permission/permission-rule.ts";
import type { GithubSettings } from "./github/github.ts";

export const editModes = ["hashline", "replace", "patch", "apply_patch", "vim", "symbol"] as const;

export type EditMode = (typeof editModes)[number];

export interface CodeSettings {
  readonly editMode: EditMode;
  /** Whether a replacement that does not match exactly may match with other white space. */
  readonly fuzzyReplace: boolean;
  readonly permissionMode: PermissionMode;
  /** The person's own rules; later ones win. */
  readonly permissionRules: readonly PermissionRule[];
  /** Lines that one read shows unless it asks for others; at most 3,000. */
  readonly readLimit: number;
  /** Seconds that a command may take unless it asks for others. */
  readonly bashTimeout: number;
  /** Whether a command that takes longer than `bashBackgroundAfter` goes on as a job. */
  readonly bashAutoBackground: boolean;
  /** Milliseconds. */
  readonly bashBackgroundAfter: number;
  /** Seconds that `job` waits. */
  readonly jobWait: number;
  readonly maxJobs: number;
  /** Names of variables that commands get beside the usual ones. */
  readonly commandEnvironment: readonly string[];
  /** Whether commands run in the system's sandbox where there is one. */
  readonly sandbox: boolean;
  /** Whether commands in the sandbox may use the network without asking. */
  readonly sandboxNetwork: boolean;
  /** What commands in the sandbox see beyond the usual. */
  readonly sandboxAccess: SandboxAccess;
  /** How many processes and how much memory commands may use. */
  readonly commandLimits: Partial<ResourceLimits>;
  /** Whether pages at private addresses (this machine, the local network) may be read. */
  readonly privatePages: boolean;
  readonly github: GithubSettings;
}

export const defaultCodeSettings: CodeSettings = {
  editMode: "hashline",
  fuzzyReplace: true,
  permissionMode: "ask",
  permissionRules: [],
  readLimit: 3000,
  bashTimeout: 300,
  bashAutoBackground: true,
  bashBackgroundAfter: 60_000,
  jobWait: 30,
  maxJobs: 100,
  commandEnvironment: [],
  sandbox: true,
  sandboxNetwork: false,
  sandboxAccess: {},
  commandLimits: {},
  privatePages: false,
  github: { softTtlSec: 300, hardTtlSec: 604_800, hosts: ["github.com"] },
};
