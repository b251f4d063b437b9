// What a model takes, costs and can do, in a few words. What is not known is left out.

import type { ListedModel, ProviderView } from "@stet/protocol/api/models";
import type { ThinkingLevel } from "@stet/protocol/model-stream";

export function shownModel(model: string): string {
  return model === "practice" || model === "practice/practice"
    ? "Practice model"
    : model.slice(model.indexOf("/") + 1);
}

/** In a sentence, where a long name would push everything else aside. */
export function briefModel(model: string): string {
  const name = shownModel(model);
  return name.length <= 60 ? name : `${name.slice(0, 59)}…`;
}

/** A server that somebody named is known by that name. */
export function titleOf({ name, title, kind }: Pick<ProviderView, "name" | "title" | "kind">): string {
  return kind === "practice" && name !== "practice" ? name : title;
}

/** 4.1k, 128k, 1M. */
export function shownTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  const [size, unit] = tokens < 999_500 ? [tokens / 1000, "k"] : [tokens / 1_000_000, "M"];
  return `${size < 10 ? Number(size.toFixed(1)) : Math.round(size)}${unit}`;
}

export function priceWords(price: ListedModel["price"]): string {
  if (price === null) return "";
  if (price.input === 0 && price.output === 0) return "free";
  return `${dollars(price.input)} in, ${dollars(price.output)} out`;
}

function dollars(amount: number): string {
  if (amount === 0) return "$0";
  return `$${Number(amount < 0.1 ? amount.toPrecision(2) : amount.toFixed(2))}`;
}

type Abilities = Pick<ListedModel, "tools" | "images" | "thinking">;

export function abilityWords({ tools, images, thinking }: Abilities): string {
  const words = [
    tools === "native" ? "tools" : tools === "text" ? "tools as text" : "",
    images === true ? "pictures" : "",
    thinking === true ? "thinking" : "",
  ];
  return words.filter((word) => word !== "").join(", ");
}

export function speedWords(speed: ListedModel["speed"]): string {
  if (speed === null) return "";
  const rate = Math.round(speed.tokens_per_second);
  // Answers that came at once tell no rate.
  return rate > 0
    ? `${rate} tokens a second here`
    : `answers after ${(speed.first_token_ms / 1000).toFixed(1)} s here`;
}

/** One line: context, price, abilities, speed. What runs on this machine has no price. */
export function factWords(model: ListedModel, isLocal: boolean): string {
  const context = model.context_window === null ? "" : `${shownTokens(model.context_window)} context`;
  const price = isLocal ? "" : priceWords(model.price) || "price unknown";
  const parts = [context, price, abilityWords(model), speedWords(model.speed)];
  return parts.filter((part) => part !== "").join(" · ");
}

type Key = ProviderView["keys"][number];

/** Where a key is, never what it is. */
export function keyWords({ kept_in: place, name }: Pick<Key, "kept_in" | "name">): string {
  switch (place) {
    case "keychain":
      return "in the system's keychain";
    case "file":
      return "in a private file";
    case "environment":
      return `from the variable ${name}`;
    case "configuration":
      return "from the configuration file";
  }
}

/** Only what was kept here can be forgotten here. */
export function isForgettable({ kept_in: place }: Pick<Key, "kept_in">): boolean {
  return place === "keychain" || place === "file";
}

export type AgentMode = "local" | "remote" | "hybrid_auto";

export const modeWords: readonly {
  readonly mode: AgentMode;
  readonly title: string;
  readonly about: string;
}[] = [
  {
    mode: "local",
    title: "Only on this machine",
    about: "Nothing of a conversation leaves this machine: only a model that runs here answers.",
  },
  {
    mode: "remote",
    title: "Far away",
    about:
      "The default model answers. Where that is a provider's, what you ask and what the agent reads goes there.",
  },
  {
    mode: "hybrid_auto",
    title: "Here first, far away when it is not enough",
    about:
      "A model of this machine answers. Where it is not enough, the conversation goes to the default model.",
  },
];

export function thinkingWords(level: ThinkingLevel | ""): string {
  switch (level) {
    case "":
      return "as the model has it";
    case "off":
      return "none";
    case "xhigh":
      return "as much as it can";
    default:
      return level;
  }
}
