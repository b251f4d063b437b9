// Device logins that wait for a person, by id: begun by one request, waited for by another. What is never finished is forgotten
// when its code ends.

import { isOwnMachine } from "@stet/model/network/own-address";
import { Fault, isFault } from "@stet/protocol/fault";
import { beginDeviceLogin, type DeviceLogin } from "../credentials/device-login.ts";
import { KeyStore } from "../credentials/key-store.ts";
import type { ModelSettings } from "../settings/model-settings.ts";
import type { ConnectedProvider } from "./connect-provider.ts";

const mostWaiting = 20;

export class DeviceLogins {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #waiting = new Map<string, { readonly login: DeviceLogin; readonly origin: string | undefined }>();

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  async begin(provider: string, settings: ModelSettings, signal: AbortSignal): Promise<DeviceLogin | Fault> {
    const configured = settings.providers[provider];
    if (configured?.oauth === undefined)
      return new Fault(
        "invalid_arguments",
        `${provider} has no login by a code.`,
        `Connect it with a key, or name its endpoints under providers.${provider}.oauth in your configuration.`,
        { provider },
      );
    const { deviceURL, tokenURL } = configured.oauth;
    if (settings.agentMode === "local" && ![deviceURL, tokenURL].every(isOwnMachine))
      return new Fault(
        "invalid_arguments",
        "The mode is local, so nothing is sent to another machine. Change the mode first.",
        "Nothing was kept.",
        { provider, field: "address" },
      );
    const login = await beginDeviceLogin(provider, configured.oauth, this.#environment, signal);
    if (isFault(login)) return login;
    const { accessProvider } = await import("@stet/model/providers");
    // The key that is asked for is the one that this login brings.
    const access = accessProvider(provider, {
      environment: this.#environment,
      providers: { [provider]: { ...configured, apiKey: "none" } },
    });
    const origin =
      "kind" in access || access.baseURL === undefined ? undefined : new URL(access.baseURL).origin;
    for (const [id, { login: old }] of this.#waiting)
      if (old.expiresAt < Date.now() || this.#waiting.size >= mostWaiting) this.#waiting.delete(id);
    this.#waiting.set(login.id, { login, origin });
    return login;
  }

  /** The provider that it was for, once its key is kept. */
  async finish(
    id: string,
    signal: AbortSignal,
  ): Promise<(ConnectedProvider & { readonly provider: string }) | Fault> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined)
      return new Fault("invalid_arguments", "There is no such login, or it has ended.", "Begin it again.");
    const { login, origin } = waiting;
    const token = await login.wait(signal);
    // Whoever reloads the page may go on waiting.
    if (isFault(token) && token.error === "aborted") return token;
    this.#waiting.delete(id);
    if (isFault(token)) return token;
    const kept = await new KeyStore(this.#environment).add({
      provider: login.provider,
      secret: JSON.stringify(token),
      form: "oauth",
      origin,
      isAdded: false,
    });
    if (isFault(kept)) return kept;
    return { provider: login.provider, keptIn: kept.keptIn, note: kept.note ?? null };
  }
}
