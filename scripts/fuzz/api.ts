// Thousands of requests made from the API's own description: `--requests N --seed S`.

import { parseArgs } from "node:util";
import { fuzzApi } from "../../packages/testkit/src/api-fuzz/api-fuzz.ts";
import { progressLine } from "../progress-line.ts";

export async function runApi(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { requests: { type: "string", default: "20000" }, seed: { type: "string", default: "1" } },
  });
  const progress = progressLine();
  const requests = Number(values.requests);
  const report = await fuzzApi({
    seed: Number(values.seed),
    requests,
    onProgress: (done, failures) => progress.show(`${done} of ${requests} requests, ${failures} failed`),
  });
  progress.clear();
  for (const failure of report.failures) console.error(failure);
  const statuses = Object.entries(report.statuses).map(([status, count]) => `${count} × ${status}`);
  console.log(
    `${report.sent} requests in ${Math.round(report.milliseconds / 1000)} s: ${statuses.join(", ")}`,
  );
  console.log(`memory of the server: ${report.megabytes.join(", ")} MB`);
  console.log(`${report.failures.length} failed`);
  return report.failures.length;
}
