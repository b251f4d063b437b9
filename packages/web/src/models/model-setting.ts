// Which setting a choice goes to, and what may decide in its place.

import type { AgentMode } from "./model-words.ts";

/** In the modes that have a local model, that is another setting. */
export function settingOf(mode: AgentMode, isLocal: boolean): "model" | "localModel" {
  return mode !== "remote" && isLocal ? "localModel" : "model";
}

/** From the source of a setting, as `environment: STET_MODEL`. */
export function deciderOf(source: string): string {
  const [kind, from = ""] = source.split(": ", 2);
  if (kind === "environment") return `the variable ${from}`;
  if (kind === "flag") return "the option that Stet was started with";
  return "";
}
