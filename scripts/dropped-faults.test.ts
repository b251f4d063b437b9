import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { droppedFaults } from "./dropped-faults.ts";

const source = `
class Fault { readonly error = ""; }
declare function save(): Promise<number | Fault>;
declare function append(): undefined | Fault;
declare function list(): Fault[];
declare function use(value: unknown): void;
export async function work() {
  append();
  await save();
  void save();
  const inferred = () => save();
  inferred();
  use(append());
  list();
  const kept = await save();
  return kept;
}
`;

test("a call whose fault is not looked at is found, also where its type was inferred", (t) => {
  const options = { target: "es2022", strict: true, noEmit: true, types: [] };
  const folder = temporaryFolder(t, {
    "tsconfig.json": JSON.stringify({ compilerOptions: options, include: ["*.ts"] }),
    "work.ts": source,
    "work.test.ts": source,
  });
  const found = droppedFaults(folder).map((problem) => problem.split(" ")[0]);
  assert.deepEqual(found, ["work.ts:8", "work.ts:9", "work.ts:10", "work.ts:12"]);
});
