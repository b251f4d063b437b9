// The rows of a list of models: the one that answers, favourites, names that were typed, then what each ready provider has.

import type { ListedModel, ProviderView } from "@stet/protocol/api/models";
import { type Candidate, candidateOf, rank } from "../palette/fuzzy.ts";
import { type AgentMode, shownModel, titleOf } from "./model-words.ts";

export interface ModelRow {
  /** In full. */
  readonly name: string;
  readonly label: string;
  /** As people know it. */
  readonly provider: string;
  readonly isLocal: boolean;
  readonly isFavourite: boolean;
  /** None of a name that was typed and no provider lists. */
  readonly facts: ListedModel | undefined;
  readonly isReady: boolean;
  /** Why it cannot answer now; empty where it can. */
  readonly hindrance: string;
}

export interface FoundRow {
  readonly row: ModelRow;
  /** In the label, as [from, to). */
  readonly marks: readonly (readonly [number, number])[];
}

interface RowSources {
  readonly providers: readonly ProviderView[];
  readonly favourites: readonly string[];
  readonly mode: AgentMode;
  readonly current: string;
  /** Names that the person typed. */
  readonly named: readonly string[];
}

export const onlyHere =
  "It is not on this machine, and the mode is “Only on this machine”. Choose another mode first.";

export function modelRows({ providers, favourites, mode, current, named }: RowSources): ModelRow[] {
  const starred = new Set(favourites);
  const rowOf = (name: string, provider: ProviderView, facts?: ListedModel): ModelRow => {
    const isLocal = provider.is_local || provider.kind === "practice";
    return {
      name,
      label: shownModel(name),
      provider: titleOf(provider),
      isLocal,
      isFavourite: starred.has(name),
      facts,
      isReady: provider.is_ready,
      hindrance: mode === "local" && !isLocal ? onlyHere : provider.is_ready ? "" : provider.why,
    };
  };
  const ready = providers.filter(({ is_ready }) => is_ready);
  const listed = ready.flatMap((provider) =>
    provider.models.map((facts) => rowOf(facts.name, provider, facts)),
  );
  const known = new Set(listed.map(({ name }) => name));
  const extra = [...new Set([current, ...named])].filter((name) => !known.has(name) && name !== "");
  const typed = extra.flatMap((name) => {
    const provider = providerOf(name, providers);
    return provider === undefined ? [] : rowOf(name, provider);
  });
  const order = (row: ModelRow) => {
    if (row.name === current) return 0;
    if (row.isFavourite) return 1;
    if (row.facts === undefined) return 2;
    return row.name === "practice" ? 5 : row.isLocal ? 3 : 4;
  };
  return [...typed, ...listed].sort((one, other) => order(one) - order(other));
}

export function providerOf(model: string, providers: readonly ProviderView[]): ProviderView | undefined {
  const [name] = model.split("/", 1);
  return providers.find((provider) => provider.name === name);
}

export function candidates(rows: readonly ModelRow[]): Candidate<ModelRow>[] {
  return rows.map((row) => candidateOf(row, row.name));
}

/** What is typed narrows the list down; without anything typed it is as it is. */
export function findRows(query: string, all: readonly Candidate<ModelRow>[]): FoundRow[] {
  return rank(query, all).map(({ item: row, match }) => {
    const start = row.name.endsWith(row.label) ? row.name.length - row.label.length : undefined;
    const marks =
      start === undefined
        ? []
        : match.ranges
            .map(([from, to]) => [Math.max(0, from - start), to - start] as const)
            .filter(([from, to]) => from < to);
    return { row, marks };
  });
}
