// Keeps a key, reads it, and forgets it, as a process of its own; prints what happened as one line of JSON.

import { statSync } from "node:fs";
import { keptKeys } from "@stet/host/credentials/kept-keys";
import { KeyStore } from "@stet/host/credentials/key-store";

const store = new KeyStore(process.env);
const started = performance.now();
const added = await store.add({
  provider: "test",
  secret: "key-of-the-test",
  origin: undefined,
  isAdded: false,
});
const tookMilliseconds = Math.round(performance.now() - started);
if (!("id" in added)) throw new Error(added.message);
const [key] = keptKeys(process.env).of("test");
const read = await key?.secret();
const modeOfFile = (statSync(store.path).mode & 0o777).toString(8);
await store.forget("test");
console.log(
  JSON.stringify({
    added: added.keptIn,
    note: added.note ?? null,
    read,
    tookMilliseconds,
    modeOfFile,
    afterForgetting: keptKeys(process.env).of("test").length,
  }),
);
