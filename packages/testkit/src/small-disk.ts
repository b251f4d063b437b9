// A file system of a few kilobytes, mounted on a folder. Needs root on Linux.

import { execFileSync } from "node:child_process";

export interface SmallDisk {
  resize(size: string): void;
  /** From now on nothing can be written there. */
  lock(): void;
  remove(): void;
}

/** Mounts it; undefined where the system does not allow that. The caller removes it before the folder is removed. */
export function smallDisk(folder: string, size: string): SmallDisk | undefined {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  return {
    resize: (newSize) =>
      void execFileSync("mount", ["-o", `remount,size=${newSize}`, folder], { stdio: "ignore" }),
    lock: () => void execFileSync("mount", ["-o", "remount,ro", folder], { stdio: "ignore" }),
    remove: () => void execFileSync("umount", ["-l", folder], { stdio: "ignore" }),
  };
}
