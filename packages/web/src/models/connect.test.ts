import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault, isFault } from "@stet/protocol/fault";
import { connectedWords, formFields, ownServerName } from "./connect-form.ts";
import { faultField, fieldOf } from "./fault-field.ts";
import { deciderOf, settingOf } from "./model-setting.ts";

const fields = formFields(undefined);
const refused = (field: string) => faultField(new Fault("invalid_arguments", "", "", { field }), fields);

test("a refusal stands at the field that a person has to change", () => {
  assert.deepEqual(["key", "account", "address", "server", "model", "name"].map(refused), [
    "key",
    "key",
    "address",
    "address",
    "model",
    "name",
  ]);
  assert.equal(fieldOf("region", [{ name: "region" }]), "region");
});

test("a refusal about nothing in the form stands below it", () => {
  assert.deepEqual(["package", "context", "region"].map(refused), [undefined, undefined, undefined]);
  assert.equal(faultField(new Fault("io_failed", "", ""), fields), undefined);
});

test("a server's name becomes one that can be written before a slash, and takes no other one's place", () => {
  assert.equal(ownServerName("My Gateway (EU)", []), "my-gateway-eu");
  assert.equal(ownServerName("  --x", []), "x");
  assert.match(String(ownServerName("Ü".repeat(50) + "a".repeat(60), [])), /^a{1,40}$/);
  for (const typed of ["OpenAI", "!!"]) {
    const fault = ownServerName(typed, ["openai"]);
    assert.equal(isFault(fault) && faultField(fault, fields), "name");
  }
});

test("the default is the local model where a local model comes first, and what else decides is named", () => {
  assert.equal(settingOf("remote", true), "model");
  assert.equal(settingOf("hybrid_auto", true), "localModel");
  assert.equal(settingOf("hybrid_auto", false), "model");
  assert.equal(deciderOf("environment: STET_MODEL"), "the variable STET_MODEL");
  assert.equal(deciderOf("flag"), "the option that Stet was started with");
  assert.equal(deciderOf("user: /home/a/.config/stet/config.json"), "");
});

test("where a key is now is said once, in the server's words where it has some", () => {
  assert.match(connectedWords({ kept_in: "keychain", note: null }), /keychain/);
  const words = connectedWords({ kept_in: "file", note: "The keychain is locked." });
  assert.equal(words, "Connected. The keychain is locked. Choose the model that answers from now on.");
});
