import { existsSync } from "node:fs";
import { join } from "node:path";

/** Whether a folder has something that counts only where the person trusts it. */
export function wantsTrust(folder: string): boolean {
  return ["config.json", "agents"].some((name) => existsSync(join(folder, ".stet", name)));
}
