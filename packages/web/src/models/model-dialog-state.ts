// Whether the dialog about models is open, and where in it.

import type { ModelField } from "@stet/protocol/model-stream";
import { createSignal } from "solid-js";

export type DialogPage =
  | { readonly kind: "start" }
  /** Connecting one; without a name, a server of one's own. */
  | {
      readonly kind: "connect";
      readonly provider: string | undefined;
      readonly field?: ModelField | undefined;
    }
  /** Of one provider, or of all. */
  | { readonly kind: "models"; readonly provider: string | undefined; readonly note?: string };

const [page, setPage] = createSignal<DialogPage | undefined>();

export const dialogPage = page;

export function openModelDialog(to: DialogPage = { kind: "start" }): void {
  setPage(to);
}

export function closeModelDialog(): void {
  setPage(undefined);
}

/** Where a field of a provider's connection is mended. */
export function openMend(provider: string, field: ModelField): void {
  openModelDialog(field === "model" ? { kind: "models", provider } : { kind: "connect", provider, field });
}
