// `stet trust`: trusts this folder; `--off` stops that.

import { setTrusted, trustMeaning } from "@stet/host/settings/trust";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";

export async function trust({ values }: WordsOf<"trust">, context: CommandContext): Promise<number> {
  const folder = context.root;
  setTrusted(folder, !values.off, context.environment);
  context.terminal.out(
    values.off ? `${folder} is no longer trusted.\n` : `${folder} is trusted. ${trustMeaning}\n`,
  );
  return exitCode.done;
}
