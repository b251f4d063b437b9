// What a person reads of a model: how much it takes, what it costs, what it can do, and how fast it was here. Nothing is
// written where nothing is known.

import type { ListedModel, ProviderView } from "@stet/protocol/api/models";

/** `200k`, `1M`: in tokens. */
export function contextWords({ context_window: window }: Pick<ListedModel, "context_window">): string {
  if (window === null || window === 0) return "";
  if (window < 1000) return String(window);
  // Powers of two are called by their thousands: 131072 is 131k, 1048576 is 1M.
  return window < 999_500 ? `${Math.round(window / 1000)}k` : `${trimmed(window / 1_000_000, 1)}M`;
}

/** `$3/15`: a million tokens in and out; `free` on this machine. */
export function priceWords({ price }: Pick<ListedModel, "price">, isLocal = false): string {
  if (price === null) return isLocal ? "free" : "";
  if (price.input === 0 && price.output === 0) return "free";
  return `$${trimmed(price.input, 2)}/${trimmed(price.output, 2)}`;
}

type Abilities = Pick<ListedModel, "tools" | "images" | "thinking">;

/** In words that a search finds, too. */
export function abilityWords({ tools, images, thinking }: Abilities): string[] {
  return [
    ...(tools === "native" ? ["tools"] : tools === "text" ? ["tools as text"] : []),
    ...(images === true ? ["pictures"] : []),
    ...(thinking === true ? ["thinking"] : []),
  ];
}

/** `42 tok/s, 0.6 s`: how fast it wrote here, and when its first word came. */
export function speedWords({ speed }: Pick<ListedModel, "speed">): string {
  if (speed === null) return "";
  const rate = speed.tokens_per_second;
  const first = `${(speed.first_token_ms / 1000).toFixed(1)} s`;
  return rate > 0 ? `${rate < 10 ? trimmed(rate, 1) : Math.round(rate)} tok/s, ${first}` : first;
}

/** What came from the provider's cache, as a part of the whole prompt; undefined where nothing did, or nothing is known of it. */
export function cacheShare(read: number, prompt: number): string | undefined {
  if (read === 0 || prompt === 0) return undefined;
  const percent = Math.round((100 * read) / prompt);
  return percent === 0 ? "<1 %" : `${percent} %`;
}

/** All that a search looks through. */
export function searchText(
  model: ListedModel,
  { name, title }: Pick<ProviderView, "name" | "title">,
): string {
  const favourite = model.is_favourite ? "favourite" : "";
  return [model.name, name, title, ...abilityWords(model), favourite].join(" ").toLowerCase();
}

/** Without zeros at the end. */
function trimmed(amount: number, digits: number): string {
  return amount > 0 && amount < 0.01 ? amount.toPrecision(1) : String(Number(amount.toFixed(digits)));
}
