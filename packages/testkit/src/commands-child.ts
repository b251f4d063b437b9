// A process that runs commands and is killed while they run. Arguments: a folder with root and state, and "sandbox" or
// "open". Prints "ready" when the commands are on their way.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Commands } from "@stet/workspace/commands/commands";
import { defaultSize } from "@stet/workspace/commands/shell/terminal";
import { openRoot } from "@stet/workspace/files/containment";
import { must } from "./workspace.ts";

const [folder = "", place = "open"] = process.argv.slice(2);
const commands = new Commands({
  root: must(openRoot(join(folder, "root"))),
  stateFolder: join(folder, "state"),
  environment: process.env,
  isSandboxed: true,
});
const common = { timeoutSeconds: 600, isSandboxed: place === "sandbox", network: false };
const name = (number: number) => `touch started-${number}; exec -a $(cat name) sleep 300`;
// In the foreground, in the background, away from its shell and its session, and on a terminal.
void commands.run({ ...common, command: name(1) });
void commands.run({ ...common, hasOwnShell: true, command: `(${name(2)}) & wait` });
void commands.run({
  ...common,
  hasOwnShell: true,
  command: `setsid bash -c '(trap "" TERM HUP; ${name(3)}) & exit'`,
});
void commands.run({ ...common, command: `trap "" HUP; ${name(4)}`, terminal: defaultSize });
while ([1, 2, 3, 4].some((number) => !existsSync(join(folder, "root", `started-${number}`)))) await sleep(20);
console.log("ready");
