// `stet completions bash|zsh|fish`: a script, made from the table, that completes commands, verbs, options and their values.

import type { CommandContext, WordsOf } from "../command.ts";
import { type CommandEntry, commandTable, globalOptions, type Option, turnEntry } from "../command-table.ts";
import { exitCode } from "../exit-code.ts";

type Options = Readonly<Record<string, Option>>;

const commands = Object.entries<CommandEntry>(commandTable);
const turnOptions: Options = { ...turnEntry.options, ...globalOptions };

export async function completions(
  { positionals: [shell] }: WordsOf<"completions">,
  { terminal }: CommandContext,
): Promise<number> {
  terminal.out(shell === "fish" ? fish() : shell === "zsh" ? zsh() : bash());
  return exitCode.done;
}

/**
 * Three questions in this order: is the word before an option with a value; which command was given, and which verb; does
 * this word begin with "-". Words that stand for an option's value are passed over.
 */
function bash(): string {
  const valued = [turnOptions, ...commands.map(([, entry]) => entry.options)].flatMap((options) =>
    Object.entries(options).flatMap(([name, option]) =>
      option.type === "string" ? spellings(name, option) : [],
    ),
  );
  return `_stet_offer() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
_stet_files() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$word"))
}
_stet() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" command="" verb="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      ${[...new Set(valued)].join("|")}) ((i++)) ;;
      -*) ;;
      *) if [ -z "$command" ]; then command="\${COMP_WORDS[i]}"; elif [ -z "$verb" ]; then verb="\${COMP_WORDS[i]}"; fi ;;
    esac
  done
  case "$command $before" in
${valueCases("", turnOptions)}
${commands.map(([name, { options }]) => valueCases(name, { ...options, folder: globalOptions.folder })).join("\n")}
  esac
  case "$word" in
    @*) local IFS=$'\\n'; COMPREPLY=($(compgen -f -P @ -- "\${word#@}")); return ;;
  esac
  case "$command" in
    "")
      case "$word" in
        -*) _stet_offer "${flags(turnOptions)}" ;;
        *) _stet_offer "${commands.map(([name]) => name).join(" ")} help" ;;
      esac ;;
    help) _stet_offer "${commands.map(([name]) => name).join(" ")}" ;;
${commands.map(commandCase).join("\n")}
  esac
}
complete -F _stet stet
`;
}

function spellings(name: string, { short }: Option): string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

function flags(options: Options): string {
  return Object.keys({ ...options, folder: {}, help: {} })
    .map((name) => `--${name}`)
    .join(" ");
}

function valueCases(command: string, options: Options): string {
  return Object.entries(options)
    .filter(([, option]) => option.type === "string" && option.bare === undefined)
    .map(([name, option]) => {
      const words = spellings(name, option).map((spelling) => `"${command} ${spelling}"`);
      return `    ${words.join("|")}) ${offerValue(option)} return ;;`;
    })
    .join("\n");
}

function offerValue({ choices, value }: Option): string {
  if (choices !== undefined) return `_stet_offer "${choices.join(" ")}";`;
  return value === "FILE" ? "_stet_files -f;" : value === "DIR" ? "_stet_files -d;" : "";
}

function commandCase([name, { verbs = {}, options, arguments: words }]: [string, CommandEntry]): string {
  const ofFiles = Object.entries(verbs).filter(([, verb]) => verb.arguments?.includes("FILE"));
  const files = ofFiles.map(([verb]) => verb).join("|");
  const plain = Object.keys(verbs).length > 0 ? `_stet_offer "${Object.keys(verbs).join(" ")}"` : ":";
  return `    ${name})
      case "$word" in
        -*) _stet_offer "${flags(options)}" ;;
        *) case "$verb" in
          "") ${words?.includes("FILE") ? "_stet_files -f" : plain} ;;${files === "" ? "" : `\n          ${files}) _stet_files -f ;;`}
        esac ;;
      esac ;;`;
}

function zsh(): string {
  return `#compdef stet\nautoload -U +X bashcompinit && bashcompinit\n${bash()}`;
}

function fish(): string {
  const lines = ["complete -c stet -f"];
  const none = "__fish_use_subcommand";
  for (const [name, { help }] of commands)
    lines.push(`complete -c stet -n ${none} -a ${name} -d ${quoted(help)}`);
  lines.push(...fishOptions(none, turnOptions));
  for (const [name, { verbs = {}, options }] of commands) {
    const seen = `__fish_seen_subcommand_from ${name}`;
    const unsaid = `${seen}; and not __fish_seen_subcommand_from ${Object.keys(verbs).join(" ")}`;
    for (const [verb, { help, arguments: words }] of Object.entries(verbs)) {
      lines.push(`complete -c stet -n "${unsaid}" -a ${verb} -d ${quoted(help)}`);
      if (words?.includes("FILE"))
        lines.push(`complete -c stet -n "${seen}; and __fish_seen_subcommand_from ${verb}" -F`);
    }
    lines.push(...fishOptions(`"${seen}"`, options));
  }
  return `${lines.join("\n")}\n`;
}

function fishOptions(when: string, options: Options): string[] {
  return Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? "" : ` -s ${option.short}`;
    const isPath = option.value === "FILE" || option.value === "DIR";
    const value = isPath ? " -r -F" : option.choices ? ` -x -a "${option.choices.join(" ")}"` : " -x";
    return `complete -c stet -n ${when} -l ${name}${short}${option.type === "string" ? value : ""} -d ${quoted(option.help)}`;
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}
