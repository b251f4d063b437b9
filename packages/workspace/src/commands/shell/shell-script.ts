// What is said to a shell, and how it answers.
//
// A host process starts shells and outlives all of them. It has inherited a control socket and an output pipe for each shell
// that it will ever start; none of them has a name in any folder. It reads lines `<name> <control> <output>` from its
// standard input, starts a shell over those two descriptors, which nobody else keeps, and writes `<name> <exit code>` when
// it has ended. An empty line is the orderly end. At the end of its input, which is the end of Stet however that came, it
// kills what still carries the marker.
//
// A shell reads commands from its control socket. Each becomes an `eval` of its own, so unbalanced quotes, here-documents,
// `break` and `return` concern nothing but the command. Its standard input is empty, and redirections that it makes with
// `exec` end with it. The answer `<token> [moved] <exit code> <folder>` NUL goes to the socket, never to the output; whoever the
// command starts does not have that descriptor, and a socket cannot be opened again through /proc.
//
// The output is a pipe because programs do open theirs again: `tee /dev/stderr` fails where that is a socket.

import type { ResourceLimits } from "../sandbox/resource-limits.ts";
import { markerName } from "./processes.ts";

export interface Program {
  readonly path: string;
  readonly kind: "bash" | "sh";
}

/** The descriptors of one shell in its host. */
export interface Slot {
  readonly control: number;
  readonly output: number;
}

/** As many as the jobs and timed-out commands of a long turn need; a plain shell knows descriptors of one digit only. */
export function slotsOf({ kind }: Program): Slot[] {
  return Array.from({ length: kind === "bash" ? 16 : 3 }, (_, at) => ({
    control: 3 + 2 * at,
    output: 4 + 2 * at,
  }));
}

/** Arguments: the marker, the shell, a PATH of programs that are not the workspace's. */
export function hostScript(program: Program, limits: Partial<ResourceLimits>): string {
  const shell = program.kind === "bash" ? `"$2" --noprofile --norc -c ${quoted(bashLoop)} bash` : '"$2" -s';
  // Each shell leads a process group, so that `kill 0` in a command ends the command's shell and nothing else.
  const groups = program.kind === "bash" ? "set -m;" : "";
  const { processes, memoryBytes } = limits;
  const limit = [
    ...(processes === undefined ? [] : [`ulimit -u ${processes} 2>/dev/null;`]),
    ...(memoryBytes === undefined ? [] : [`ulimit -d ${Math.floor(memoryBytes / 1024)} 2>/dev/null;`]),
  ].join(" ");
  const closed = slotsOf(program)
    .map(({ control, output }) => `${control}>&- ${output}>&-`)
    .join(" ");
  return `${limit} ${program.kind === "bash" ? closeFrom(3 + 2 * slotsOf(program).length) : ""}
while IFS=' ' read -r name control output; do
  [ -n "$name" ] || exit 0
  ( ${groups} ${markerName}="$1.$name" ${shell} <&"$control" >&"$output" 2>&1 ${closed} &
    exec ${closed}; wait "$!"; printf '%s %s\\n' "$name" "$?" ) </dev/null 2>/dev/null &
  eval "exec $control>&- $output>&-"
done
PATH=$3
for round in 1 2 3 4 5 6 7 8 9 10; do
  if [ -d /proc/self ]; then
    left=$(grep -lsaF "${markerName}=$1." /proc/[0-9]*/environ | tr -dc '0-9\\n')
  else
    left=$(ps -axEww -o pid=,command= | awk -v wanted="${markerName}=$1." 'index($0, wanted) { print $1 }')
  fi
  [ -z "$left" ] && break
  kill -KILL $left
done 2>/dev/null
`;
}

/**
 * For bash: closes what Stet has itself inherited from whoever started it, which Node passes on. Without a redirection of
 * its own, because that would be kept in a descriptor that is then closed as well.
 */
export function closeFrom(first: number): string {
  const close = `[ "$fd" -ge ${first} ] && eval "exec $fd>&-"`;
  return `for fd in /dev/fd/*; do fd=\${fd##*/}; ${close}; done;`;
}

/** The token of the answer that a shell is ready. */
export const readyToken = "ready";

/**
 * What bash carries out: answer, read four texts, evaluate, and again. It is parsed once, because a bash that reads its
 * script while commands fail to parse goes wrong (5.2 overwrites its own memory). One line, so that the lines of a command
 * are counted from its first.
 *
 * - The answer is given where the loop decides whether to go on: a command's `continue` leads there too, and so does its
 *   `break`, because of the outer loop. Were both left, the shell would end, which is noticed.
 * - What traps and `set -x` say of these lines is nobody's concern and goes nowhere. What a trap says when the shell ends
 *   goes where the output of commands goes.
 * - What a command set for itself (`set -e`) must not end or disturb the next one.
 */
const bashLoop = [
  `exec 60>&0 61>&1 0</dev/null; __stet_token=${readyToken}`,
  `while :; do while { builtin printf '%s %d %s\\0' "$__stet_token" "$?" "\${PWD-}" >&60 || builtin exit 97`,
  "builtin set +euxvn +o posix; builtin trap - DEBUG ERR RETURN",
  `[[ -z \${__stet_back-} ]] || builtin cd -- "$__stet_back"`,
  ...["token", "folder", "instead", "back", "line", "command"].map(
    (name) => `IFS= TMOUT= builtin read -r -d '' __stet_${name} <&60 || builtin exit 0`,
  ),
  `builtin cd -- "$__stet_folder" || { builtin cd -- "$__stet_instead" && __stet_token+=' moved'; }`,
  `[[ $? == 0 ]] || { __stet_token+=' gone'; __stet_line=:; }`,
  `} >/dev/null 2>&1; do { builtin eval "$__stet_line"; } </dev/null >&61 2>&61 60>&- 61>&-; done; done`,
].join("; ");

export interface ShellMessage {
  readonly token: string;
  readonly command: string;
  readonly folder: string;
  /** Where the command runs if that folder is gone. */
  readonly instead: string;
  /** Where the shell is afterwards; undefined where it stays where the command leaves it. */
  readonly returnTo: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** What makes a shell ready. */
export function opening({ kind }: Program): string {
  return kind === "bash" ? "" : `exec 9>&0 8>&1; printf '${readyToken} 0 %s\\0' "$PWD" >&9\n`;
}

export function spokenTo({ kind }: Program, spoken: ShellMessage): string {
  return kind === "bash" ? spokenToBash(spoken) : spokenToSh(spoken);
}

function spokenToBash({ token, command, folder, instead, returnTo = "", env }: ShellMessage): string {
  // Only behind `command` do variables before `eval` reach the programs, and end with it.
  const line = `${assignments(env)}command eval "$__stet_command"`;
  return [token, folder, instead, returnTo, line, command, ""].join("\0");
}

/** A plain shell cannot read up to a NUL, and knows descriptors of one digit only. It is given a script, bit by bit. */
function spokenToSh({ token, command, folder, instead, returnTo, env }: ShellMessage): string {
  const evaluated = `{ ${assignments(env)}command eval ${quoted(command)}
} </dev/null >&8 2>&8 9>&- 8>&-`;
  const answer = `command printf '%s %d %s\\0' "$__stet_token" "$?" "\${PWD-}" >&9 || exit 97`;
  const back = returnTo === undefined ? "" : `; command cd -- ${quoted(returnTo)}`;
  return `
__stet_token=${token}
if command cd -- ${quoted(folder)} 2>/dev/null || { __stet_token='${token} moved'; command cd -- ${quoted(instead)} 2>/dev/null; }; then ${evaluated}
{ ${answer}${back}; set +euxvn; } >/dev/null 2>&1; else printf '${token} gone\\0' >&9; fi
`;
}

function assignments(env: ShellMessage["env"]): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${quoted(value)} `)
    .join("");
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
