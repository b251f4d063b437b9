import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { countNames, findNames, type NameForm } from "./names.ts";
import { changeBy } from "./replacements.ts";

function rename(text: string, ...forms: [form: string, replacement: string][]): string {
  const named: NameForm[] = forms.map(([form, replacement]) => ({ form, replacement }));
  const document = Text.of(text.split("\n"));
  return changeBy(document, findNames(text, named).places).apply(document).toString();
}

function left(text: string, form: string): string[] {
  return findNames(text, [{ form, replacement: "X" }]).left.map(({ found }) => found);
}

test("every form of a name changes, and what is around it stays", () => {
  const before = "Ahab! Ahab's ship, Ahab’s leg; an Ahab-like _Ahab_ (AHAB, AHAB’S). Two Ahabs.\nAhab";
  const after =
    "Elias! Elias's ship, Elias’s leg; an Elias-like _Elias_ (ELIAS, ELIAS’S). Two Eliases.\nElias";
  assert.equal(rename(before, ["Ahab", "Elias"]), after);
});

test("a name inside another word stays, and so does another case; both are told where they may be meant", () => {
  const text = "Ahabism, rehab, Rahab, ahab and AhAb.";
  assert.equal(rename(text, ["Ahab", "Elias"]), text);
  assert.deepEqual(left(text, "Ahab"), ["Ahabism", "ahab", "AhAb"]);
});

test("a lower-case form is changed where it is asked for", () => {
  assert.equal(rename("ahab and Ahab", ["ahab", "elias"]), "elias and Ahab");
});

test("accents, marks and digits belong to words", () => {
  assert.equal(
    rename("José, Joséphine, Jos\u0301e, José2", ["José", "Ana"]),
    "Ana, Joséphine, Jos\u0301e, José2",
  );
  // The same letter, written in two characters.
  assert.equal(rename("Jose\u0301 came", ["José", "Ana"]), "Ana came");
});

test("a script without spaces has names anywhere", () => {
  assert.equal(rename("昨日、李明は来た。", ["李明", "王芳"]), "昨日、王芳は来た。");
});

test("names of several words keep their line break, quotation marks and spaces", () => {
  const forms: [string, string] = ["Captain Ahab", "Doctor Elias"];
  assert.equal(rename("Captain\nAhab, Captain  Ahab", forms), "Doctor\nElias, Doctor  Elias");
  assert.equal(rename("> old Captain\n> Ahab spoke", forms), "> old Doctor\n> Elias spoke");
  assert.equal(rename("Captain\r\nAhab", forms), "Doctor\r\nElias");
  // A paragraph's end is not between two words of a name.
  assert.equal(rename("the Captain\n\nAhab", forms), "the Captain\n\nAhab");
});

test("a line break stays also where the new name has fewer or more words", () => {
  assert.equal(rename("old Captain\nAhab spoke", ["Captain Ahab", "Elias"]), "old\nElias spoke");
  assert.equal(rename("Captain\nAhab spoke", ["Captain Ahab", "Elias"]), "Elias\nspoke");
  assert.equal(
    rename("a Captain\nAhab spoke", ["Captain Ahab", "Sir John Elias"]),
    "a Sir\nJohn Elias spoke",
  );
  assert.equal(rename("John James\nSmith went", ["John James Smith", "Ann Lee"]), "Ann\nLee went");
});

test("of two forms at one place the longer one counts", () => {
  const text = "John Smith met John. Smith left. JOHN SMITH!";
  const forms: [string, string][] = [
    ["John", "James"],
    ["Smith", "Brown"],
    ["John Smith", "James Brown"],
  ];
  assert.equal(rename(text, ...forms), "James Brown met James. Brown left. JAMES BROWN!");
});

test("a longer form in another case does not hide the shorter one in it", () => {
  const forms: [string, string][] = [
    ["Captain Ahab", "Doctor Elias"],
    ["Ahab", "Elias"],
  ];
  assert.equal(rename("the captain Ahab, Captain Ahab", ...forms), "the captain Elias, Doctor Elias");
  const counts = countNames("old Ahab, Old Ahab", ["Old Ahab", "Ahab"]);
  assert.deepEqual([counts.get("Old Ahab")?.count, counts.get("Ahab")?.count], [1, 1]);
});

test("either apostrophe is found in a name that has one", () => {
  assert.equal(rename("O'Brien, O’Brien's", ["O'Brien", "Kelly"]), "Kelly, Kelly's");
});

test("a name with the signs of a pattern in it is only itself", () => {
  assert.equal(rename("Mr. T (a.k.a. Mrx T)", ["Mr. T", "Bo"]), "Bo (a.k.a. Mrx T)");
});

test("mentions are counted once each, with capitals, with the place of the first", () => {
  const text = "intro\nCaptain Ahab came.\nAhab's leg. AHAB! ahab. Ahabs";
  const counts = countNames(text, ["Ahab", "Captain Ahab", "Nobody"]);
  assert.deepEqual(Object.fromEntries(counts), {
    "Captain Ahab": { count: 1, first: 6 },
    Ahab: { count: 2, first: 25 },
  });
});
