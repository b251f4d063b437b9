// Loaded into a process with `--import`: writes the processor time that it has used into a file when it ends.

import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.STET_BENCH_CPU_FILE ?? "", String((user + system) / 1000));
});
