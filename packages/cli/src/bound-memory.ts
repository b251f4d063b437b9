// Keeps a server's memory from growing with its age.
//
// Under load V8 makes the space for young objects ever larger, up to a size that follows the machine's memory, and does not
// give it back. Its bound is read once, when the process starts: setting the flag later changes nothing. So a process that
// was started without it becomes one that has it, under the same process id. Where the system cannot do that (Windows), the
// server works as well, and takes more memory.
//
// And it lets old garbage grow to several times what is in use before it is collected. That is bounded when the server has
// started: until then there is little garbage, and looking for it would make the start slower.

import { setFlagsFromString } from "node:v8";

/** Megabytes, for each of the two halves of that space. */
export const semiSpaceFlag = "--max-semi-space-size=16";

/** Call it before anything else: what the process has done until then is done again. */
export function boundMemory(): void {
  const given = `${process.execArgv.join(" ")} ${process.env.NODE_OPTIONS ?? ""}`;
  // A size that the person gave wins.
  if (/--max[-_]semi[-_]space[-_]size/.test(given) || process.execve === undefined) return;
  const args = [process.execPath, semiSpaceFlag, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, process.env);
}

/** How much of the old space in use may be garbage beside it, in percent. Call it when the server has started. */
export function boundGarbage(): void {
  if (!/--heap[-_]growing[-_]percent/.test(process.execArgv.join(" ")))
    setFlagsFromString("--heap-growing-percent=100");
}
