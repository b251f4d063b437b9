// Ctrl-Z: the shell gets the terminal until it continues this job.

const withoutJobControlMs = 300;

/**
 * Stops the process group; `resume` is called once when it is continued. The terminal is stopped before and started again by
 * `resume`. False where the system has no such signal. Without a shell that controls jobs the system ignores the signal; the
 * process then just goes on.
 */
export function suspendProcess(resume: () => void): boolean {
  if (process.platform === "win32") return false;
  let isResumed = false;
  const goOn = (): void => {
    if (isResumed) return;
    isResumed = true;
    process.off("SIGCONT", goOn);
    clearTimeout(timer);
    resume();
  };
  process.once("SIGCONT", goOn);
  // While the process is stopped no time passes for it: this fires only where it never stopped.
  const timer = setTimeout(goOn, withoutJobControlMs);
  process.kill(0, "SIGTSTP");
  return true;
}
