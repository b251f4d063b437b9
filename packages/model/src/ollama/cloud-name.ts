// Models that Ollama lists among its own, and does not run on this machine.

/** `gpt-oss:120b-cloud`, `glm-5:cloud`: the server passes the conversation on to ollama.com. */
export function isOllamaCloud(name: string): boolean {
  return /[:-]cloud$/i.test(name.trim());
}
