// `stet models [WORDS]`: who answers, which models can be used here, and for the other providers what is missing.
//
//   stet models [WORDS]              the models in which all words occur; --ready, --all
//   stet models use NAME             answers from now on
//   stet models test NAME            one very short request
//   stet models favourite NAME       stands first from now on; unfavourite takes that back

import { type Fault, isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { CommandContext, WordsOf } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import type { Models } from "../models/connect.ts";
import { setDefaultModel } from "../models/default-model.ts";
import { changeFavourite } from "../models/favourites.ts";
import { missingLines } from "../models/missing-providers.ts";
import { type ModelRow, modelRows, modelTable, rowsWith } from "../models/model-table.ts";
import { testWords } from "../models/test-words.ts";
import { byLikelihood, isProven } from "../models/usable-providers.ts";
import { type ModelsApi, withModels } from "../models/with-models.ts";
import { usage } from "../with-folder.ts";

const verbs = ["use", "test", "favourite", "unfavourite"] as const;

/** Models of one provider that are listed unless they are searched for. */
const mostOfOne = 20;

export async function models(
  { values, positionals }: WordsOf<"models">,
  context: CommandContext,
): Promise<number> {
  const [first, ...others] = positionals;
  const verb = verbs.find((name) => name === first);
  if (verb === undefined) {
    const words = first === "list" ? others : positionals;
    return withModels(context, (api) => list(api, words, values, context));
  }
  const [name] = others;
  if (name === undefined || others.length > 1)
    return usage(context, `Name one model, in full: stet models ${verb} PROVIDER/NAME.`);
  return withModels(context, (api) => carryOut(api, verb, name, context));
}

async function carryOut(
  api: ModelsApi,
  verb: (typeof verbs)[number],
  name: string,
  { terminal, signal }: CommandContext,
): Promise<number | Fault> {
  if (verb === "test") {
    const reply = await api.call("testModel", { body: { model: name } }, signal);
    if (isFault(reply)) return reply;
    terminal.out(`${testWords(reply)}\n`);
    return exitCode.done;
  }
  const said =
    verb === "use"
      ? await setDefaultModel(api, name)
      : await changeFavourite(api, name, verb === "favourite");
  if (isFault(said)) return said;
  terminal.out(`${said}\n`);
  return exitCode.done;
}

async function list(
  api: ModelsApi,
  words: readonly string[],
  { all, ready, json }: WordsOf<"models">["values"],
  context: CommandContext,
): Promise<number | Fault> {
  const reply = await api.call("listModels", {}, context.signal);
  if (isFault(reply)) return reply;
  const shown = {
    ...reply,
    providers: ready ? reply.providers.filter((one) => one.is_ready) : reply.providers,
  };
  if (json) context.terminal.json(filtered(shown, words));
  else show(shown, words, { all, ready }, context);
  return exitCode.done;
}

/** The API's reply with the models that fit; providers stay, so that a program sees why one has none. */
function filtered(models: Models, words: readonly string[]): Models {
  const names = new Set(rowsWith(modelRows(models.providers), words).map(({ model }) => model.name));
  return {
    ...models,
    providers: models.providers.map((provider) => ({
      ...provider,
      models: provider.models.filter(({ name }) => names.has(name)),
    })),
  };
}

function show(
  models: Models,
  words: readonly string[],
  { all, ready }: { readonly all: boolean; readonly ready: boolean },
  { terminal }: CommandContext,
): void {
  const { current, providers } = models;
  const { width, style } = terminal;
  const isSearch = words.length > 0;
  const isWhole = all || isSearch;
  const usable = byLikelihood(providers, current).filter(
    (one) => all || isProven(one, current) || (isSearch && one.is_ready),
  );
  const found = rowsWith(modelRows(usable), words);
  const rows = isWhole ? found : firstOfEach(found);
  terminal.out(`${currentWords(models)}\n`);
  if (rows.length > 0) terminal.out(`\n${modelTable(rows, { width, current, style })}`);
  else if (isSearch) terminal.out(`No model that can be used here fits "${visibleName(words.join(" "))}".\n`);
  const hidden = found.length - rows.length;
  if (hidden > 0)
    terminal.out(style("dim", `… and ${hidden} more: stet models WORDS searches them, --all lists them.\n`));
  if (ready) return;
  const others = providers.filter((one) => one.kind !== "practice" && !usable.includes(one));
  const missing = isSearch
    ? others.filter((one) => rowsWith(modelRows([withName(one)]), words).length > 0)
    : others;
  const lines = missingLines(missing);
  if (lines.length > 0)
    terminal.out(`\n${style("bold", "Not connected")}\n${lines.map((line) => `  ${line}\n`).join("")}`);
}

/** One that lists no models is found by its own name. */
function withName(provider: Models["providers"][number]): Models["providers"][number] {
  if (provider.models.length > 0) return provider;
  const model = {
    name: provider.name,
    context_window: null,
    max_output: null,
    price: null,
    tools: null,
    images: null,
    thinking: null,
    is_favourite: false,
    speed: null,
  };
  return { ...provider, models: [model] };
}

function firstOfEach(rows: readonly ModelRow[]): ModelRow[] {
  const counts = new Map<string, number>();
  return rows.filter(({ model, provider: { name } }) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return model.is_favourite || count < mostOfOne;
  });
}

function currentWords({ current, is_practice: isPractice, mode, local_model: local, model }: Models): string {
  if (isPractice)
    return "The practice model answers, a small program that understands simple requests: stet login connects a real one.";
  const both = mode === "hybrid_auto" && local !== "" && model !== "";
  const how = both
    ? `; ${visibleName(model)} takes over where it is not enough`
    : mode === "local"
      ? "; nothing leaves this machine (mode local)"
      : "";
  return `${visibleName(current)} answers${how}.`;
}
