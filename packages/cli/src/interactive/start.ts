// `stet` in a terminal, from the command line to the exit code.

import type { Settings } from "@stet/host/settings/configuration";
import { ProcessTerminal } from "@stet/tui/terminal/process-terminal";
import type { CommandContext } from "../command.ts";
import type { turnEntry } from "../command-table.ts";
import { exitCode } from "../exit-code.ts";
import type { Words } from "../parse-words.ts";
import { showFault } from "../terminal.ts";
import { wantsTrust } from "../wants-trust.ts";
import type { Choices } from "./app.ts";
import type { SessionStart } from "./connection/session-start.ts";
import { earlySettings } from "./early-settings.ts";
import { Interactive, type InteractiveEnd, type InteractiveOptions } from "./interactive.ts";
import { watchLife } from "./life.ts";

type TurnWords = Words<typeof turnEntry>;

export async function startInteractive(
  { values, positionals }: TurnWords,
  context: CommandContext,
): Promise<number> {
  const { environment, root, terminal: streams } = context;
  const {
    review,
    model,
    thinking,
    toolset,
    permission,
    "max-cost": maxCost,
    "service-tier": serviceTier,
  } = values;
  if (environment.STET_LOG === "stderr" && streams.isWatched) {
    streams.note(
      "stet: STET_LOG=stderr would write over the screen. Give it a file (STET_LOG=/path/of/a/file), or redirect it: stet 2>log.\n",
    );
    return exitCode.usage;
  }
  const cost = maxCost === undefined ? undefined : Number(maxCost);
  if (cost !== undefined && !(cost > 0)) {
    streams.note(`stet: --max-cost takes an amount in US dollars, not ${maxCost}.\n`);
    return exitCode.usage;
  }
  const chosen: Choices = { model, thinking, toolset, permission };
  const flags: Partial<Settings> = {
    ...(isReview(review) ? { review } : {}),
    ...(cost === undefined ? {} : { maxCost: cost }),
    ...(serviceTier === undefined ? {} : { serviceTier }),
  };
  const early = earlySettings(environment);
  const options = {
    context,
    start: startOf(values),
    words: positionals.join(" "),
    chosen: definedOnly(chosen),
    flags,
    tabs: values.tab ?? [],
    isTrusted: values.trust || (await trusts(root, context)),
  };
  const isLinear = values.linear || early.isLinear || environment.STET_LINEAR === "1";
  const { session, fault, left } = isLinear
    ? await (await import("./linear/linear.ts")).runLinear(options)
    : await runOnScreen({ ...options, early, terminal: new ProcessTerminal({ environment }) });
  if (fault !== undefined) {
    showFault(streams, fault);
    return exitCode.refused;
  }
  if (left !== undefined) streams.note(`\n${left}\n`);
  if (session !== undefined)
    streams.note(`\nTo go on with this session: stet --resume ${session.slice(0, 8)}\n`);
  return exitCode.done;
}

async function runOnScreen(options: InteractiveOptions): Promise<InteractiveEnd> {
  const interactive = new Interactive(options);
  const stopWatching = watchLife(interactive, options.context);
  const end = await interactive.run();
  stopWatching();
  return end;
}

function startOf({ continue: isContinued, resume }: TurnWords["values"]): SessionStart {
  if (resume === "") return { kind: "pick" };
  if (resume !== undefined) return { kind: "named", id: resume };
  return { kind: isContinued ? "latest" : "new" };
}

function isReview(value: string | undefined): value is Settings["review"] {
  return value === "hunk" || value === "turn" || value === "none";
}

function definedOnly(choices: Choices): Choices {
  return Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined));
}

/** Asked before the screen is drawn, and only where the folder wants to configure something. */
async function trusts(root: string, context: CommandContext): Promise<boolean> {
  if (!wantsTrust(root)) return false;
  return (await import("../ask-for-trust.ts")).askForTrust(root, context);
}
