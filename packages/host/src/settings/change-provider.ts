// Writes the address and the options of one provider into the person's own configuration file. Everything else of it stays. Keys
// are never written there.

import { type Fault, isFault } from "@stet/protocol/fault";
import { isRecord, type JsonRecord } from "@stet/protocol/json-record";
import { changeConfig } from "./change-config.ts";

export interface ProviderPlace {
  readonly baseURL?: string | undefined;
  readonly options?: Readonly<Record<string, string>> | undefined;
}

export interface ChangedProvider {
  /** Puts back what was there before, where the rest of a login failed. */
  undo(): Fault | undefined;
}

export function changeProvider(
  environment: NodeJS.ProcessEnv,
  provider: string,
  { baseURL, options }: ProviderPlace,
): ChangedProvider | Fault {
  let known: unknown;
  const changed = changeEntry(environment, provider, (entry) => {
    known = entry;
    const before = isRecord(entry) ? entry : {};
    const optionsBefore = isRecord(before.options) ? before.options : {};
    return {
      ...before,
      ...(baseURL === undefined ? {} : { baseURL }),
      ...(options === undefined ? {} : { options: { ...optionsBefore, ...options } }),
    };
  });
  if (isFault(changed)) return changed;
  return { undo: () => changeEntry(environment, provider, () => known) };
}

/** An entry that becomes undefined is removed. */
function changeEntry(
  environment: NodeJS.ProcessEnv,
  provider: string,
  change: (entry: unknown) => unknown,
): Fault | undefined {
  return changeConfig(environment, (content) => {
    const all: JsonRecord = isRecord(content.providers) ? content.providers : {};
    const { [provider]: entry, ...others } = all;
    const next = change(entry);
    return { ...content, providers: next === undefined ? others : { ...all, [provider]: next } };
  });
}
