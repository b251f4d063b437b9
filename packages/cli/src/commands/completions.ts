// `stet completions bash|zsh|fish`: completion of commands and options.

import type { CommandContext } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { usage } from "../with-workspace.ts";

const commands = [
  "tabs",
  "search",
  "review",
  "checkpoints",
  "rollback",
  "sessions",
  "models",
  "config",
  "trust",
  "serve",
  "work",
  "doctor",
  "completions",
];
const flags = [
  "--print",
  "--mode",
  "--model",
  "--toolset",
  "--permission",
  "--tab",
  "--review",
  "--max-cost",
  "--continue",
  "--resume",
  "--no-session",
  "--folder",
  "--trust",
  "--help",
  "--version",
];
const verbs: Readonly<Record<string, readonly string[]>> = {
  tabs: ["list", "open", "close", "front"],
  review: ["list", "show", "accept", "reject", "undo", "step"],
  sessions: ["list", "show", "export", "import", "rename", "remove", "prompts"],
};

export async function completions(args: readonly string[], context: CommandContext): Promise<number> {
  const script = { bash, zsh, fish }[args[0] ?? ""];
  if (script === undefined) return usage(context, "Say for which shell: stet completions bash, zsh or fish.");
  context.terminal.out(script());
  return exitCode.done;
}

function bash(): string {
  const cases = Object.entries(verbs).map(
    ([name, words]) => `    ${name}) COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$word")); return ;;`,
  );
  return `_stet() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "${[...commands, ...flags].join(" ")}" -- "$word"))
}
complete -o default -F _stet stet
`;
}

function zsh(): string {
  return `#compdef stet\nautoload -U bashcompinit && bashcompinit\n${bash()}`;
}

function fish(): string {
  const lines = [`complete -c stet -n __fish_use_subcommand -a "${commands.join(" ")}"`];
  for (const flag of flags) lines.push(`complete -c stet -l ${flag.slice(2)}`);
  for (const [name, words] of Object.entries(verbs))
    lines.push(`complete -c stet -n "__fish_seen_subcommand_from ${name}" -a "${words.join(" ")}"`);
  return `${lines.join("\n")}\n`;
}
