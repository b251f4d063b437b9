import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListedModel, ProviderView } from "@stet/protocol/api/models";
import { candidates, findRows, modelRows, onlyHere } from "./model-rows.ts";
import { namedModel } from "./named-model.ts";
import { findProviders, firstModelOf, groupsOf, nameList } from "./provider-groups.ts";

function model(name: string, more: Partial<ListedModel> = {}): ListedModel {
  return {
    name,
    context_window: null,
    max_output: null,
    price: null,
    tools: null,
    images: null,
    thinking: null,
    is_favourite: false,
    speed: null,
    ...more,
  };
}

function provider(name: string, more: Partial<ProviderView> = {}): ProviderView {
  return {
    name,
    title: name.toUpperCase(),
    kind: "key",
    is_ready: true,
    why: "",
    mend: null,
    is_local: false,
    address: null,
    fields: [],
    key_page: null,
    has_device_login: false,
    keys: [],
    lists_models: true,
    models: [],
    ...more,
  };
}

/** One of them is in no list now. */
const favourites = ["openai/two", "gone/three"];
const practice = provider("practice", { kind: "practice", models: [model("practice")] });
const ollama = provider("ollama", {
  kind: "local",
  is_local: true,
  models: [
    model("ollama/nomic-embed-text"),
    model("ollama/small"),
    model("ollama/able", { tools: "native" }),
  ],
});
const openai = provider("openai", {
  models: [model("openai/one"), model("openai/two")],
});
const unready = provider("groq", {
  is_ready: false,
  why: "It has no key.",
  mend: { field: "key", text: "" },
});
const providers = [practice, openai, ollama, unready];

test("the model that answers stands first, then favourites, names that were typed, this machine, far away", () => {
  const rows = modelRows({
    favourites,
    providers,
    mode: "remote",
    current: "openai/one",
    named: ["openai/typed", "openai/two"],
  });
  assert.deepEqual(
    rows.map(({ name }) => name),
    [
      "openai/one",
      "openai/two",
      "openai/typed",
      "ollama/nomic-embed-text",
      "ollama/small",
      "ollama/able",
      "practice",
    ],
  );
  assert.equal(rows.find(({ name }) => name === "openai/typed")?.facts, undefined);
});

test("where only this machine may answer, what is far away says so instead of being chosen in vain", () => {
  const rows = modelRows({ providers, favourites, mode: "local", current: "ollama/small", named: [] });
  const hindered = rows.filter(({ hindrance }) => hindrance !== "").map(({ name }) => name);
  assert.deepEqual(hindered, ["openai/two", "openai/one"]);
  assert.equal(rows.find(({ name }) => name === "openai/one")?.hindrance, onlyHere);
});

test("what is typed finds a model by its provider, too, and marks only letters of the name that is shown", () => {
  const rows = candidates(
    modelRows({ providers, favourites, mode: "remote", current: "practice", named: [] }),
  );
  const [first] = findRows("openai two", rows);
  assert.equal(first?.row.name, "openai/two");
  assert.deepEqual(first?.marks, [[0, 3]]);
  assert.equal(findRows("", rows).length, rows.length);
  assert.deepEqual(findRows("no such model", rows), []);
});

test("a name in no list is offered, and one that cannot work says why and what to mend", () => {
  assert.equal(namedModel("openai/one", providers), undefined);
  assert.equal(namedModel("one", providers), undefined);
  assert.deepEqual(namedModel(" openai/three ", providers), {
    kind: "offer",
    name: "openai/three",
    note: "OPENAI does not list it.",
  });
  assert.match(JSON.stringify(namedModel("opnai/one", providers)), /no provider called opnai.*openai/);
  assert.deepEqual(namedModel("groq/fast", providers), {
    kind: "problem",
    message: "It has no key.",
    mend: { provider: "groq", field: "key" },
  });
});

test("what answers on this machine stands apart from what is ready, and from what is not", () => {
  const { here, ready, others } = groupsOf(providers);
  assert.deepEqual([here, ready, others], [[ollama], [openai], [unready]]);
  assert.deepEqual(findProviders("gro", others), [unready]);
  assert.deepEqual(findProviders("zz", others), []);
});

test("one press begins with a model that can call tools, and never with one that only makes vectors", () => {
  assert.equal(firstModelOf(ollama, favourites)?.name, "ollama/able");
  const plain = { models: [model("ollama/nomic-embed-text"), model("ollama/small")] };
  assert.equal(firstModelOf(plain, favourites)?.name, "ollama/small");
  assert.equal(firstModelOf(openai, favourites)?.name, "openai/two");
  assert.equal(firstModelOf({ models: [] }, favourites), undefined);
  assert.equal(nameList(["a", "b", "c"]), "a, b, c");
  assert.equal(nameList(["a", "b", "c", "d"]), "a, b, c and 1 more");
});
