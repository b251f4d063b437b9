// What the person and the rules judge of a command: also the variables, which can make another command of it.

import { type Fault, isFault } from "@stet/protocol/fault";
import { quoted } from "@stet/workspace/commands/shell/shell-script";
import { resolveFolder } from "@stet/workspace/files/containment";
import type { CommandTarget } from "../../permission/permission-rule.ts";
import { rootPath } from "../root-path.ts";
import { fromRoot } from "./bash-answer.ts";
import type { BashContext } from "./bash-context.ts";

export interface CommandInput {
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly network?: boolean | undefined;
  readonly writes?: boolean | undefined;
}

export function commandTarget(
  { workspace, commands }: BashContext,
  { command, cwd, env = {}, network = false, writes = false }: CommandInput,
): CommandTarget | Fault {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  const whole = variables.length === 0 ? command : `export ${variables.join(" ")}\n${command}`;
  const asked = cwd === undefined ? undefined : resolveFolder(workspace.root, rootPath(workspace, cwd));
  if (isFault(asked)) return asked;
  const folder = fromRoot(workspace.root.path, asked?.absolute ?? commands.folder);
  return { command: whole, folder, network, writes };
}
