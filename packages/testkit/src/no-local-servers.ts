// Addresses at which nothing answers: a model server that runs on the machine of whoever runs a test takes no part in it.

const closed = "http://127.0.0.1:9";

export const noLocalServers: Readonly<Record<string, string>> = {
  OLLAMA_HOST: closed,
  LMSTUDIO_BASE_URL: closed,
  LLAMACPP_BASE_URL: closed,
  VLLM_BASE_URL: closed,
};
