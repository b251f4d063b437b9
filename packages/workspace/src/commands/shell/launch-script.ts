// What becomes the sandbox: a shell that enters the control groups, opens the filter of system calls where that was not
// inherited, and is then replaced by bubblewrap. A group that the system has taken away meanwhile is no reason not to run:
// the limits of the shell are still there. A filter that cannot be read is one.

const script = [
  'while [ "$1" != -- ]; do { echo "$$" >"$1"; } 2>/dev/null; shift; done; shift',
  'if [ -n "$1" ]; then exec 9<"$1" || exit 125; fi; shift',
  'exec "$@"',
].join("\n");

/** The descriptor of a filter that the script opens. */
export const openedFilter = 9;

export interface Launch {
  /** Files of control groups to enter. */
  readonly entrances: readonly string[];
  /** A filter that has to be opened; undefined where it was inherited, or where there is none. */
  readonly filter: string | undefined;
}

/** What stands before the words of the sandbox. */
export function launchWords({ entrances, filter }: Launch): string[] {
  if (entrances.length === 0 && filter === undefined) return [];
  return ["/bin/sh", "-c", script, "launch", ...entrances, "--", filter ?? ""];
}
