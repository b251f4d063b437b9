// The settings of toolset code, as they are written in a configuration file.

import { permissionModes } from "@stet/protocol/permission-mode";
import { type CodeSettings, editModes } from "@stet/tools/code/code-settings";
import * as z from "zod";
import { fits } from "./model-settings.ts";

const seconds: Readonly<Record<string, number>> = { "5s": 5, "10s": 10, "30s": 30, "1m": 60, "5m": 300 };

const place = z
  .string()
  .regex(
    /^(?:\/|~\/|\$\w+$)/,
    "an absolute path, one that begins with ~/, or a variable like $SSH_AUTH_SOCK",
  );

const rule = z
  .object({ tool: z.string().min(1), target: z.string().min(1), effect: z.enum(["allow", "ask", "deny"]) })
  .strict();

export const codeSettingsShape = () => ({
  "edit.mode": z.enum(editModes).describe("how toolset code writes its edits"),
  "edit.modeByModel": z
    .record(z.string(), z.enum(editModes))
    .describe('the same for single models: {"openai/*": "apply_patch"}'),
  "permission.mode": z
    .enum(permissionModes)
    .describe("what toolset code may do without a question: plan, ask, auto-edit or full"),
  "permission.rules": z.array(rule).describe("your own rules on top of the mode; later ones win"),
  "read.defaultLimit": z.number().int().min(1).max(3000).describe("lines that one read shows"),
  "bash.timeout": z.number().int().min(1).max(3600).describe("seconds that a command may take"),
  "bash.autoBackground.enabled": z.boolean().describe("whether a long command goes on as a job"),
  "bash.autoBackground.thresholdMs": z.number().int().positive().describe("after so many milliseconds"),
  "async.pollWaitDuration": z.enum(["5s", "10s", "30s", "1m", "5m"]).describe("how long the tool job waits"),
  "async.maxJobs": z.number().int().min(1).max(100).describe("commands in the background at once"),
  "commands.environment": z
    .array(z.string().regex(/^[A-Za-z_]\w*$/, "a name of a variable"))
    .describe('variables that commands get beside the usual ones: ["DATABASE_URL"]'),
  "sandbox.enabled": z.boolean().describe("whether commands run in the system's sandbox where there is one"),
  "sandbox.network": z.boolean().describe("whether they may use the network in it without a question"),
  "sandbox.read": z
    .array(place)
    .describe('paths beside the root and tool chains that commands in it may read: ["~/data"]'),
  "sandbox.write": z.array(place).describe('paths beside the root that they may write: ["~/.cache/models"]'),
  "sandbox.sockets": z
    .array(place)
    .describe('sockets of this machine that they may connect to: ["$SSH_AUTH_SOCK"]'),
  "sandbox.maxProcesses": z.number().int().min(16).describe("processes that all commands may have at once"),
  "sandbox.maxMemory": z
    .number()
    .int()
    .min(64)
    .nullable()
    .describe("megabytes that they may use together; null is three quarters of the machine's"),
  "web.privateAddresses": z
    .boolean()
    .describe("whether pages of this machine and the local network may be read"),
  "github.cache.softTtlSec": z
    .number()
    .int()
    .min(0)
    .describe("seconds for which an answer from GitHub is fresh; after that it is shown, and fetched anew"),
  "github.cache.hardTtlSec": z
    .number()
    .int()
    .min(0)
    .describe("seconds after which it is not shown any more; 0 keeps nothing"),
  "github.hosts": z
    .array(z.string().regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d+)?$/i, "a name of a host"))
    .describe('hosts of GitHub that gh may be asked about: ["github.com", "github.example.com"]'),
});

export type ConfiguredCode = z.infer<z.ZodObject<ReturnType<typeof codeSettingsShape>>>;

export const codeDefaults: ConfiguredCode = {
  "edit.mode": "hashline",
  "edit.modeByModel": {},
  "permission.mode": "ask",
  "permission.rules": [],
  "read.defaultLimit": 3000,
  "bash.timeout": 300,
  "bash.autoBackground.enabled": true,
  "bash.autoBackground.thresholdMs": 60_000,
  "async.pollWaitDuration": "30s",
  "async.maxJobs": 100,
  "commands.environment": [],
  "sandbox.enabled": true,
  "sandbox.network": false,
  "sandbox.read": [],
  "sandbox.write": [],
  "sandbox.sockets": [],
  "sandbox.maxProcesses": 4096,
  "sandbox.maxMemory": null,
  "web.privateAddresses": false,
  "github.cache.softTtlSec": 300,
  "github.cache.hardTtlSec": 604_800,
  "github.hosts": ["github.com"],
};

/** What a project's own file may say. It can make rules stricter, never looser. */
export const codeProjectKeys = [
  "edit.mode",
  "permission.rules",
  "read.defaultLimit",
  "bash.timeout",
  "bash.autoBackground.enabled",
  "bash.autoBackground.thresholdMs",
  "async.pollWaitDuration",
] as const;

/** The settings for a model, named `provider/name`. */
export function codeSettingsFor(settings: ConfiguredCode, model: string): CodeSettings {
  const memory = settings["sandbox.maxMemory"];
  const byModel = Object.entries(settings["edit.modeByModel"]).findLast(([pattern]) => fits(pattern, model));
  return {
    editMode: byModel?.[1] ?? settings["edit.mode"],
    fuzzyReplace: true,
    permissionMode: settings["permission.mode"],
    permissionRules: settings["permission.rules"],
    readLimit: settings["read.defaultLimit"],
    bashTimeout: settings["bash.timeout"],
    bashAutoBackground: settings["bash.autoBackground.enabled"],
    bashBackgroundAfter: settings["bash.autoBackground.thresholdMs"],
    jobWait: seconds[settings["async.pollWaitDuration"]] ?? 30,
    maxJobs: settings["async.maxJobs"],
    commandEnvironment: settings["commands.environment"],
    sandbox: settings["sandbox.enabled"],
    sandboxNetwork: settings["sandbox.network"],
    sandboxAccess: {
      readable: settings["sandbox.read"],
      writable: settings["sandbox.write"],
      sockets: settings["sandbox.sockets"],
    },
    commandLimits: {
      processes: settings["sandbox.maxProcesses"],
      ...(memory === null ? {} : { memoryBytes: memory * 1024 ** 2 }),
    },
    privatePages: settings["web.privateAddresses"],
    github: {
      softTtlSec: settings["github.cache.softTtlSec"],
      hardTtlSec: settings["github.cache.hardTtlSec"],
      hosts: settings["github.hosts"],
    },
  };
}
