// How fast and at what price a provider answers, in its own words. Nothing is sent to one that has no such word: the setting
// is about another provider then, or about none.

import type { Model } from "@stet/protocol/model-stream";
import { type Family, type FamilyModel, isVertexClaude } from "./adapter/family.ts";
import { wrapModel } from "./wrapped-model.ts";

const openaiTiers = ["auto", "default", "flex", "priority"];

const tiers: Readonly<Partial<Record<Family, readonly string[]>>> = {
  "openai-chat": openaiTiers,
  "openai-responses": openaiTiers,
  azure: openaiTiers,
  "azure-chat": openaiTiers,
  anthropic: ["auto", "standard_only"],
  google: ["standard", "flex", "priority"],
  vertex: ["standard", "flex", "priority"],
  bedrock: ["default", "flex", "priority", "reserved"],
  groq: ["auto", "on_demand", "flex", "performance"],
  openrouter: ["auto", "default", "flex", "priority"],
  xai: ["default", "priority"],
};

/** The words that a provider of this family knows; none where it has no tiers. */
export function serviceTiersOf({ family, model }: FamilyModel): readonly string[] {
  if (family === "vertex" && isVertexClaude(model)) return [];
  return tiers[family] ?? [];
}

/** Said with every request. */
export function withServiceTier(model: Model, serviceTier: string): Model {
  if (serviceTier === "") return model;
  return wrapModel(
    () => model,
    (request, signal) => model.stream({ ...request, serviceTier }, signal),
  );
}
