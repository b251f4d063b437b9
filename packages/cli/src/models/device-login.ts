// Connecting a provider by a code that a person types on its page.

import { Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { Connected, ProviderForm } from "./connect.ts";
import type { ConnectPerson } from "./connect-person.ts";
import type { ModelsApi } from "./with-models.ts";

export async function deviceLogin(
  api: ModelsApi,
  { name, title, hasDeviceLogin }: ProviderForm,
  person: ConnectPerson,
  signal?: AbortSignal,
): Promise<Connected | Fault | undefined> {
  if (!hasDeviceLogin)
    return new Fault(
      "invalid_arguments",
      `${visibleName(title)} has no login by a code.`,
      `It takes what stet login ${visibleName(name)} asks for.`,
    );
  const started = await api.call("startDeviceLogin", { body: { provider: name } }, signal);
  if (isFault(started)) return started;
  const { code, page, expires_at: expires, login_id: id } = started;
  const until = new Date(expires).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  person.tell(`Open ${visibleName(page)} and type the code ${visibleName(code)}. It holds until ${until}.`);
  const finished = await person.wait("Waiting for the code to be typed", (stop) =>
    api.call("finishDeviceLogin", { params: { login_id: id } }, stop),
  );
  if (isFault(finished) && finished.error === "aborted") return undefined;
  return finished;
}
