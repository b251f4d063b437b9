import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { SessionStore } from "@stet/session/session-store";
import { modelOf } from "@stet/testkit/model-of";
import { TestService } from "@stet/testkit/test-service";
import { TestWorkspace } from "@stet/testkit/workspace";

/** How often the folder of sessions is listed, and a file in it looked at, while something is done. */
async function looksAt(t: TestContext, folder: string, action: () => Promise<unknown>): Promise<number> {
  let looks = 0;
  const { readdirSync, statSync, openSync } = fs;
  const counted = <F extends (...args: never[]) => unknown>(original: F): F =>
    new Proxy(original, {
      apply(target, self, args: Parameters<F>) {
        if (String(args[0]).startsWith(folder)) looks += 1;
        return Reflect.apply(target, self, args);
      },
    });
  const restore = () => {
    Object.assign(fs, { readdirSync, statSync, openSync });
    syncBuiltinESMExports();
  };
  t.after(restore);
  Object.assign(fs, {
    readdirSync: counted(readdirSync),
    statSync: counted(statSync),
    openSync: counted(openSync),
  });
  syncBuiltinESMExports();
  await action();
  restore();
  return looks;
}

test("a job looks at as many session files where there are many sessions as where there is none", async (t) => {
  const place = new TestWorkspace(t, { "a.md": "one\n" });
  const model = modelOf(() => ({ text: "Done." }));
  const api = await TestService.open(t, place, model);
  const job = async () => {
    const id = await api.run(await api.session(), "Do nothing.");
    await api.until(id, "completed");
  };
  const folder = new SessionStore({ dataFolder: place.dataFolder }).projectFolder(place.root);
  const first = await looksAt(t, folder, job);
  for (let number = 0; number < 30; number += 1) {
    const id = number.toString(16).padStart(16, "0");
    const header = {
      type: "session",
      version: 3,
      id,
      timestamp: new Date(number).toISOString(),
      cwd: place.root,
    };
    fs.writeFileSync(
      join(folder, `1970-01-01T00-00-00-0${number}Z_${id}.jsonl`),
      `${JSON.stringify(header)}\n`,
    );
  }
  assert.equal(await looksAt(t, folder, job), first);
});
