// How a provider wants to be spoken to, beyond the common interface.

export type Family =
  | "openai-chat"
  | "openai-responses"
  | "anthropic"
  | "google"
  | "azure"
  | "azure-chat"
  | "bedrock"
  | "vertex"
  | "openrouter"
  | "groq"
  | "mistral"
  | "deepseek"
  | "xai"
  | "openai-compatible"
  | "ollama"
  | "other";

export interface FamilyModel {
  readonly family: Family;
  readonly model: string;
}

/** Claude by its own format, also where Google serves it. */
export function isAnthropicFormat({ family, model }: FamilyModel): boolean {
  return family === "anthropic" || (family === "vertex" && isVertexClaude(model));
}

export function isVertexClaude(model: string): boolean {
  return model.startsWith("claude-");
}

const picturesInResults: ReadonlySet<Family> = new Set([
  "anthropic",
  "openai-responses",
  "google",
  "azure",
  "bedrock",
  "vertex",
  "xai",
]);

/** Whether its format has pictures inside a tool's answer. */
export function hasPicturesInResults(family: Family): boolean {
  return picturesInResults.has(family);
}

/** Mistral takes call ids of nine letters and digits only, and wants an answer of the model between a result and the person. */
export function isMistral({ family }: { readonly family: Family }): boolean {
  return family === "mistral";
}
