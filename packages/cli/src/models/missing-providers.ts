// Providers that cannot be used, a line each: what is missing, and the command that mends it.

import type { ProviderView } from "@stet/protocol/api/models";
import { visibleName } from "@stet/protocol/visible";
import { nextStep } from "./next-step.ts";

export function missingLines(providers: readonly ProviderView[]): string[] {
  const rows = providers.map((provider) => [
    visibleName(provider.name),
    missingWords(provider),
    nextStep({ provider: provider.name, field: provider.mend?.field ?? "key" })?.command ?? "",
  ]);
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** In a few words; the sentence is in the API, and in /model. */
export function missingWords({ is_ready: isReady, mend, kind }: ProviderView): string {
  if (isReady) return "not tried";
  const field = mend?.field ?? "key";
  const words = {
    key: "needs a key",
    address: "needs an address",
    server: kind === "local" ? "not running" : "does not answer",
    account: "needs an account",
    model: "has no model",
    context: "has no room",
    package: "needs a package",
  };
  return words[field];
}
