// Real test data that is not part of the repository. Where it is missing, a test says so in one line and skips.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";

const folder = process.env.STET_TEST_DATA ?? join(import.meta.dirname, "../../../../shared/data");

/** The path of a file or folder of test data, or undefined after marking the test as skipped. */
export function testData(t: TestContext, name: string): string | undefined {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  t.skip(`test data ${name} is not here; set STET_TEST_DATA to its folder`);
  return undefined;
}
