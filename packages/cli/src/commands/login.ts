// `stet login [PROVIDER]`: connects a provider by what it takes: a key, an address, a code on its page.
//
// A key is typed without echo or comes from standard input, and never from the command line: arguments are kept by the shell's
// history and seen by every process.

import { type Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import {
  type Connected,
  connectionWords,
  connectProvider,
  fillForm,
  formOf,
  type Models,
  type ProviderForm,
  pickProvider,
} from "../models/connect.ts";
import type { ConnectPerson } from "../models/connect-person.ts";
import { fullModelName, offerModel, setDefaultModel, tryUnlisted } from "../models/default-model.ts";
import { deviceLogin } from "../models/device-login.ts";
import { keyProblem, pipedValues } from "../models/given-values.ts";
import { terminalPerson } from "../models/terminal-person.ts";
import { type ModelsApi, withModels } from "../models/with-models.ts";
import { usage } from "../with-folder.ts";

type Words = WordsOf<"login">;

export async function login({ values, positionals }: Words, context: CommandContext): Promise<number> {
  const options = keyProblem(positionals, values.option ?? []);
  if (typeof options === "string") return usage(context, options);
  return withModels(context, (api) => connect(api, { values, positionals }, options, context));
}

async function connect(
  api: ModelsApi,
  { values, positionals: [asked] }: Pick<Words, "values" | "positionals">,
  options: Readonly<Record<string, string>>,
  context: CommandContext,
): Promise<number | Fault> {
  const { terminal, signal } = context;
  // Whoever pipes a key in is asked nothing.
  const piped = asked === undefined || values.device ? "" : await terminal.input();
  const input = piped.trim() === "" ? terminal.person() : undefined;
  const person = input === undefined ? undefined : terminalPerson(terminal, input, signal);
  if (asked === undefined && person === undefined)
    return usage(context, "Name the provider: stet login PROVIDER. stet models --all lists them.");
  const models = await api.call("listModels", {}, signal);
  if (isFault(models)) return models;
  const name = asked ?? (person && (await pickProvider(models, person)));
  if (name === undefined) return nothingDone(context);
  const form = await formOf(models, name, values.address ?? (asked === undefined ? "" : undefined));
  if (isFault(form)) return form;
  const given = { ...options, ...(values.address === undefined ? {} : { address: values.address }) };
  const reply = values.device
    ? await deviceLogin(api, form, person ?? silent(context), signal)
    : await byValues(api, { form, given, piped }, values, person, context);
  if (typeof reply === "number" || isFault(reply)) return reply;
  if (reply === undefined) return nothingDone(context);
  for (const sentence of await connectionWords(reply, context.environment)) terminal.out(`${sentence}\n`);
  return chooseModel(api, models, reply, values.model, person, context);
}

async function byValues(
  api: ModelsApi,
  { form, given, piped }: GivenValues,
  { add, model }: Words["values"],
  person: ConnectPerson | undefined,
  context: CommandContext,
): Promise<Connected | Fault | number | undefined> {
  const secrets = pipedValues(form, given, piped);
  if (typeof secrets === "string") return usage(context, secrets);
  const all = { ...given, ...secrets };
  const filled = person === undefined ? all : await fillForm(form, all, person);
  if (filled === undefined) return undefined;
  const missing = form.fields.filter(({ name, is_needed: isNeeded }) => isNeeded && !filled[name]);
  if (missing.length > 0) return usage(context, missingWords(form, missing));
  const request = { form, values: filled, isAdded: add, model };
  return connectProvider(api, request, person ?? silent(context), person !== undefined);
}

interface GivenValues {
  readonly form: ProviderForm;
  readonly given: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly piped: string;
}

function missingWords({ name }: ProviderForm, missing: ProviderForm["fields"]): string {
  const ways = missing.map(({ name: field, is_secret: isSecret }) =>
    isSecret ? `< key.txt` : field === "address" ? "--address URL" : `--option ${field}=VALUE`,
  );
  const what = missing.map(({ label }) => label.toLowerCase()).join(", ");
  return `${visibleName(name)} needs: ${what}. In a terminal it is asked for; elsewhere: stet login ${visibleName(name)} ${[...new Set(ways)].join(" ")}`;
}

/** The one that was named, or chosen; where nobody can be asked, how to choose one. */
async function chooseModel(
  api: ModelsApi,
  { current, is_practice: isPractice }: Models,
  { provider }: Connected,
  named: string | undefined,
  person: ConnectPerson | undefined,
  context: CommandContext,
): Promise<number | Fault> {
  const { terminal } = context;
  const asked = person ?? silent(context);
  const chosen =
    named === undefined ? await offerModel(provider, current, asked) : fullModelName(named, provider.name);
  if (chosen === undefined) {
    const [first] = provider.models;
    const example = visibleName(first?.name ?? `${provider.name}/NAME`);
    if (isPractice) terminal.note(`No model is chosen yet. To choose one: stet models use ${example}\n`);
    return exitCode.done;
  }
  const answered = await tryUnlisted(api, chosen, provider, asked);
  if (isFault(answered)) return answered;
  if (answered !== undefined) terminal.out(`${answered}\n`);
  const said = await setDefaultModel(api, chosen);
  if (isFault(said)) return said;
  terminal.out(`${said}\n`);
  return exitCode.done;
}

/** Where nobody can be asked: only told. */
function silent({ terminal, signal }: CommandContext): ConnectPerson {
  return {
    tell: (text) => terminal.note(`${text}\n`),
    choose: async () => undefined,
    ask: async () => undefined,
    wait: (_, action) => action(signal),
  };
}

function nothingDone({ terminal, signal }: CommandContext): number {
  terminal.note("Nothing was connected.\n");
  return signal.aborted ? exitCode.interrupted : exitCode.refused;
}
