// `stet trust`: trusts this folder; `--off` stops that.

import { realpathSync } from "node:fs";
import { parseArgs } from "node:util";
import { setTrusted, trustMeaning } from "@stet/server/settings/trust";
import type { CommandContext } from "../command.ts";
import { exitCode } from "../exit-code.ts";

export async function trust(args: readonly string[], context: CommandContext): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { off: { type: "boolean", default: false } } });
  const folder = realpathSync(context.folder);
  setTrusted(folder, !values.off, context.environment);
  context.terminal.out(
    values.off ? `${folder} is no longer trusted.\n` : `${folder} is trusted. ${trustMeaning}\n`,
  );
  return exitCode.done;
}
